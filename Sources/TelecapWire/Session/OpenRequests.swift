import TelecapRecording

/// The messages of a pair that asked for a session and wait for their answers. Several may be on their way at once: HELLO, HELLO,
/// ACK, ACK. An answer names none of them, so it counts for the newest; whatever is older than `patience` then had none.
struct OpenRequests: Sendable {
  /// A message that asked for a session.
  struct Request: Sendable {
    var datagram: Datagram
    /// The rule that an unanswered request breaks; nil without one.
    var rule: Rule?
    /// Its length in bytes.
    var size: Int

    fileprivate func isOverdue(at time: Timestamp) -> Bool {
      time.nanoseconds(since: datagram.time) >= OpenRequests.patience
    }
  }

  /// So long an answer may take, in ns.
  private static let patience: Nanoseconds = 1_000_000_000
  /// No more are kept: of a flood of them the oldest is given up early.
  private static let most = 16

  /// The newest. Mostly there is no other, so it is stored inline.
  private var newest: Request?
  /// Those before it, the oldest first.
  private var older: [Request] = []

  /// Adds a request. Requests that have waited too long are passed to `body` and removed.
  mutating func ask(_ request: Request, givingUp body: (Request) -> Void) {
    giveUp(at: request.datagram.time, body)
    if older.count >= OpenRequests.most - 1 { body(older.removeFirst()) }
    if let newest { older.append(newest) }
    newest = request
  }

  /// The newest is answered.
  mutating func answer() { newest = older.popLast() }

  /// Hands those to `body` that have waited for too long, the oldest first; they wait no more.
  mutating func giveUp(at time: Timestamp, _ body: (Request) -> Void) {
    while let first = older.first, first.isOverdue(at: time) { body(older.removeFirst()) }
    guard let last = newest, older.isEmpty, last.isOverdue(at: time) else { return }
    body(last)
    newest = nil
  }

  /// Nothing waits any more.
  mutating func removeAll() { (newest, older) = (nil, []) }
}
