import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// Finds the messages in the streams that a recording sends, by their flows.
struct SentStreams {
  private let dialect: Dialect
  private var framers: [Int: MessageFramer] = [:]

  /// Streams to this receiver, at their start.
  init(to receiver: Role) { dialect = receiver == .mouseHost ? .mouse : .teleTCP }

  /// Hands on the messages that end in these bytes.
  mutating func messages(in bytes: RawSpan, flow: Int, _ body: (RawSpan) throws -> Void) rethrows {
    var framer = framers.removeValue(forKey: flow) ?? MessageFramer(dialect)
    defer { framers[flow] = framer }
    try framer.receive(bytes) { if $0 == .message { try body($1) } }
  }
}

/// What a recording sent and when, kept until the receiver's side asks for it: what is in flight.
struct SentJournal {
  /// The first eight bytes of a message: all that tells which stream it is of.
  struct Head {
    private var bytes: UInt64 = 0
    private var count = 0

    init(_ span: RawSpan) {
      count = min(8, span.byteCount)
      for index in 0..<count {
        bytes |= UInt64(span.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self)) << UInt64(8 * index)
      }
    }

    func withSpan(_ body: (RawSpan) -> Void) {
      withUnsafeBytes(of: bytes.littleEndian) { body(UnsafeRawBufferPointer(rebasing: $0[..<count]).bytes) }
    }
  }

  private var streams: SentStreams
  private var sent: [(head: Head, carrier: Carrier, time: Int64)] = []
  private var first = 0

  /// Nothing was sent yet to this receiver.
  init(to receiver: Role) { streams = SentStreams(to: receiver) }

  /// The recording sent this: a message, or over TCP all that end in it.
  mutating func add(_ packet: ReplayPacket, _ bytes: RawSpan) {
    guard packet.carrier == .tcp else { return sent.append((Head(bytes), .udp, packet.sentAt)) }
    streams.messages(in: bytes, flow: packet.flow) { sent.append((Head($0), .tcp, packet.sentAt)) }
  }

  /// The next that was sent by `time`; nil when there is none.
  mutating func takeSent(until time: Int64) -> (head: Head, carrier: Carrier, time: Int64)? {
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
