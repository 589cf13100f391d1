import TelecapText

/// Advice that several errors give.
public enum Advice {
  /// How to see the messages of a recording, for a command that found none to work with.
  public static func dissect(_ path: String) -> String {
    "list its messages with telecap dissect \(Escaping.shellPath(path)) --summary"
  }
}
