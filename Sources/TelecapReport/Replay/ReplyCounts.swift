import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// What came back, counted by type; ACKs by what they say.
public struct ReplyCounts: Sendable {
  private let dialects: (udp: Dialect, tcp: Dialect)
  /// In the order in which they are told.
  private let known: [MessageKind]
  private var kinds: [Int]
  private var statuses = [Int](repeating: 0, count: 256)
  private var findings: [Finding] = []
  private var framers: [Flow: MessageFramer] = [:]
  /// Everything that came back.
  public private(set) var total = 0

  /// Replies to what `role` sends, which may be messages of these protocols.
  public init(to role: Role, _ protocols: [WireProtocol]) {
    known = protocols.flatMap(\.messages)
    kinds = [Int](repeating: 0, count: known.count)
    dialects = role == .mouse ? (.mouse, .mouse) : (.teleUDP, .teleTCP)
  }

  /// Counts one datagram, or the messages that end in a piece of a stream.
  public mutating func count(_ bytes: RawSpan, of flow: Flow) {
    guard flow.carrier == .tcp, dialects.tcp == .teleTCP else { return count(bytes, dialects.udp) }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(.teleTCP)
    framer.receive(bytes) { event, frame in
      if event == .message { count(frame, dialects.tcp) }
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
      kinds[known.firstIndex(of: kind) ?? 0] += 1
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
