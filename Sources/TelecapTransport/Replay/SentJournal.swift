import TelecapRecording
import TelecapWire

/// Finds the messages in the streams that a recording sends, by their flows.
struct SentStreams {
  private let dialect: Dialect?
  private var framers: [Int: MessageFramer] = [:]

  /// Streams to this receiver, at their start.
  init(to receiver: Role) { dialect = receiver.owner.dialect(over: .tcp) }

  /// Hands on the messages that end in these bytes.
  mutating func messages(in bytes: RawSpan, flow: Int, _ body: (RawSpan) throws -> Void) rethrows {
    guard let dialect else { return }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect)
    defer { framers[flow] = framer }
    try framer.receive(bytes) { if $0 == .message { try body($1) } }
  }
}

/// What a recording sent and when, kept until the receiver's side asks for it: what is in flight.
struct SentJournal {
  private let owner: WireProtocol
  private var streams: SentStreams
  private var sent: [(kind: MessageKind, time: Nanoseconds)] = []
  private var first = 0

  /// Nothing was sent yet to this receiver.
  init(to receiver: Role) {
    owner = receiver.owner
    streams = SentStreams(to: receiver)
  }

  /// The recording sent this: a message, or over TCP all that end in it.
  mutating func add(_ packet: ReplayPacket, _ bytes: RawSpan) {
    guard let dialect = owner.dialect(over: packet.carrier) else { return }
    func add(_ message: RawSpan) {
      sent.append((MessageDecoder.check(message, as: dialect).kind, packet.sentAt))
    }
    guard packet.carrier == .tcp else { return add(bytes) }
    streams.messages(in: bytes, flow: packet.flow) { add($0) }
  }

  /// The next that was sent by `time`; nil when there is none.
  mutating func takeSent(until time: Nanoseconds) -> (kind: MessageKind, time: Nanoseconds)? {
    guard first < sent.count, sent[first].time <= time else { return nil }
    defer { skip() }
    return sent[first]
  }

  private mutating func skip() {
    first += 1
    if first == sent.count {
      sent.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 4096 {
      sent.removeFirst(first)
      first = 0
    }
  }
}
