import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// TELE tcp-v1: a uint16 length, then the message.
@Suite struct TeleFramerTests {
  let verifier = FramerVerifier { MessageFramer(.teleTCP) }

  @Test("Messages come out whole, without their frames")
  func messages() throws {
    let stream = hex("0c0054454c4507010000003f0000" + "080054454c4505010101")
    #expect(verifier.events([stream]) == [.message("54454c4507010000003f0000"), .message("54454c4505010101")])
    #expect(verifier.disagreements(stream) == [])
  }

  @Test("An empty stream says nothing")
  func empty() { #expect(verifier.events([[], []]) == []) }

  @Test("A length that no message has breaks the stream: nothing after it is read", arguments: [0, 1, 5])
  func badLength(_ length: UInt8) {
    let stream = hex("080054454c4505010101") + [length, 0] + hex("080054454c4505010101")
    #expect(
      verifier.events([stream])
        == [.message("54454c4505010101"), FrameLog(event: .badLength(Int(length), allowed: 6...65_535), bytes: [])])
    #expect(verifier.disagreements(stream) == [])
    var framer = MessageFramer(.teleTCP)
    framer.receive(stream.span.bytes) { _, _ in }
    framer.receive(hex("080054454c4505010101").span.bytes) { _, _ in Issue.record("the stream is broken") }
    framer.finish { _, _ in Issue.record("nothing was left over") }
    var events: [FrameEvent] = []
    framer.receive(hex("080054454c4505010101").span.bytes) { event, _ in events.append(event) }
    #expect(events == [.message], "after the end it begins afresh")
  }

  @Test("A stream that ends inside a frame says what was needed, the length included")
  func incomplete() {
    let rows: [(String, FrameEvent)] = [
      ("0c", .incomplete(needed: 2, had: 1)), ("0c00", .incomplete(needed: 14, had: 2)),
      ("0c0054454c", .incomplete(needed: 14, had: 5)), ("ffff54", .incomplete(needed: 65_537, had: 3)),
    ]
    for (text, event) in rows {
      #expect(verifier.events([hex(text)]) == [FrameLog(event: event, bytes: hex(text))])
      #expect(verifier.disagreements(hex(text)) == [])
    }
  }

  @Test("The longest frame passes, in pieces too")
  func longest() throws {
    let body = [UInt8](repeating: 0x61, count: 65_535)
    let stream = [0xff, 0xff] + body + [6, 0] + [1, 2, 3, 4, 5, 6]
    let expected = [FrameLog(event: .message, bytes: body), .message("010203040506")]
    #expect(verifier.events([stream]) == expected)
    #expect(verifier.events(stream.map { [$0] }) == expected)
    #expect(verifier.events([Array(stream[..<40_000]), Array(stream[40_000...])]) == expected)
  }

  @Test("A message that 16 bits cannot frame is refused")
  func tooLong() throws {
    #expect(throws: WireError.tooLongForFrame(bytes: 65_536)) {
      try Message(keeping: [UInt8](repeating: 0, count: 65_536), as: .teleTCP).framed(as: .teleTCP)
    }
  }

  @Test("Random streams of messages give the same however they are cut", arguments: 1...20 as ClosedRange<UInt64>)
  func random(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var stream: [UInt8] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      stream += try Sample.all[Int.random(in: 0..<10, using: &random)].message.framed(as: .teleTCP)
    }
    stream += random.bytes(Int.random(in: 0...40, using: &random))
    #expect(verifier.disagreements(stream, seed: seed) == [])
  }

  @Test("An error of the caller comes through")
  func passesErrorsOn() {
    struct Stop: Error {}
    let stream = hex("080054454c4505010101")
    var framer = MessageFramer(.teleTCP)
    #expect(throws: Stop.self) { try framer.receive(stream.span.bytes) { _, _ in throw Stop() } }
  }
}

/// Lengths of each width, in each byte order, which count themselves or not.
@Suite("Messages after a length of any width") struct LengthPrefixTests {
  static let all = (1...4).flatMap { size in
    [ByteOrder.little, .big].flatMap { order in
      [false, true].map { LengthPrefix(size: size, byteOrder: order, countsItself: $0, shortest: 3) }
    }
  }

  @Test("The bytes of a length are those of its type")
  func bytes() {
    func bytes(_ size: Int, _ order: ByteOrder, _ countsItself: Bool) -> [UInt8] {
      LengthPrefix(size: size, byteOrder: order, countsItself: countsItself, shortest: 3).bytes(before: 258 - size)
    }
    #expect(bytes(2, .little, false) == hex("0001") && bytes(2, .big, false) == hex("0100"))
    #expect(bytes(2, .little, true) == hex("0201") && bytes(2, .big, true) == hex("0102"))
    #expect(bytes(3, .little, true) == hex("020100") && bytes(3, .big, true) == hex("000102"))
    #expect(bytes(4, .little, true) == hex("02010000") && bytes(4, .big, true) == hex("00000102"))
    #expect(bytes(1, .little, true) == hex("ff"), "257 does not fit")
  }

  @Test("Messages come out whole, however the stream is cut", arguments: all)
  func messages(_ prefix: LengthPrefix) {
    let verifier = FramerVerifier { MessageFramer(.length(prefix)) }
    let framing = Framing.length(prefix)
    let messages: [[UInt8]] = [3, 4, 200, prefix.longest].map { [UInt8](repeating: UInt8($0 & 0x7f), count: $0) }
    let events = messages.map { FrameLog(event: .message, bytes: $0) }
    #expect(verifier.events([messages.flatMap(framing.framed)]) == events)
    let short = messages.prefix(3).flatMap(framing.framed)
    #expect(verifier.events(short.map { [$0] }) == Array(events.prefix(3)))
    #expect(verifier.disagreements(short) == [])
  }

