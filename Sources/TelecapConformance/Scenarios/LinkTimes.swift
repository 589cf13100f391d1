import TelecapRecording

/// The times at which the link between the system and a client's other side is up: from the start, except from a step
/// that closes it to the next one that opens it or sends over it.
struct LinkTimes {
  private let up: [Range<Nanoseconds>]

  /// The times for these steps, up to the end of the run, in ns.
  init(_ steps: [Step], until end: Nanoseconds) {
    var up: [Range<Nanoseconds>] = []
    var since: Nanoseconds? = 0
    for step in steps.sorted(by: { $0.time < $1.time }) {
      switch step.work {
      case .close, .reset:
        if let begin = since, begin < step.time.nanoseconds { up.append(begin..<step.time.nanoseconds) }
        since = nil
      case .open, .send, .mutate: since = since ?? step.time.nanoseconds
      case .endSession, .ask: continue
      }
    }
    if let since, since < end { up.append(since..<end) }
    self.up = up
  }

  /// The parts of these spans in which the link is up, in order.
  func within(_ spans: [Range<Nanoseconds>]) -> [Range<Nanoseconds>] {
    spans.flatMap { span in up.map { $0.clamped(to: span) } }.filter { !$0.isEmpty }
  }
}
