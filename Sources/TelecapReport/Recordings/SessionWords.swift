import TelecapRecording
import TelecapText
import TelecapWire

/// How a session ended, in words.
enum SessionWords {
  /// - Parameter stillOpen: what is said of one that goes on where the recording ends.
  static func ending(of entry: SessionSummary, _ owner: WireProtocol?, stillOpen: String) -> String {
    let refused = entry.refusal.map { "refused (\($0.word.printable))" }
    switch entry.session.end {
    // Whom the host refuses has no session any more, whatever else goes on coming.
    case .open: return refused ?? stillOpen
    case .bye: return "ended by \(owner?.session?.closing?.message.printable ?? "a message")"
    case .timeout: return refused.map { "\($0), then silent" } ?? "ended by silence"
    case .replaced: return "replaced by another"
    }
  }
}

extension SessionSummary {
  /// The kind of its end, as pictures distinguish it: `open`, `timeout`, `refused` …
  var endKind: String {
    refusal != nil && [.open, .timeout].contains(session.end) ? "refused" : session.end.rawValue
  }
}

extension CaptureSummary {
  /// When its last packet came.
  var end: Timestamp { span?.upperBound ?? info.started }
}
