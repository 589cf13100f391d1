import TelecapRecording
import TelecapText

/// A finding in an AHAP file.
public struct AHAPFinding: Hashable, Sendable {
  /// The rule.
  public var rule: AHAPRule
  /// The JSONPath (RFC 9535) of the value: `$.Pattern[3].Event.Time`.
  public var path: String
  /// The position of the value in the text.
  public var position: TextPosition
  /// The message.
  public var message: String

  /// A finding.
  public init(_ rule: AHAPRule, _ path: String, _ position: TextPosition, _ message: String) {
    self.rule = rule
    self.path = path
    self.position = position
    self.message = message
  }

  /// The severity of its rule.
  public var severity: Severity { rule.severity }
}

extension AHAPFinding: CustomStringConvertible {
  /// `3:14: error: …`.
  public var description: String { "\(position): \(severity.name): \(message) [\(rule.rawValue)] \(path)" }
}
