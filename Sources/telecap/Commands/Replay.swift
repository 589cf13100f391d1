import ArgumentParser
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapTele
import TelecapWire

/// `telecap replay`: sends a recording again through an impaired network.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay a recording through an impaired network, and test the receiver if telecap can observe it.",
    discussion: """
      Examples:
        telecap replay session.telecap --role phone --loss 5% --seed 7
        telecap replay session.pcapng --role host --delay 20ms --jitter 10ms \\
            --to 192.0.2.7:50000

      Receivers that telecap tests:
        telecap replay session.pcapng --to simulate:host --loss 30%
        telecap replay session.pcapng --to model:host --reorder 5%,3
        telecap replay session.pcapng --plan worse.plan --record sent.pcapng
        telecap replay session.pcapng --to my-host.yaml --jitter 30ms --seed 3

      Packets go to this machine unless --to names another; broadcast and multicast
      addresses are refused. Impairments apply to datagrams. TCP streams are opened
      anew, and every byte is sent in order at its recorded time. Payloads are sent
      as recorded, malformed ones too, unless --code, --session-id or --restamp
      changes them.

      --to simulate:host (phone, mouse-host) starts one of telecap's own peers and
      replays to it over real sockets; --to model:host does the same in virtual
      time. --to FILE.yaml starts the program that a system file describes, with the
      recording's code or --code. --to 'udp://HOST:PORT?role=host&code=ABC123' tests
      a running program, from its traffic only. All of these end with verdicts; if
      one fails, the exit status is 1.

      A replay that ends early (Ctrl-C, SIGTERM, SIGHUP, an error) sends neutral
      values last and closes sessions: HAPTIC 0, buttons 0, BYE, or what a protocol
      file declares. --no-neutral leaves the receiver as it is. A second Ctrl-C ends
      it at once.
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup var range: RangeOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The receiver: HOST, HOST:PORT, simulate:ROLE, model:ROLE, FILE.yaml or udp://HOST:PORT?role=host.",
      valueName: "target"), completion: .targets, transform: Parsers.replayTarget)
  var to: ReplayTarget = .recorded

  @Option(
    name: .long,
    help: ArgumentHelp("Apply this plan: the output of telecap plan, edited or not.", valueName: "file"))
  var plan: String?

  @Option(
    name: .long, help: ArgumentHelp("Put this pairing code into every HELLO: six of A-Z and 0-9.", valueName: "code"))
  var code: String?

  @Option(name: .long, help: ArgumentHelp("Put this session_id into every HELLO and BYE.", valueName: "n"))
  var sessionId: UInt32?

  @Flag(name: .long, help: "Renumber the poses from 0, and count their timestamps from the start of this run.")
  var restamp = false

  @Option(
    name: .long,
    help: ArgumentHelp("The port for TCP streams, if --to names the port for datagrams.", valueName: "port"))
  var tcpPort: UInt16?

  @OptionGroup(title: "Impairments") var network: NetworkOptions
  @OptionGroup(title: "Impairments") var messages: ImpairedMessagesOption

  @OptionGroup var sending: SendingOptions
  @OptionGroup var format: StyledFormatOption
  @OptionGroup var amount: VerbosityOption

  @OptionGroup(title: "Reports on a system under test") var reports: ReportOptions
  @OptionGroup(title: "Reports on a system under test") var shrinking: ShrinkOptions

  func validate() throws {
    if let code { try PairingCodeText.check(code) }
    try impairments.check()
    try sending.check(to, format)
    try Given.refuseSame(
      [("the recording", source.input), ("--plan", plan), ("--to", to.file)],
      to: [("--record", sending.record)] + reports.named)
    let planned = "speed max-gap seed \(NetworkOptions.names)"
    try Given.refuse(
      (planned, plan != nil, ImpairmentChoice.planned),
      ("plan", plan == "-", "is read twice, which standard input does not allow: write it to a file first"),
      (
        "fail-if-late verbose", source.speed == .max,
        "cannot be combined with --speed max, where everything is due at once"
      ),
      ("tcp-port", to.receiver != nil, "requires an address: our own peers choose their ports"),
      (
        "tcp-port", to.isSystem,
        "requires an address: the system file has the port for streams, or udp://HOST:PORT?tcp=PORT"
      ),
      (
        "\(ReportOptions.names) \(ShrinkOptions.names)", !to.isSystem,
        "is about a system under test: give --to FILE.yaml or udp://HOST:PORT?role=host"
      ))
    if let sender { try check(sender) }
  }

  private var impairments: ImpairmentChoice { ImpairmentChoice(network, messages) }

  /// The side whose packets are sent; nil if only the recording knows it, which may have its own protocol.
  private var sender: Role? {
    let roles = Role.all(of: Loaded.protocols)
    if let name = source.role { return roles.first { $0.name == name } }
    return to.receiver.flatMap { name in roles.first { $0.name == name } }?.receiver
  }

  /// Rejects options that have no effect on the packets of `sender`.
  private func check(_ sender: Role) throws {
    try Given.refuse(
      (
        "code", sender != .phone && !(to.isSystem && sender == .host),
        "requires packets of a phone: a \(sender) sends no HELLO"
      ),
      ("session-id", sender != .phone, "requires packets of a phone: a \(sender) sends no HELLO"),
      ("restamp", sender != .phone, "requires packets of a phone: a \(sender) sends no poses"),
      ("tcp-port", sender.side == .host, "requires packets of a client: a \(sender) opens no streams"),
      (
        "tcp-port", !sender.owner.ports.contains { $0.carrier == .tcp },
        "requires a protocol over TCP: a \(sender) sends datagrams only; their port is in --to HOST:PORT"
      ))
  }

  func run() async throws {
    let recorded = try source.source(range, ports, attributes)
    try check(recorded.role)
    let rewriting = Rewriting(code: code.map { Array($0.utf8) }, sessionID: sessionId, restamps: restamp)
    let sending = Sending(
      source: recorded, to: to, options: sending, format: format, amount: amount, impairments: impairments,
      tcpPort: tcpPort, timeline: source.timeline, plan: plan, rewriting: rewriting, reports: reports,
      shrinkRuns: shrinking.runs)
    try await sending.run()
  }
}
