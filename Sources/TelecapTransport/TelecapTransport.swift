// TelecapTransport: sockets, clocks and pacing; what meets the real network and the real time.
//
// Sending a plan:
// - `Pacer` runs a `PacedWork` against a `MonotonicClock`: absolute deadlines from the first packet, so that being late
//   once makes nothing after it late. Start here. `LatenessRecorder` measures what came of it.
// - `DatagramSender` sends UDP in batches, one socket (a `Lane`) for each sender in the recording, and gathers replies with
//   the kernel's timestamps. `StreamSender` does the same for one TCP connection.
// - `DestinationPolicy` is asked before any socket opens: loopback only unless a person named another host, and never
//   broadcast or multicast, but for beacons. `HostPort` reads and resolves what they typed.
//
// Replaying a recording (`Replay/`):
// - `ReplayFeed` lies between the thread that reads and plans and the one that sends; `Replayer` carries the plan out over
//   sockets, `VirtualReplay` turns it into the steps of a `Loop` in virtual time, both through `ReplayWork`. A
//   `ReplayObserver` watches. `ReplayRoutes` says where each flow of the recording goes.
// - `JudgedPeer` is one of our own peers on real sockets, with the oracle listening in.
//
// Peers (`Peers/`): `RunningPeer` wires a model to real sockets and the clock.
//
// Recording without root:
// - `RelaySpec` reads `udp:50000=HOST:PORT`; `Relay` listens there, passes everything on both ways, and tells a
//   `RelayObserver` every payload. `ReceiveBuffer` asks the kernel what it dropped, here and before simulated peers.
//
// Being found (`Discovery/`): `Advertisement` makes known what listens, by beacons (`BeaconSending`, to whom
// `BeaconTargets` says)
// and by mDNS (`ServiceAnnouncement`, through the system's own program: `MulticastDNS`). `Search` finds who does so.
//
// Judging real programs (`Systems/`):
// - `ProgramSystem` runs what a `SystemFile` describes: a `Program` in a process group of its own, ready by `Readiness`,
//   its output in `ProgramOutput` and `EventFeeds`, made to act by `ActionDriver`. `WireSystem` speaks to a host that
//   somebody else started.
// - `DeviceSystem` runs a device that is a program: told by its standard input, judged by the times that it states.
// - `WallClockRun` carries out a script between `PeerEnds` and the system, and notes what was really sent and came back;
//   `RunLogBuilder` puts what the program printed in its place. No process of a group outlives its run, and on Linux none
//   that left it (`ProgramGuard`, `OrphanReaper`).
//
// Taking clients: `DescriptorLimit` is asked before each, so that the last descriptors stay our own.
//
// Ending: `StopFlag`, raised by a first Ctrl-C; a second one ends the process.
//
// Promises: nothing is allocated for each packet; memory does not grow with the traffic; errors are counted or thrown
// as typed values, never printed. Platform differences live in `CSockets`, behind one set of functions.
