import ArgumentParser
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapTransport

/// `telecap simulate host`.
struct SimulateHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "A robot's PC: accepts one client at a time, applies poses, sends HAPTIC.",
    usage: "telecap simulate host <options>",
    discussion: "Example: telecap simulate host --code ABC123 --forces grip.csv --min 0 --max 50 --duration 10s")

  @Option(
    name: .long,
    help: ArgumentHelp("The pairing code that a HELLO must contain (default: any code).", valueName: "code"))
  var code: String?
  @Option(name: .long, help: "The waveform of the HAPTIC messages: ramp, sine, step, or off.")
  var waveform: Waveform.Name = .sine
  @Option(
    name: .long, help: ArgumentHelp("The period of the waveform.", valueName: "time"), transform: Parsers.interval)
  var period: Interval = .seconds(2)
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Send these forces instead of a waveform: CSV, one column at 20 Hz, or seconds,force.", valueName: "file"))
  var forces: String?
  @Option(name: .customLong("min"), help: ArgumentHelp("With --forces: the force of intensity 0.", valueName: "force"))
  var minimum = 0.0
  @Option(name: .customLong("max"), help: ArgumentHelp("With --forces: the force of intensity 1.", valueName: "force"))
  var maximum = 1.0
  @Option(name: .long, help: ArgumentHelp("HAPTIC messages per second.", valueName: "hz"))
  var rateHz = HostModel.standardRate
  @Option(name: .long, help: "The transport: udp or tcp.")
  var transport: TransportName = .udp
  @OptionGroup var listen: ListenOptions
  @OptionGroup var advertise: AdvertiseOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var simulation: SimulationOptions

  func validate() throws {
    if let code { try PairingCodeText.check(code) }
    guard HostModel.possibleRates.contains(rateHz) else { throw ValidationError("--rate-hz is 1 to 1000") }
    try Given.refuse(
      ("waveform period", forces != nil, "cannot be combined with --forces, which defines the messages"),
      ("min max", forces == nil, "requires --forces"),
      ("period rate-hz", forces == nil && waveform == .off, "requires a waveform; --waveform off sends nothing"))
    let beacons = advertise.name == nil || transport == .udp ? transport.port : "tele-beacon"
    try ports.refuse(but: transport.port, beacons, words: "has no effect: the host listens to --\(transport.port)")
  }

  func run() async throws {
    var settings = HostModel.Settings(code: code, waveform: try chosenWaveform())
    settings.hapticRate = rateHz
    let advertisement = advertise.advertisement(try ports.ports, code: code)
    switch transport {
    case .udp:
      let end = Endpoint(listen.bind, port: try ports.ports.teleUDP)
      try await simulation.run(HostModel(settings), PeerSockets(udp: end), advertisement)
    case .tcp:
      let end = Endpoint(listen.bind, port: try ports.ports.teleTCP)
      try await simulation.run(try HostStreamModel(settings), PeerSockets(listen: end), advertisement)
    }
  }

  private func chosenWaveform() throws -> Waveform? {
    guard let forces else { return waveform.shape(period: period.nanoseconds) }
    return .forces(try ForceSeries(file: forces, range: try ForceRange(minimum: minimum, maximum: maximum)))
  }
}

extension Waveform.Name: ExpressibleByArgument {}

/// `--transport`.
enum TransportName: String, ExpressibleByArgument, CaseIterable {
  case udp, tcp

  /// The id of TELE's port over this transport.
  var port: String { "tele-\(rawValue)" }
}

/// A pairing code on the command line.
enum PairingCodeText {
  static func check(_ code: String) throws {
    guard code.utf8.count == PairingCode.size, code.utf8.allSatisfy(PairingCode.isAllowed) else {
      throw ValidationError("--code: '\(code)' is not six of A–Z and 0–9")
    }
  }
}
