import ArgumentParser
import TelecapFiles
import TelecapReport
import TelecapText
import TelecapWire

/// The output format of data.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// `--format`, the same for every command that prints data.
struct FormatOption: ParsableArguments {
  @Option(name: .long, help: FormatOption.help) var format: OutputFormat = .text

  fileprivate static let help: ArgumentHelp = "The output format: text, or json (one object per line for streams)."
}

/// `--color`, the same for every command that colours its output.
struct ColorOption: ParsableArguments {
  @Option(name: .long, help: ColorOption.help) var color: ColorChoice = .auto

  fileprivate static let help = ArgumentHelp(
    "Colour the output: auto (on a terminal, unless NO_COLOR is set; anywhere if CLICOLOR_FORCE is set), always or never.",
    valueName: "when")

  /// The style for output to this descriptor: 1 is stdout, 2 is stderr.
  func style(for descriptor: Int32) -> Style { Console.style(for: descriptor, color) }
}

extension ColorChoice: ExpressibleByArgument {}

/// `--format` and `--color`, for commands whose text is coloured.
struct StyledFormatOption: ParsableArguments {
  @Option(name: .long, help: FormatOption.help) var format: OutputFormat = .text
  @Option(name: .long, help: ColorOption.help) var color: ColorChoice = .auto

  func validate() throws {
    try Given.refuse(("color", format == .json, "requires --format text: JSON has no colours"))
  }

  /// The style for output to this descriptor: 1 is stdout, 2 is stderr.
  func style(for descriptor: Int32) -> Style { Console.style(for: descriptor, color) }
}

/// `--quiet` and `--verbose`, for commands that end with verdicts.
struct VerbosityOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only failures and the line of the verdict.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print every pass (conform), and the send timing error (replay).")
  var verbose = false

  /// The amount of output.
  var verbosity: Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }

  /// The names of the options, separated by spaces.
  static let names = "quiet verbose"

  func validate() throws {
    try Given.refuse(("quiet", verbose, "cannot be combined with --verbose"))
  }
}

/// The destination of a result that may be a file: `--output` and `--force`.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file; - is standard output.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  /// Rejects standard output for a capture or a pcapng file, and a name with the extension of another format.
  static func checkCapture(_ option: String, _ path: String?, isPcapng: Bool = false) throws {
    if let words = CaptureName.problem(path, isPcapng: isPcapng) { throw ValidationError("--\(option) \(words)") }
  }

  func validate() throws { try OutputOptions.check(output) }

  /// Rejects `--force` without a file.
  static func check(_ output: String) throws {
    try Given.refuse(
      ("force", StandardOutput.isNamed(output), "requires --output FILE: on standard output nothing is replaced"))
  }
}

extension OutputFormat {
  /// Prints a line on stdout and flushes it.
  static func print(line: String) throws { try OutputFormat.text.print([line]) { _ in } }

  func print(_ result: some PrintedResult) throws { try print(result.lines) { result.write(to: &$0) } }
  /// Prints a result on stdout: its lines, or the JSON that `write` writes.
  func print(_ lines: @autoclosure () -> [String], _ write: (inout JSONWriter) -> Void) throws {
    var output = Output()
    switch self {
    case .text: for line in lines() { try output.line(line) }
    case .json:
      var json = JSONWriter()
      write(&json)
      try output.take(&json)
    }
    try output.flush()
  }
}

extension StyledFormatOption {
  /// Prints the summary of a recording after its messages are derived.
  func print(_ summary: RecordSummary, of capture: String) throws {
    let findings = try Loaded.files.deriveOrCount(capture)
    findings.notes.forEach(Console.say)
    try format.print(summary.text(of: capture, findings, style: style(for: 1))) {
      summary.write(of: capture, to: &$0)
    }
  }
}
