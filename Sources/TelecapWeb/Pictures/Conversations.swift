import TelecapRecording
import TelecapStore
import TelecapWire

/// The conversations of messages by which sessions are asked for: both ways of one have the same number. It is looked up by the
/// ends of a message's flow, of which the last few are kept: a capture may hold any number of them.
struct Conversations {
  private let reader: CaptureReader
  /// By the last digits of the flow's number.
  private var kept = Array(repeating: (flow: -1, number: 0), count: 1_024)

  init(_ reader: CaptureReader) { self.reader = reader }

  /// The number of a message's conversation; 0 where nobody asks for a session or answers.
  mutating func number(of message: StoredMessage) throws -> Int {
    guard message.kind.asks || message.kind.answers else { return 0 }
    let place = message.flow & (kept.count - 1)
    if kept[place].flow != message.flow { kept[place] = (message.flow, try number(ofFlow: message.flow)) }
    return kept[place].number
  }

  private func number(ofFlow flow: Int) throws -> Int {
    guard let flow = try reader.flow(flow) else { return 0 }
    var hasher = Hasher()
    hasher.combine(min(flow.source, flow.destination))
    hasher.combine(max(flow.source, flow.destination))
    return hasher.finalize()
  }
}
