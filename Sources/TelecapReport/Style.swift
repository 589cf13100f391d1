import TelecapRecording
import TelecapWire

/// Colour for a terminal, or none for everything else.
public struct Style: Sendable {
  /// Whether escape sequences are written (ECMA-48, SGR).
  public let isColoured: Bool

  /// No escape sequences.
  public static let plain = Style(isColoured: false)

  /// Colour or none.
  public init(isColoured: Bool) { self.isColoured = isColoured }

  /// Text in bold.
  public func bold(_ text: String) -> String { wrap(text, "1") }
  /// Something in the background.
  public func dim(_ text: String) -> String { wrap(text, "2") }
  /// It went well.
  public func good(_ text: String) -> String { wrap(text, "32") }
  /// It went wrong.
  public func bad(_ text: String) -> String { wrap(text, "31") }

  /// Red for errors, yellow for warnings, blue for notes.
  public func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .error: wrap(text, "31")
    case .warning: wrap(text, "33")
    case .note: wrap(text, "36")
    }
  }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
