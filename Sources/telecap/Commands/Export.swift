import ArgumentParser
import TelecapFiles
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapText

/// `telecap export`: a capture's packets in the format of another program, or its messages as a table.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Export packets as pcapng or pcap, messages as CSV or JSON Lines, or input events for evemu.",
    usage: "telecap export [<options>] <input>",
    discussion: """
      Examples:
        telecap export session.telecap -o session.pcapng
        telecap export session.telecap -o poses.csv --where "type = 'POSE'" \\
            --columns seconds,seq,x,y,z
        telecap export session.telecap --format jsonl | jq .type

      A pcapng file states how the capture was made, and contains the findings as
      comments of the packets.
      """)

  @Argument(help: ArgumentHelp(Help.recording), completion: .recordings)
  var input: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The output file; - is standard output.", valueName: "file"))
  var output = "-"

  @Option(
    name: .long,
    help: "The format: pcapng, pcap, csv, jsonl or evemu (default: by the output's extension; csv on standard output).")
  var format: ExportFormat?

  @Option(
    name: .long,
    help: ArgumentHelp("Only messages that this SQL condition selects, and their packets.", valueName: "sql"))
  var `where`: String?

  @Option(
    name: .long, help: ArgumentHelp("The columns of CSV and JSON Lines, such as seconds,seq,x.", valueName: "names"))
  var columns: String?

  @OptionGroup var range: RangeOptions

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  /// The format by the extension of the output's name.
  private var named: ExportFormat? { ExportFormat.allCases.first { output.hasEnding(".\($0.rawValue)") } }
  private var chosenFormat: ExportFormat { format ?? named ?? .csv }

  func validate() throws {
    try OutputOptions.check(output)
    try Given.refuseSame([("the recording", input)], to: [("--output", output)])
    if format == nil, named == nil, !StandardOutput.isNamed(output) {
      throw ValidationError(
        "\(output): unknown extension; give --format pcapng, pcap, csv, jsonl or evemu")
    }
    if columns != nil, !chosenFormat.isRows { throw ValidationError("--columns requires csv and jsonl") }
  }

  func run() throws {
    let recording = try ports.recording(input, attributes, range)
    let (_, damage) = try recording.withCapture { reader in
      // An empty range is no error, and a note about it was printed.
      let isEmpty = reader.filter?.count == 0
      if !isEmpty, let `where`, try !reader.choosesAny(where: `where`) { throw ReplayProblem.choosesNothing(`where`) }
      try export(reader)
      try recording.notes(on: reader).forEach(Console.say)
    }
    if let damage { throw damage }
  }

  private func export(_ reader: CaptureReader) throws {
    switch chosenFormat {
    case .pcapng: try packets(of: reader).writePcapng(to: output, force: force, tool: Telecap.tool)
    case .pcap: try packets(of: reader).writePcap(to: output, force: force).map { Console.say($0) }
    case .csv: try rows(of: reader).writeCSV(to: output, force: force)
    case .evemu:
      let frames = try EvemuExport(reader, where: `where`).write(to: output, force: force)
      if frames == 0 { Console.say("\(input): no mouse moved in it: \(output) has no event") }
    case .jsonl: try rows(of: reader).writeJSON(to: output, force: force)
    }
  }

  private func packets(of reader: CaptureReader) throws -> PacketExport {
    PacketExport(reader, try `where`.map { try reader.select(where: $0) }, named: input)
  }

  private func rows(of reader: CaptureReader) throws -> RowExport {
    RowExport(reader, where: `where`, columns: try columnNames(reader.columns))
  }

  private func columnNames(_ known: [String]) throws -> [String] {
    guard let columns else { return known }
    let names = columns.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
    for name in names where !known.contains(name) {
      throw ValidationError("--columns: there is no \(name); there are \(known.joined(separator: ", "))")
    }
    return names
  }
}

/// An export format.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case pcapng, pcap, csv, jsonl, evemu

  /// Whether the format has a row a message.
  var isRows: Bool { self == .csv || self == .jsonl }
}
