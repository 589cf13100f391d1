import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapWire

/// Streams without frames: each message shows its own size.
@Suite struct SelfDelimitedFramerTests {
  private static let magic = FieldRow(name: "magic", type: .u8, offset: 0, rule: .equal(0x5a))
  private static let type = FieldRow(name: "type", type: .u8, offset: 1)
  private static let count = FieldRow(name: "count", type: .u16, offset: 2)
  private static let header = [magic, type]

  private static func framer(_ recognition: Recognition, _ layouts: Layout...) -> FramerVerifier<MessageFramer> {
    FramerVerifier { MessageFramer(.selfDelimited(MessageSizes(recognition, layouts))) }
  }

  /// MOVE (1) has 4 bytes, TEXT (2) as many after its count as that states, STOP (3) is only the header, ALL (4) takes
  /// the rest.
  private let typed = framer(
    Recognition(header: 2, identity: [.init(magic, Rule("magic", .error))], code: type),
    declared("MOVE", code: 1, header: header, [FieldRow(name: "x", type: .u16, offset: 2)]),
    declared(
      "TEXT", code: 2, header: header,
      [count, FieldRow(name: "text", type: .variableText, offset: 4, length: FieldLength(count))]),
    declared("STOP", code: 3, header: header, []),
    declared("ALL", code: 4, header: header, [FieldRow(name: "all", type: .rest, offset: 2)]))

  private func skipped(_ count: Int) -> FrameLog { FrameLog(event: .skipped(count), bytes: []) }

