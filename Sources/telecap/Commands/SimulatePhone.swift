import ArgumentParser
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapTransport

/// `telecap simulate phone`.
struct SimulatePhone: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "A phone: sends HELLO at 1 Hz and POSE at 60 Hz along a path; prints what its motor would play.",
    usage: "telecap simulate phone <options>",
    discussion: "Example: telecap simulate phone --code ABC123 --path line --period 2s --duration 10s")

  @Option(name: .long, help: ArgumentHelp("The pairing code of the host.", valueName: "code"))
  var code = "ABC123"
  @Option(name: .long, help: ArgumentHelp("The first session_id (default: random).", valueName: "number"))
  var sessionId: UInt32?
  @Option(name: .long, help: "The path: circle, line or rest.")
  var path: PosePath.Name = .circle
  @Option(
    name: .long, help: ArgumentHelp("The period of the path.", valueName: "time"), transform: Parsers.interval)
  var period: Interval = .seconds(4)
  @Option(name: .long, help: ArgumentHelp("Radius or length of the path.", valueName: "metres"))
  var size: Float = 0.1
  @Option(name: .long, help: ArgumentHelp("POSE messages per second, 1 to 60.", valueName: "hertz"))
  var rateHz = 60
  @Flag(name: .long, help: "Press record (CMD) when a session opens, and again before it ends.")
  var pressRecord = false
  @Flag(name: .long, help: "Play single impacts instead of a continuous output.")
  var impacts = false
  @Option(name: .long, help: "The transport: udp or tcp (default: udp; with --search, the one that the host offers).")
  var transport: TransportName?
  @Option(
    name: .long,
    help: ArgumentHelp("Find the host by its beacons or by mDNS within this time, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var search: Interval?
  @OptionGroup var towards: TowardsOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var simulation: SimulationOptions

  func validate() throws {
    try PairingCodeText.check(code)
    guard (1...60).contains(rateHz) else { throw ValidationError("--rate-hz: \(rateHz) is not from 1 to 60") }
    guard size.isFinite else { throw ValidationError("--size: \(size) is not finite") }
    try Given.refuse(
      ("period size", path == .rest, "requires --path circle or line"),
      ("search", towards.to != nil, "cannot be combined with --to, which names the host"))
    if let to = towards.to, to.port != nil { try ports.refuse(words: "has no effect: --to \(to) names the port") }
    let port = search == nil ? (transport ?? .udp).port : "tele-beacon"
    let why = search == nil ? "the phone sends to --\(port)" : "the host that is found has its own port"
    try ports.refuse(but: port, words: "has no effect: \(why)")
  }

  func run() async throws {
    let (transport, host, policy) = try await destination()
    var settings = PhoneModel.Settings(
      host: host, code: code, sessionID: sessionId ?? .random(in: .min ... .max),
      path: path.shape(size: size, period: period.nanoseconds), poseRate: rateHz,
      dialect: transport == .udp ? .teleUDP : .teleTCP)
    settings.recordsSessions = pressRecord
    settings.playsImpacts = impacts
    let phone = try PhoneModel(settings)
    let sockets =
      transport == .udp
      ? PeerSockets(udp: PeerSockets.ephemeral(towards: host), destinations: [host], policy: policy)
      : PeerSockets(connect: host, policy: policy)
    try await simulation.run(phone, sockets, needsSession: true)
  }

  /// The host's address, the transport to it, and whether sending there is allowed.
  private func destination() async throws -> (TransportName, Endpoint, DestinationPolicy) {
    guard let search else {
      let transport = transport ?? .udp
      let (host, policy) = try towards.resolve(port: transport == .udp ? ports.ports.teleUDP : ports.ports.teleTCP)
      return (transport, host, policy)
    }
    let hosts = Search(try ports.ports) { Console.say($0) }
    let carrier = transport.map { $0 == .tcp ? Carrier.tcp : .udp }
    let found = try await hosts.first(for: search.nanoseconds, stop: .signals, over: carrier)
    guard let found else { throw Failure(.unavailable, "no host advertised itself", advice: hosts.advice) }
    found.lines.forEach { Console.say("found \($0)") }
    return (found.carrier == .tcp ? .tcp : .udp, try found.place.resolve()[0], DestinationPolicy(.anyHost))
  }
}

extension PosePath.Name: ExpressibleByArgument {}
