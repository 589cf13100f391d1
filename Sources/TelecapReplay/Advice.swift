import TelecapText

/// Advice that several errors share.
public enum Advice {
  /// The command that lists the messages of a recording, for a command that found none.
  public static func dissect(_ path: String) -> String {
    "list its messages with telecap dissect \(Escaping.shellPath(path)) --summary"
  }
}
