import TelecapRecording
import TelecapText

/// Something to be said about an AHAP file.
public struct AHAPFinding: Hashable, Sendable {
  /// What was found.
  public var rule: AHAPRule
  /// Which value it is about, as a JSONPath (RFC 9535): `$.Pattern[3].Event.Time`.
  public var path: String
  /// Where that stands in the text.
  public var position: TextPosition
  /// What it is, in words.
  public var message: String

  /// A finding.
  public init(_ rule: AHAPRule, _ path: String, _ position: TextPosition, _ message: String) {
    self.rule = rule
    self.path = path
    self.position = position
    self.message = message
  }

  /// How bad it is.
  public var severity: Severity { rule.severity }
}

extension AHAPFinding: CustomStringConvertible {
  /// `3:14: error: …`.
  public var description: String { "\(position): \(severity.name): \(message) [\(rule.rawValue)] \(path)" }
}
