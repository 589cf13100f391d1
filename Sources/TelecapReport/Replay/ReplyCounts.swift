import TelecapRecording
import TelecapWire

/// Replies, counted by their messages, and answers to requests for a session by their status.
public struct ReplyCounts: Sendable {
  /// A message of the protocol, by its place there, and the status of an answer.
  private struct Reply: Hashable {
    let place: Int
    let status: UInt64?
  }

  /// A sender may send any number as a status: of more than these an answer counts by its message alone.
  private static let maxStatuses = 256

  private let owner: WireProtocol
  private var replies: [Reply: Int] = [:]
  private var findings: [Finding] = []
  private var framers: [Flow: MessageFramer] = [:]
  /// Everything that came back.
  public private(set) var total = 0

  /// Replies to what `role` sends: messages of its protocol.
  public init(to role: Role) {
    owner = role.owner
  }

  /// Counts the messages of a datagram, or those that end in a piece of a stream.
  public mutating func count(_ bytes: RawSpan, of flow: Flow) {
    guard let dialect = owner.dialect(over: flow.carrier) else { return }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect, over: flow.carrier)
    framer.receive(bytes) { event, frame in
      if event == .message { count(frame, dialect) }
    }
    framers[flow] = framer
  }

  private mutating func count(_ bytes: RawSpan, _ dialect: Dialect) {
    total += 1
    findings.removeAll(keepingCapacity: true)
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    let reply = Reply(place: kind.place, status: kind.answerCode(in: bytes))
    let isKnown = replies.count < ReplyCounts.maxStatuses || replies[reply] != nil
    replies[isKnown ? reply : Reply(place: kind.place, status: nil), default: 0] += 1
  }

  /// `ACK OK`, `ACK BUSY`, `HAPTIC` … with their counts, in the order of the protocol's messages.
  public var named: [(name: String, count: Int)] {
    let ordered = replies.sorted { ($0.key.place, $0.key.status ?? 0) < ($1.key.place, $1.key.status ?? 0) }
    return ordered.reduce(into: []) { all, reply in
      let name = name(of: reply.key)
      // A message may have a form for each transport.
      if let place = all.firstIndex(where: { $0.name == name }) {
        all[place].count += reply.value
      } else {
        all.append((name, reply.value))
      }
    }
  }

  private func name(of reply: Reply) -> String {
    let kind = owner.messages[reply.place]
    return reply.status.map { "\(kind.name) \(kind.answerWord(of: $0))" } ?? kind.name
  }
}
