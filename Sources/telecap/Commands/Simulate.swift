import ArgumentParser
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapTransport
import TelecapWire

/// `telecap simulate`: correct peers on real sockets, whose events are JSON Lines on stdout.
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Run a correct host, phone, mouse or side of a protocol file on real sockets, and print its events.",
    discussion: """
      Examples:
        telecap simulate host --code ABC123 --waveform sine --period 2s \\
            --duration 10s
        telecap simulate phone --code ABC123 --path circle --duration 10s
        telecap simulate mouse-host --screen 1920x1080
        telecap simulate mouse --figure drag
        telecap simulate dsu-host --protocol dsu

      Every event is a line of JSON on standard output: time_ns, event, and the
      event's own fields. Peers listen on loopback unless --bind names another
      address, and send to loopback unless --to does. Ctrl-C ends them with a
      teardown (HAPTIC 0, BYE, all buttons released), unless --no-neutral is given.
      A second Ctrl-C ends them at once.
      """,
    subcommands: [
      SimulateHost.self, SimulatePhone.self, SimulateMouse.self, SimulateMouseHost.self, SimulateSide.self,
    ],
    defaultSubcommand: SimulateSide.self)
}

/// The options of every simulated peer.
struct SimulationOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Stop after this time, such as 10s (default: at Ctrl-C).", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "At the end, set the motor to 0, release the buttons and close the session.")
  var neutral = true

  /// Runs `peer` until its duration is over, it has finished, or a signal stops it, and prints its events.
  func run<P: Peer>(
    _ peer: P, _ sockets: PeerSockets, stopsWhenFinished: Bool = false, _ advertisement: Advertisement? = nil,
    of owner: WireProtocol? = nil, needsSession: Bool = false
  ) async throws {
    var simulated = SimulatedPeer(peer, sockets)
    (simulated.duration, simulated.endsWhenFinished) = (duration?.nanoseconds, stopsWhenFinished)
    simulated.needsSession = needsSession
    (simulated.advertisement, simulated.takesLeave, simulated.owner) = (advertisement, neutral, owner)
    try await simulated.run(tell: Console.say)
  }
}

/// The address on which a server listens.
struct ListenOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Listen on this address; 0.0.0.0 is all interfaces.", valueName: "address"),
    transform: { text in
      guard let address = IPAddress(text) else { throw ValidationError("'\(text)' is no IPv4 or IPv6 address") }
      return address
    })
  var bind: IPAddress = .loopback
}

/// The address to which a client sends.
struct TowardsOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Send to this host (default: loopback).", valueName: "host"),
    transform: Parsers.host)
  var to: HostPort?

  /// The address of `--to`, at `port` unless it names one, or loopback; and the policy that allows sending there.
  func resolve(port: UInt16) throws -> (Endpoint, DestinationPolicy) {
    guard let to else { return (Endpoint(.loopback, port: port), DestinationPolicy(.loopback)) }
    return (try to.resolve(defaultPort: port)[0], DestinationPolicy(.anyHost))
  }
}
