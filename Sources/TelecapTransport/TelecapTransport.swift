// TelecapTransport: sockets, clocks and pacing; everything that uses the real network and real time.
//
// Sending a plan:
// - `Pacer` runs a `PacedWork` against a `MonotonicClock`, with absolute deadlines from the first packet, so that one
//   late packet does not delay the next. Start here. `LatenessRecorder` measures the send timing errors.
// - `DatagramSender` sends UDP in batches, with one socket (a `Lane`) for each sender in the recording, and collects
//   replies with the kernel's timestamps. `StreamSender` does the same for one TCP connection.
// - `DestinationPolicy` is checked before any socket opens: loopback only, unless a person named another host, and
//   never broadcast or multicast, except for beacons. `HostPort` parses and resolves what a person typed.
//
// Replaying a recording (`Replay/`):
// - `ReplayFeed` connects the thread that reads and plans with the one that sends. `Replayer` sends the plan over
//   sockets, and `VirtualReplay` makes `Loop` steps of it in virtual time; both use `ReplayWork`. A `ReplayObserver`
//   gets all events. `ReplayRoutes` has the destination of each flow.
// - `JudgedPeer` is one of our own peers on real sockets, checked by the oracle.
//
// Peers (`Peers/`): `RunningPeer` connects a model with real sockets and the clock.
//
// Recording without root:
// - `RelaySpec` parses `udp:50000=HOST:PORT`. `Relay` listens there, forwards in both directions, and passes every
//   payload to a `RelayObserver`. `ReceiveBuffer` reads the kernel's drop counts, here and for simulated peers.
//
// Discovery (`Discovery/`): `Advertisement` announces listening addresses by beacons (`BeaconSending`, to the addresses
// of `BeaconTargets`) and by mDNS (`ServiceAnnouncement`, with the system's own program: `MulticastDNS`). `Search`
// finds announced hosts.
//
// Testing real programs (`Systems/`):
// - `ProgramSystem` runs the program of a `SystemFile`: a `Program` in its own process group, with its `Readiness`, its
//   output in `ProgramOutput` and `EventFeeds`, and its actions in `ActionDriver`. `WireSystem` tests a host that is
//   already running.
// - `DeviceSystem` runs a device as a program, with input on stdin and verdicts by the times in its output.
// - `WallClockRun` runs a script between `PeerEnds` and the system, and logs the messages that were sent and received.
//   `RunLogBuilder` adds the program's output. No process of a group remains after its run, and on Linux none that left
//   the group (`ProgramGuard`, `OrphanReaper`).
//
// Accepting clients: `DescriptorLimit` is checked before each, to reserve the last descriptors for telecap.
//
// Ending: a first Ctrl-C raises `StopFlag`; a second one kills the process.
//
// Promises: no allocation per packet; memory does not grow with the traffic; errors are counted or thrown as typed
// values, never printed. `CSockets` hides platform differences in one set of functions.
