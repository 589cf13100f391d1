import ArgumentParser
import TelecapFiles
import TelecapText

/// How data is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// `--format`, the same for every command that prints data.
struct FormatOption: ParsableArguments {
  @Option(name: .long, help: "How to print: text, or json (one object a line for streams).")
  var format: OutputFormat = .text
}

extension OutputFormat {
  /// Prints a result on stdout: its lines, or what it writes as JSON.
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
