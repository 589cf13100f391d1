import TelecapRecording
import TelecapStore
import TelecapWire

/// Numbers the conversations of session requests and answers: both directions of one have the same number. It is looked
/// up by the endpoints of a message's flow. Only the last few flows are cached, because a capture may contain any
/// number of them.
struct Conversations {
  private let reader: CaptureReader
  /// The cache, indexed by the last bits of the flow's number.
  private var kept = Array(repeating: (flow: -1, number: 0), count: 1_024)

  init(_ reader: CaptureReader) { self.reader = reader }

  /// The number of a message's conversation; 0 for other messages than requests and answers.
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
