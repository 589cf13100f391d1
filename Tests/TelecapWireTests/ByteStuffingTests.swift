import TelecapRecording
import TelecapWire
import Testing

/// SLIP and COBS: encoding, decoding, and streams in which a delimiter ends each message.
@Suite("Byte stuffing") struct ByteStuffingTests {
  /// What a framer emits, a stream passed on in pieces of this size.
  private static func events(_ stream: [UInt8], _ stuffing: ByteStuffing, pieces: Int = .max) -> [String] {
    var framer = MessageFramer(.stuffed(stuffing))
    var events: [String] = []
    func note(_ event: FrameEvent, _ bytes: RawSpan) {
      switch event {
      case .message: events.append(Hex.text(bytes.withUnsafeBytes { Array($0) }))
      case .skipped(let count): events.append("skipped \(count)")
      case .incomplete(_, let had): events.append("incomplete \(had)")
      case .badLength: events.append("bad length")
      }
    }
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      framer.receive(piece.span.bytes, note)
      rest = rest.dropFirst(pieces)
    }
    framer.finish(note)
    return events
  }

  private static let to254 = [UInt8](1...254)

  /// The examples of https://en.wikipedia.org/wiki/Consistent_Overhead_Byte_Stuffing, Encoding examples: message and frame.
  private static let examples: [([UInt8], [UInt8])] = [
    ([0], [1, 1, 0]), ([0, 0], [1, 1, 1, 0]), ([0, 0x11, 0], [1, 2, 0x11, 1, 0]),
    ([0x11, 0x22, 0, 0x33], [3, 0x11, 0x22, 2, 0x33, 0]), ([0x11, 0x22, 0x33, 0x44], [5, 0x11, 0x22, 0x33, 0x44, 0]),
    ([0x11, 0, 0, 0], [2, 0x11, 1, 1, 1, 0]), (to254, [0xff] + to254 + [0]),
    ([0] + to254, [1, 0xff] + to254 + [0]), (to254 + [0xff], [0xff] + to254 + [2, 0xff, 0]),
    ([UInt8](2...255) + [0], [0xff] + [UInt8](2...255) + [1, 1, 0]),
    ([UInt8](3...255) + [0, 1], [0xfe] + [UInt8](3...255) + [2, 1, 0]),
  ]

  @Test("The published examples of COBS are encoded and decoded", arguments: examples)
  func cobs(_ message: [UInt8], _ frame: [UInt8]) {
    #expect(ByteStuffing.cobs.framed(message) == frame)
    #expect(Self.events(frame, .cobs) == [Hex.text(message)])
  }

  @Test("SLIP escapes its two bytes and nothing else (RFC 1055)")
  func slip() {
    #expect(ByteStuffing.slip.framed([1, 0xc0, 0xdb, 0xdc]) == [0xc0, 1, 0xdb, 0xdc, 0xdb, 0xdd, 0xdc, 0xc0])
    // A sender may omit the delimiter before a message.
    #expect(Self.events([1, 0xdb, 0xdc, 0xc0, 2, 0xc0], .slip) == ["01c0", "02"])
  }

  @Test("Messages of any bytes return, however the stream is cut", arguments: ByteStuffing.allCases)
  func pieces(_ stuffing: ByteStuffing) {
    var random = SplitMix64(seed: 1)
    let odd: [UInt8] = [0, 1, 0xc0, 0xdb, 0xdc, 0xdd, 0xff]
    let messages = (0..<60).map { count in
      (0..<1 + count * 9).map { _ in
        random.number(below: 2) == 0 ? odd[random.number(below: odd.count)] : UInt8(truncatingIfNeeded: random.next())
      }
    }
    for message in messages { #expect(!stuffing.encoded(message).contains(stuffing.delimiter)) }
    let stream = messages.flatMap(stuffing.framed)
    for size in [1, 2, 3, 7, 64, 1_000, stream.count] {
      #expect(Self.events(stream, stuffing, pieces: size) == messages.map { Hex.text($0) })
    }
  }

  @Test("After noise the next message is read, and the noise is counted")
  func noise() {
    #expect(Self.events([0xdb, 1, 0xc0, 2, 0xc0], .slip) == ["skipped 2", "02"])
    #expect(Self.events([5, 1, 0, 2, 2, 0], .cobs) == ["skipped 2", "02"])
    #expect(Self.events([0, 0, 0, 2, 2, 0, 0], .cobs) == ["02"], "delimiters without a message between them")
  }

  @Test("A stream that ends within a message says so", arguments: ByteStuffing.allCases)
  func truncated(_ stuffing: ByteStuffing) {
    let frame = stuffing.framed([1, 2, 3])
    for count in 1..<frame.count {
      let had = frame.prefix(count).count { $0 != stuffing.delimiter }
      #expect(Self.events(Array(frame.prefix(count)), stuffing) == (had > 0 ? ["incomplete \(had)"] : []))
    }
  }

  @Test(
    "Bytes without a delimiter do not make memory grow, and the message after them is read",
    arguments: ByteStuffing.allCases)
  func endless(_ stuffing: ByteStuffing) {
    let noise = [UInt8](repeating: 0x55, count: 300_000)
    let events = Self.events(noise + [stuffing.delimiter] + stuffing.framed([7]), stuffing, pieces: 1_000)
    #expect(events == ["skipped 300000", "07"])
  }
}
