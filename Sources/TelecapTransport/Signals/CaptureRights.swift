import CSockets

/// The right to capture from interfaces that the program's file may have (`setcap cap_net_raw=ep`).
///
/// Only the commands that capture keep it; all other input, from files or the network, is read without it.
public enum CaptureRights {
  /// Whether a command line, without the program's name, may capture: `record` from an interface does, and `doctor` counts packets.
  public static func areNeeded(by words: [String]) -> Bool {
    words.first == "doctor"
      || words.first == "record" && !words.contains { $0 == "--relay" || $0.hasPrefix("--relay=") }
  }

  /// Drops the right. Called at the start of the program, before there are other threads, which would keep theirs.
  public static func drop() {
    // If this fails, the command is no worse off than at its start.
    _ = telecap_capture_rights_drop()
  }
}
