import TelecapText

/// The output of a command in either form: lines for people, or JSON.
public protocol PrintedResult: Sendable {
  /// As a person reads it.
  var lines: [String] { get }
  /// As JSON, with the end of its last line.
  func write(to json: inout JSONWriter)
}
