import CSockets

/// The right to capture from interfaces that the program's file may have (`setcap cap_net_raw=ep`).
///
/// Everything that a command reads, from files or from the network, is read without it but by the one command that captures.
public enum CaptureRights {
  /// Whether a command line, without the program's name, may capture: only `record` from an interface does.
  public static func areNeeded(by words: [String]) -> Bool {
    words.first == "record" && !words.contains { $0 == "--relay" || $0.hasPrefix("--relay=") }
  }

  /// Gives the right up. Called where the program begins, before it has other threads, which would keep theirs.
  public static func drop() {
    // Where it cannot be given up the command is no worse than it was started.
    _ = telecap_capture_rights_drop()
  }
}
