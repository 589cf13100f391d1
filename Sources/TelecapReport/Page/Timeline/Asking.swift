import TelecapRecording
import TelecapWire

/// The requests for a session in one conversation: their number, and the answers.
struct Asking: Sendable {
  /// The same, so often, from when to when.
  struct Times: Hashable, Sendable {
    var count = 1
    var first: Timestamp
    var last: Timestamp

    init(at time: Timestamp) { (first, last) = (time, time) }

    mutating func add(_ time: Timestamp) {
      count += 1
      last = time
    }
  }

  let owner: WireProtocol
  /// The requests since the last answer; nil if all are answered.
  private(set) var unanswered: Times?
  /// Whether anything was ever answered.
  private(set) var isAnswered = false
  /// By what the answers said that refused.
  private(set) var refusals: [String: Times] = [:]
  /// When a session was accepted last; nil where none was.
  private(set) var accepted: Timestamp?

  init(_ owner: WireProtocol) { self.owner = owner }

  mutating func ask(at time: Timestamp) {
    if unanswered == nil { unanswered = Times(at: time) } else { unanswered?.add(time) }
  }

  mutating func answer() { (unanswered, isAnswered) = (nil, true) }

  /// Adds the content of an answer.
  mutating func answer(_ kind: MessageKind, _ code: UInt64, at time: Timestamp) {
    if code == owner.asking?.accepts?.value { return accepted = time }
    let word = kind.answerWord(of: code)
    if refusals[word] == nil { refusals[word] = Times(at: time) } else { refusals[word]?.add(time) }
  }
}