  @Test("A number that no message has breaks the stream, on both sides of each border", arguments: all)
  func wrong(_ prefix: LengthPrefix) {
    let verifier = FramerVerifier { MessageFramer(.length(prefix)) }
    let right = Framing.length(prefix).framed([1, 2, 3])
    for number in prefix.wrongNumbers {
      let stream = right + prefix.bytes(of: number) + right
      let events = [
        .message("010203"), FrameLog(event: .badLength(number, allowed: prefix.allowed), bytes: []),
      ]
      #expect(verifier.events([stream]) == events && verifier.disagreements(stream) == [], "\(number)")
    }
    let least = prefix.allowed.lowerBound
    #expect(least == 3 + prefix.extra && prefix.wrongNumbers.contains(least - 1))
    #expect(prefix.wrongNumbers.contains(prefix.allowed.upperBound + 1) == (prefix.size > 2))
    #expect(prefix.canBeWrong)
  }

  @Test("A stream that ends inside a frame has its size, the length included", arguments: all)
  func incomplete(_ prefix: LengthPrefix) {
    let verifier = FramerVerifier { MessageFramer(.length(prefix)) }
    let frame = Framing.length(prefix).framed([UInt8](repeating: 7, count: 9))
    for count in 1..<frame.count {
      let cut = Array(frame.prefix(count))
      let needed = count < prefix.size ? prefix.size : frame.count
      #expect(verifier.events([cut]) == [FrameLog(event: .incomplete(needed: needed, had: count), bytes: cut)])
    }
  }

  @Test("Every number of 16 bits is the length of a message where messages may be empty")
  func none() {
    let prefix = LengthPrefix.uint16(shortest: 0)
    #expect(!prefix.canBeWrong && prefix.wrongNumbers.isEmpty && prefix.allowed == 0...65_535)
    #expect(LengthPrefix(size: 1, countsItself: true, shortest: 0).wrongNumbers == [0])
  }
}

/// Mouse control over TCP: five bytes a packet, found again at a header.
@Suite struct MouseFramerTests {
  let verifier = FramerVerifier { MessageFramer(.mouse) }

  @Test("Packets follow one another")
  func packets() {
    let stream = hex("bb01000000" + "aa00ff0100" + "bb00000000")
    #expect(
      verifier.events([stream]) == [.message("bb01000000"), .message("aa00ff0100"), .message("bb00000000")])
    #expect(verifier.disagreements(stream) == [])
  }

  @Test("A header byte inside a packet is data")
  func headerInside() {
    let stream = hex("bbaabbaabb" + "aabbbbbbbb")
    #expect(verifier.events([stream]) == [.message("bbaabbaabb"), .message("aabbbbbbbb")])
    #expect(verifier.disagreements(stream) == [])
  }

  @Test("Bytes between packets are skipped and counted once for each run")
  func skipped() {
    let stream = hex("000102" + "bb01000000" + "ff" + "aa00000000" + "0909")
    #expect(
      verifier.events([stream]) == [
        FrameLog(event: .skipped(3), bytes: []), .message("bb01000000"), FrameLog(event: .skipped(1), bytes: []),
        .message("aa00000000"), FrameLog(event: .skipped(2), bytes: []),
      ])
    #expect(verifier.disagreements(stream) == [])
  }

  @Test("A stream that ends inside a packet says so")
  func incomplete() {
    for count in 1...4 {
      let stream = Array(hex("00bb010203").prefix(count + 1))
      #expect(
        verifier.events([stream]) == [
          FrameLog(event: .skipped(1), bytes: []),
          FrameLog(event: .incomplete(needed: 5, had: count), bytes: Array(stream[1...])),
        ])
      #expect(verifier.disagreements(stream) == [])
    }
  }

  @Test("Random streams give the same however they are cut", arguments: 1...20 as ClosedRange<UInt64>)
  func random(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet: [UInt8] = [0xaa, 0xbb, 0, 1, 0xff]
    let stream = (0..<60).map { _ in alphabet[Int.random(in: 0..<5, using: &random)] }
    #expect(verifier.disagreements(stream, seed: seed) == [])
  }
}

/// The verifier is tested too: framers that are wrong in just the way it looks for.
@Suite struct FramerVerifierTests {
  /// Takes each piece for a message, as code does that was only tried on loopback.
  struct PieceIsMessage: Framer {
    mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
      if bytes.byteCount > 0 { try emit(.message, bytes) }
    }
    mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {}
  }

  /// Right, but forgets a first byte that stands alone at the end of a piece.
  struct Forgetful: Framer {
    var inner = MessageFramer(.teleTCP)
    mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
      if bytes.byteCount != 1 { try inner.receive(bytes, emit) }
    }
    mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows { try inner.finish(emit) }
  }

  @Test("It finds framers that depend on how the stream is cut")
  func findsWrongOnes() {
    let stream = hex("080054454c4505010101")
    let naive = FramerVerifier { PieceIsMessage() }.disagreements(stream)
    #expect(naive.contains("byte by byte") && naive.contains("cut at 3") && !naive.contains("cut at 0"))
    #expect(FramerVerifier { Forgetful() }.disagreements(stream).contains("cut at 1"))
  }
}
