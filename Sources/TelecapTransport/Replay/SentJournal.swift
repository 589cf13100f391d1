import TelecapRecording
import TelecapWire

/// What a recording sent and when, kept until the receiver's side asks for it: what is in flight.
struct SentJournal {
  /// The first eight bytes of a message: all that tells which stream it is of.
  struct Head {
    private var bytes: UInt64 = 0
    private var count = 0

    /// Over TCP a TELE message stands behind its length.
    init(_ span: RawSpan, _ carrier: Carrier) {
      let isFramed = carrier == .tcp && UInt32.read(span, at: 2) == Header.magic
      let start = isFramed ? 2 : 0
      count = min(8, span.byteCount - start)
      for index in 0..<count {
        bytes |= UInt64(span.unsafeLoadUnaligned(fromByteOffset: start + index, as: UInt8.self)) << UInt64(8 * index)
      }
    }

    func withSpan(_ body: (RawSpan) -> Void) {
      withUnsafeBytes(of: bytes.littleEndian) { body(UnsafeRawBufferPointer(rebasing: $0[..<count]).bytes) }
    }
  }

  private var sent: [(head: Head, time: Int64)] = []
  private var first = 0

  /// The recording sent this. What opens a stream and brings no bytes is not a message.
  mutating func add(_ packet: ReplayPacket, _ bytes: RawSpan) {
    if bytes.byteCount > 0 { sent.append((Head(bytes, packet.carrier), packet.sentAt)) }
  }

  /// The next that was sent by `time`; nil when there is none.
  mutating func takeSent(until time: Int64) -> (Head, Int64)? {
    guard first < sent.count, sent[first].time <= time else { return nil }
    defer { skip() }
    return (sent[first].head, sent[first].time)
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
