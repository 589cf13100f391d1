import TelecapRecording
import TelecapTele
import TelecapWire

/// What came back, counted by type; ACKs by what they say.
public struct ReplyCounts: Sendable {
  private let owner: WireProtocol
  /// In the order in which they are told.
  private let known: [MessageKind]
  private var kinds: [Int]
  private var statuses = [Int](repeating: 0, count: 256)
  private var findings: [Finding] = []
  private var framers: [Flow: MessageFramer] = [:]
  /// Everything that came back.
  public private(set) var total = 0

  /// Replies to what `role` sends: messages of its protocol.
  public init(to role: Role) {
    owner = role.owner
    known = role.owner.messages
    kinds = [Int](repeating: 0, count: known.count)
  }

  /// Counts one datagram, or the messages that end in a piece of a stream.
  public mutating func count(_ bytes: RawSpan, of flow: Flow) {
    guard let dialect = owner.dialect(over: flow.carrier) else { return }
    guard flow.carrier == .tcp else { return count(bytes, dialect) }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message { count(frame, dialect) }
    }
    framers[flow] = framer
  }

  private mutating func count(_ bytes: RawSpan, _ dialect: Dialect) {
    total += 1
    findings.removeAll(keepingCapacity: true)
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    if kind == .ack || kind == .ackTCP, let status = Ack.fields.status.value(in: bytes) {
      statuses[Int(status)] += 1
    } else {
      kinds[kind.place] += 1
    }
  }

  /// `ACK OK`, `ACK BUSY`, `HAPTIC` … with their counts, those that came at all.
  public var named: [(name: String, count: Int)] {
    let acks = statuses.enumerated().filter { $0.element > 0 }.map { status, count in
      ("ACK \(AckStatus(rawValue: UInt8(truncatingIfNeeded: status)).name)", count)
    }
    let others = zip(known, kinds).filter { $0.1 > 0 }.map { ($0.0.name, $0.1) }
    return acks + others
  }
}
