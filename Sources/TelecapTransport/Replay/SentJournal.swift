import TelecapRecording
import TelecapWire

/// Finds the messages in a recording's byte streams, by flow.
struct SentStreams {
  private let dialect: Dialect?
  private var framers: [Int: MessageFramer] = [:]

  /// The byte streams to this receiver, at their start.
  init(to receiver: Role) { dialect = receiver.owner.dialect(over: .tcp) }

  /// Passes on the messages that end in these bytes.
  mutating func messages(in bytes: RawSpan, flow: Int, _ body: (RawSpan) throws -> Void) rethrows {
    guard let dialect else { return }
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect)
    defer { framers[flow] = framer }
    try framer.receive(bytes) { if $0 == .message { try body($1) } }
  }
}

/// The messages that a recording sent, with their times, until the receiver's side reads them.
struct SentJournal {
  /// A message that the recording sent.
  struct Sent {
    let kind: MessageKind
    let carrier: Carrier
    /// The number of its packet.
    let packet: Int
    /// In ns.
    let time: Nanoseconds
  }

  private let owner: WireProtocol
  private var streams: SentStreams
  private var sent: [Sent] = []
  private var first = 0

  /// A journal for this receiver, without messages.
  init(to receiver: Role) {
    owner = receiver.owner
    streams = SentStreams(to: receiver)
  }

  /// Adds a packet that the recording sent: its messages, or over TCP all that end in it.
  mutating func add(_ packet: ReplayPacket, _ bytes: RawSpan) {
    guard let dialect = owner.dialect(over: packet.carrier) else { return }
    func add(_ message: RawSpan) {
      let kind = MessageDecoder.check(message, as: dialect).kind
      sent.append(Sent(kind: kind, carrier: packet.carrier, packet: packet.number, time: packet.sentAt))
    }
    guard packet.carrier == .tcp else { return dialect.eachMessage(of: bytes) { add($0) } }
    streams.messages(in: bytes, flow: packet.flow) { add($0) }
  }

  /// Takes the next message sent by `time`; nil when there is none.
  mutating func takeSent(until time: Nanoseconds) -> Sent? {
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
