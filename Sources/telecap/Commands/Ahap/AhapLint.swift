import ArgumentParser
import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapWire
import TelecapText

/// `telecap ahap lint`: all that is to be said about AHAP files.
struct AhapLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check AHAP files: what is wrong, what a player changes, and advice, each with its line and column.",
    discussion: """
      Examples:
        telecap ahap lint explosion.ahap
        telecap ahap lint --at-least warning patterns/*.ahap
        telecap ahap lint explosion.ahap --format json

      An error is what no player takes; a warning is what a player changes or passes
      over; a note is worth knowing. The exit status is 1 when there is an error.
      """)

  @Argument(help: ArgumentHelp("AHAP files.", valueName: "file"))
  var files: [String]

  @Option(name: .long, help: "Print only what is as bad as this: error, warning or note.")
  var atLeast: Severity = .note

  @OptionGroup var format: FormatOption

  func run() throws {
    var output = Output()
    var json = JSONWriter()
    var counts: [Severity: Int] = [:]
    var failure: Failure?
    for file in files {
      do {
        for finding in AHAPReading(try TextFile.bytes(file)).findings {
          counts[finding.severity, default: 0] += 1
          if finding.severity < atLeast { continue }
          try print(finding, file, &output, &json)
        }
      } catch let unreadable as Failure {
        Console.say("telecap: \(unreadable)")
        failure = unreadable
      }
    }
    try output.flush()
    let words = [Severity.error, .warning, .note].map { severity in
      let count = counts[severity] ?? 0
      return "\(count) \(severity.name)\(count == 1 ? "" : "s")"
    }
    Console.say("\(files.count) file\(files.count == 1 ? "" : "s"): \(words.joined(separator: ", "))")
    if let failure { throw ExitCode(failure.status.rawValue) }
    if counts[.error] != nil { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func print(
    _ finding: AHAPFinding, _ file: String, _ output: inout Output, _ json: inout JSONWriter
  ) throws {
    switch format.format {
    case .text:
      let style = Console.style(for: 1)
      let severity = style.severity(finding.severity, finding.severity.name)
      try output.line(
        "\(file):\(finding.position): \(severity): \(finding.message) "
          + style.dim("[\(finding.rule.rawValue)] \(finding.path)"))
    case .json:
      json.beginObject()
      json.put("file", file)
      json.put("line", finding.position.line)
      json.put("column", finding.position.column)
      json.put("severity", finding.severity.name)
      json.put("rule", finding.rule.rawValue)
      json.put("path", finding.path)
      json.put("message", finding.message)
      json.put("source", finding.rule.source)
      json.endObject()
      json.endLine()
      try output.take(&json)
    }
  }
}
