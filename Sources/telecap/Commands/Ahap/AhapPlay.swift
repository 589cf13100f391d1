import ArgumentParser
import TelecapHapticTools
import TelecapHaptics
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapTransport

/// `telecap ahap play`: sends a pattern as HAPTIC messages through an impaired network.
struct AhapPlay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Send a pattern to a phone as HAPTIC messages, through an impaired network.",
    discussion: """
      Examples:
        telecap ahap play explosion.ahap --to simulate:phone
        telecap ahap play explosion.ahap --to model:phone --loss 20% --seed 7
        telecap ahap play explosion.ahap --to 192.0.2.7:40000 --rate-hz 50

      HAPTIC carries intensity only; sharpness is lost. A phone plays nothing before
      its first ACK, so an ACK is sent first and then once a second (--no-acks leaves
      them out). Impairments apply to HAPTIC only, unless --where selects other
      messages. --to simulate:phone and model:phone end with verdicts. Ctrl-C turns
      the motor off (HAPTIC 0), unless --no-neutral is given.
      """)

  @Argument(help: ArgumentHelp("An AHAP file.", valueName: "file"))
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp("The receiver: HOST:PORT of a phone, simulate:phone or model:phone.", valueName: "target"),
    transform: Parsers.replayTarget)
  var to: ReplayTarget

  @Option(name: .customLong("rate-hz"), help: ArgumentHelp("HAPTIC messages per second.", valueName: "hz"))
  var rateHz = 20.0

  @Flag(name: .long, inversion: .prefixedNo, help: "Send ACK messages too.")
  var acks = true

  @OptionGroup(title: "Impairments") var network: NetworkOptions
  @OptionGroup(title: "Impairments") var messages: ImpairedMessagesOption
  @OptionGroup var sending: SendingOptions
  @OptionGroup var format: StyledFormatOption
  @OptionGroup var amount: VerbosityOption
  @OptionGroup var ports: PortNumbers

  func validate() throws {
    guard rateHz.isFinite, rateHz >= 1, rateHz <= 1_000 else { throw ValidationError("--rate-hz is 1 to 1000") }
    if case .address(let named) = to, named.port == nil {
      throw ValidationError("--to \(named): a phone has no standard port; give HOST:PORT")
    }
    if to.isSystem { throw ValidationError("--to is HOST:PORT of a phone, simulate:phone or model:phone") }
    try ImpairmentChoice(network, messages).check()
    try sending.check(to, format)
    try Given.refuseSame([("the pattern", file)], to: [("--record", sending.record)])
    if to.receiver != nil { try ports.refuse(words: "requires an address: our own phone receives on any port") }
    try ports.refuse(but: "tele-udp", words: "has no effect: a host plays over --tele-udp")
  }

  func run() async throws {
    let ports = try ports.ports
    let recording = HapticRecording(try PatternFile.playable(file), rate: rateHz, acknowledges: acks, ports: ports)
    var impairments = ImpairmentChoice(network, messages)
    // A phone that misses its ACK plays nothing at all, so impair only HAPTIC messages by default.
    impairments.where = impairments.where ?? "type = 'HAPTIC'"
    let source = ReplaySource(try recording.packets(), name: file, as: .host, ports: ports, in: Loaded.files)
    let sending = Sending(
      source: source, to: to, options: sending, format: format, amount: amount, impairments: impairments)
    try await sending.run()
  }
}