  @Test("Messages of several sizes follow one another, for any pieces of the stream")
  func sizes() {
    let stream = hex("5a010700" + "5a03" + "5a0203005a0161" + "5a020000" + "5a03")
    #expect(
      typed.events([stream]) == [
        .message("5a010700"), .message("5a03"), .message("5a0203005a0161"), .message("5a020000"), .message("5a03"),
      ])
    #expect(typed.disagreements(stream) == [])
  }

  @Test("Entries of variable size determine the size of their message")
  func entries() {
    let size = FieldRow(name: "size", type: .u8, offset: 0)
    let text = FieldRow(name: "text", type: .variableText, offset: 1, length: FieldLength(size))
    let side = FieldRow(name: "side", type: .u8, offset: 1, after: text)
    let label = declared("label", header: [], [size, text, side])
    let labels = FieldRow(
      name: "labels", type: .variableOctets, offset: 4, length: FieldLength(Self.count), repeating: RepeatedPart(label))
    let end = FieldRow(name: "end", type: .u8, offset: 4, after: labels)
    let framer = Self.framer(
      Recognition(header: 2, identity: [.init(Self.magic, Rule("magic", .error))], code: Self.type),
      declared("STOP", code: 3, header: Self.header, []),
      declared("LABELS", code: 5, header: Self.header, [Self.count, labels, end]))
    let stream = hex("5a05020002616201000107" + "5a03" + "5a05000009" + "5a03")
    #expect(
      framer.events([stream]) == [
        .message("5a05020002616201000107"), .message("5a03"), .message("5a05000009"), .message("5a03"),
      ])
    #expect(framer.disagreements(stream) == [])
    for (text, needed) in [("5a050200", 6), ("5a05020002", 8), ("5a0502000261", 8), ("5a05020002616201", 10)] {
      #expect(
        framer.events([hex(text)]) == [
          FrameLog(event: .incomplete(needed: needed, had: text.count / 2), bytes: hex(text))
        ], "\(text)")
    }
  }

  @Test("A message with a rest ends with the stream")
  func rest() {
    let stream = hex("5a03" + "5a045a035a03")
    #expect(typed.events([stream]) == [.message("5a03"), .message("5a045a035a03")])
    #expect(typed.disagreements(stream) == [])
  }

  @Test("Bytes before the next identity are skipped")
  func foreign() {
    let stream = hex("00" + "5a03" + "5a09ffff" + "5a010700" + "01")
    #expect(typed.events([stream]) == [skipped(1), .message("5a03"), skipped(4), .message("5a010700"), skipped(1)])
    #expect(typed.disagreements(stream) == [])
  }

  @Test("A stream that ends inside a message reports the missing bytes, as far as its size is known")
  func incomplete() {
    for (text, needed) in [("5a", 2), ("5a01", 4), ("5a02", 4), ("5a020200", 6), ("5a02020061", 6)] {
      #expect(
        typed.events([hex(text)]) == [
          FrameLog(event: .incomplete(needed: needed, had: text.count / 2), bytes: hex(text))
        ])
    }
  }

  @Test("A message has at most 65,507 bytes, and a longer one is skipped")
  func longest() {
    let (most, more) = (hex("dfff"), hex("e0ff"))
    #expect(MessageSizes.maximum - 4 == 0xffdf)
    let whole = hex("5a02") + most + [UInt8](repeating: 0, count: MessageSizes.maximum - 4)
    #expect(typed.events([whole]).map(\.event) == [.message])
    let long = hex("5a02") + more + [UInt8](repeating: 0, count: MessageSizes.maximum - 3)
    #expect(typed.events([long]) == [skipped(long.count)])
    let endless = hex("5a04") + [UInt8](repeating: 0, count: MessageSizes.maximum - 2)
    #expect(typed.events([endless]).map(\.event) == [.message])
    let pieces = [Array(endless[..<40_000]), Array(endless[40_000...]), [0]]
    #expect(typed.events(pieces) == [skipped(endless.count + 1)])
    #expect(typed.events([endless + [0]]) == [skipped(endless.count + 1)])
  }

  @Test("A length in the header also gives the size of unknown types")
  func lengths() {
    let length = FieldRow(name: "length", type: .u64, offset: 1, byteOrder: .big)
    let code = FieldRow(name: "type", type: .u8, offset: 0)
    let verifier = Self.framer(
      Recognition(header: 9, code: code, length: .init(length, uncounted: 9, Rule("length", .error))),
      declared("A", code: 1, header: [code, length], []))
    let stream = hex("010000000000000000" + "0700000000000000026162" + "010000000000000000")
    #expect(
      verifier.events([stream]) == [
        .message("010000000000000000"), .message("0700000000000000026162"), .message("010000000000000000"),
      ])
    #expect(verifier.disagreements(stream) == [])
    // Without an identity nothing shows where the next message begins; and no length traps.
    for length in ["ffffffffffffffff", "fffffffffffffff6", "7fffffffffffffff", "000000000000ffe4"] {
      let wrong = hex("010000000000000000" + "01" + length + "010000000000000000")
      #expect(verifier.events([wrong]) == [.message("010000000000000000"), skipped(18)])
      #expect(verifier.disagreements(wrong) == [])
    }
  }

  @Test("A length shorter than the header fits no message")
  func shortLengths() {
    let length = FieldRow(name: "length", type: .u8, offset: 0)
    let verifier = Self.framer(
      Recognition(header: 2, length: .init(length, uncounted: 0, Rule("length", .error))),
      declared("A", header: [length, FieldRow(name: "x", type: .u8, offset: 1)], []))
    #expect(verifier.events([hex("0205" + "0105")]) == [.message("0205"), skipped(2)])
    #expect(verifier.events([hex("0005" + "0205")]) == [skipped(4)])
  }

  @Test("Messages that differ only in their size end with the stream")
  func ambiguous() {
    let x = FieldRow(name: "x", type: .u16, offset: 0)
    let long = declared("LONG", [x, FieldRow(name: "y", type: .u16, offset: 2)])
    let verifier = Self.framer(Recognition(header: 0), declared("SHORT", [x]), long)
    #expect(verifier.events([hex("0102030405")]) == [.message("0102030405")])
    let one = Self.framer(Recognition(header: 0), long)
    #expect(one.events([hex("0102030405060708")]) == [.message("01020304"), .message("05060708")])
    #expect(one.disagreements(hex("010203040506070809")) == [])
    let empty = Self.framer(Recognition(header: 0), declared("EMPTY", []))
    #expect(empty.events([hex("0102")]) == [skipped(2)])
  }

  @Test("Identities distinguish messages of one type")
  func identities() {
    func header(_ magic: UInt64) -> [FieldRow] {
      [FieldRow(name: "magic", type: .u8, offset: 0, rule: .equal(magic)), Self.type]
    }
    let any = FieldRow(name: "magic", type: .u8, offset: 0)
    let verifier = Self.framer(
      Recognition(header: 2, identity: [.init(any, Rule("magic", .error))], code: Self.type),
      declared("ASKED", code: 1, header: header(0xc0), []),
      declared("TOLD", code: 1, header: header(0x50), [FieldRow(name: "x", type: .u8, offset: 2)]))
    let stream = hex("c001" + "500107" + "c001")
    #expect(verifier.events([stream]) == [.message("c001"), .message("500107"), .message("c001")])
    #expect(verifier.disagreements(stream) == [])
  }

  @Test("Random streams give the same messages for any pieces", arguments: 1...20 as ClosedRange<UInt64>)
  func random(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet: [UInt8] = [0x5a, 0x5a, 1, 2, 3, 4, 0, 9]
    let stream = (0..<60).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
    #expect(typed.disagreements(stream, seed: seed) == [])
  }
}
