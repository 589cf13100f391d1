import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText

/// The findings in patterns, and their number by severity, as text and as JSON.
public struct PatternText: Sendable {
  private let style: Style
  private var counts: [Severity: Int] = [:]

  /// Text with this style, without counts.
  public init(style: Style) { self.style = style }

  /// Whether an error was counted.
  public var hasErrors: Bool { counts[.error] != nil }

  /// Counts a finding.
  public mutating func count(_ finding: AHAPFinding) { counts[finding.severity, default: 0] += 1 }

  /// The line of a finding in this file.
  public func line(_ finding: AHAPFinding, in file: String) -> String {
    "\(file.printable):\(finding.position): \(style.severity(finding.severity, finding.severity.name)): \(finding.message.printable) "
      + style.dim("[\(finding.rule.rawValue)] \(finding.path.printable)")
  }

  /// Writes the finding as a line of JSON.
  public func write(_ finding: AHAPFinding, in file: String, to json: inout JSONWriter) {
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
  }

  /// The sum: `2 files: 1 error, 0 warnings, 3 notes`.
  public func sum(files: Int) -> String {
    let words = [Severity.error, .warning, .note].map { severity in
      let count = counts[severity] ?? 0
      return "\(count) \(severity.name)\(count == 1 ? "" : "s")"
    }
    return "\(files) file\(files == 1 ? "" : "s"): \(words.joined(separator: ", "))"
  }
}
