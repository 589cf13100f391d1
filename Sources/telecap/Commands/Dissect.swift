import ArgumentParser
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapText
import TelecapWire

/// `telecap dissect`: decodes and validates every byte.
struct Dissect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decode and validate every message of a capture, of another program's file, or of hexadecimal digits.",
    usage: "telecap dissect [<options>] <input>\ntelecap dissect [<options>] --hex <digits>",
    discussion: """
      Examples:
        telecap dissect session.telecap
        telecap dissect session.pcapng --summary
        telecap dissect session.pcapng --from 12.5 --until 20
        telecap dissect session.telecap --where "type = 'POSE' AND seq > 100" \\
            --format json
        telecap dissect --hex 54454c4507010000003f0000

      With --from and --until, earlier packets still open sessions and count sequence
      numbers, but are not shown. With --fail-on the exit status is 1 if a finding is at least that severe.
      """)

  @Argument(help: ArgumentHelp(Help.recordingOrStandardInput), completion: .recordings)
  var input: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The bytes of one message, or of a datagram, in hexadecimal, instead of a file.", valueName: "digits"))
  var hex: String?

  @Flag(name: .long, help: "Print only counts: messages by type, findings by rule.")
  var summary = false

  @Option(
    name: .long, help: ArgumentHelp("Only packets with a message that this SQL condition selects.", valueName: "sql"))
  var `where`: String?

  @Option(name: .long, help: "Exit with status 1 if a finding is at least this severe: error, warning or note.")
  var failOn: Severity?

  @OptionGroup var range: RangeOptions

  @OptionGroup var format: StyledFormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    guard (input == nil) != (hex == nil) else {
      // --hex 44 53 without quotes: the shell makes several words of the digits.
      let isDigits = hex != nil && input.map { $0.count.isMultiple(of: 2) && $0.allSatisfy(\.isHexDigit) } == true
      throw ValidationError(
        isDigits
          ? "--hex takes one word: write digits with spaces in quotes, --hex '\(hex ?? "") \(input ?? "") …'"
          : "give a file, or --hex and digits, and not both")
    }
    if hex != nil, ports.protocol.count > 1 {
      throw ValidationError("--hex is decoded as one protocol: give --protocol once")
    }
    try Given.refuse(("where from until", hex != nil, "requires a file"))
    try Given.refuse(("gatt", hex != nil, "requires a file: digits have no handle"))
    if hex != nil { try ports.refuse(words: "requires a file: digits came to no port") }
  }

  func run() throws {
    let recording = try input.map { try ports.recording($0, attributes, range) }
    var output = Output()
    var report = DissectionReport(
      isJSON: format.format == .json, isSummary: summary, style: format.style(for: 1),
      recording?.protocols ?? Loaded.protocols
    ) { bytes in try output.write(bytes) }
    let chosen = try `where`.flatMap { try recording?.packets(where: $0) }
    report.filter = range.window.map(WindowFilter.init)
    if let chosen { report.selection = { chosen.contains($0) } }
    let damage = try recording?.dissect(to: &report)
    if let hex { try dissect(hex: hex, &report) }
    try report.finish()
    try output.flush()
    report.summary.notes.forEach(Console.say)
    if let filter = report.filter { Console.say("\(input ?? ""): \(filter.note)") }
    if let damage { throw damage }
    try ReplayProblem.refuseEmpty(chosen, `where`, isError: failOn != nil, Console.say)
    if let failOn, report.summary.count(atLeast: failOn) > 0 { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func dissect(hex: String, _ report: inout DissectionReport) throws {
    let digits = hex.utf8.dropFirst(ByteOrderMark.count(in: hex.utf8))
    guard let bytes = Hex.bytes(String(Substring(digits))) else {
      throw Failure(.usage, "--hex: not pairs of hexadecimal digits", advice: "such as 54454c4507010000003f0000")
    }
    let dialect = BareBytes.dialect(bytes, of: ports.protocol.isEmpty ? nil : Loaded.named.last)
    try dialect.eachMessage(of: bytes.span.bytes) { part in
      let (message, findings) = DissectedMessage.bare(part, as: dialect)
      try report.message(message, part, findings)
    }
  }
}

extension Severity: ExpressibleByArgument {
  /// `error`, `warning` or `note`.
  public init?(argument: String) {
    guard let severity = Severity.allCases.first(where: { $0.name == argument }) else { return nil }
    self = severity
  }

  /// The values that `--help` and a usage error list.
  public static var allValueStrings: [String] { allCases.map(\.name) }
}
