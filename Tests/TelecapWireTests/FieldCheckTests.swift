import TelecapRecording
import TelecapWire
import Testing

/// Fields of every width and sign are held to their rules exactly, at both borders.
@Suite struct FieldCheckTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let type: FieldType
    let rule: FieldRule
    let found: Rule
    let right: [FieldValue]
    let wrong: [FieldValue]
    var testDescription: String { "\(type.name) \(rule)" }

    init(_ type: FieldType, _ rule: FieldRule, _ found: Rule, right: [FieldValue], wrong: [FieldValue]) {
      (self.type, self.rule, self.found, self.right, self.wrong) = (type, rule, found, right, wrong)
    }

    static func unsigned(
      _ type: FieldType, _ rule: FieldRule, _ found: Rule = .outOfRange, right: [UInt64], wrong: [UInt64]
    ) -> Row {
      Row(type, rule, found, right: right.map { .unsigned($0) }, wrong: wrong.map { .unsigned($0) })
    }

    static func signed(_ type: FieldType, _ range: ClosedRange<Double>, right: [Int64], wrong: [Int64]) -> Row {
      Row(type, .range(range), .outOfRange, right: right.map { .signed($0) }, wrong: wrong.map { .signed($0) })
    }
  }

  static let ranges: [Row] = [
    .unsigned(.u8, .range(1...20), right: [1, 20], wrong: [0, 21, 255]),
    .unsigned(.u16, .range(10...1_000), right: [10, 11, 256, 999, 1_000], wrong: [0, 9, 1_001, 65_535]),
    .unsigned(.u16, .range(0.5...2.5), right: [1, 2], wrong: [0, 3]),
    .unsigned(.u16, .range(-5 ... -1), right: [], wrong: [0, 1, 65_535]),
    .unsigned(
      .u32, .range(1...4_000_000_000), right: [1, 70_000, 4_000_000_000], wrong: [0, 4_000_000_001, 0xffff_ffff]),
    .unsigned(
      .u64, .range(2...9_007_199_254_740_992), right: [2, 9_007_199_254_740_992],
      // No double is between the border and the number above it.
      wrong: [0, 1, 9_007_199_254_740_993, .max]),
    .unsigned(.u64, .range(1...1e30), right: [1, .max], wrong: [0]),
    .signed(.i8, -127...127, right: [-127, 0, 127], wrong: [-128]),
    .signed(.i16, -300...300, right: [-300, -1, 0, 300], wrong: [-32_768, -301, 301, 32_767]),
    .signed(
      .i32, -70_000 ... -1, right: [-70_000, -65_536, -1], wrong: [Int64(Int32.min), -70_001, 0, 1, Int64(Int32.max)]),
    .signed(.i64, -1...1, right: [-1, 0, 1], wrong: [.min, -4_294_967_297, -2, 2, .max]),
    Row(
      .f32, .range(0...1), .outOfRange, right: [.float(0), .float(-0.0), .float(1)],
      wrong: [.float(-.leastNonzeroMagnitude), .float(Float(1).nextUp), .float(.infinity), .float(-.infinity)]),
    Row(
      .f64, .range(-0.5...0.5), .outOfRange, right: [.double(-0.5), .double(0), .double(0.5)],
      wrong: [.double((0.5).nextUp), .double((-0.5).nextDown), .double(.infinity)]),
    Row(.f64, .finite, .outOfRange, right: [.double(.greatestFiniteMagnitude)], wrong: [.double(-.infinity)]),
    Row(.f64, .finite, .notANumber, right: [], wrong: [.double(.nan), .double(.signalingNaN)]),
    Row(.f32, .range(0...1), .notANumber, right: [], wrong: [.float(.nan)]),
    // Ranges that one comparison of bits decides, and such as it does not.
    .signed(.i8, -1_000...1_000, right: [-128, 0, 127], wrong: []),
    .signed(.i16, 5...5, right: [5], wrong: [-5, 4, 6, 32_767]),
    Row(
      .f32, .range(-2...2), .outOfRange, right: [.float(-2), .float(-0.0), .float(2)],
      wrong: [.float(Float(-2).nextDown), .float(Float(2).nextUp), .float(-.infinity)]),
    Row(
      .f32, .range(0.25...0.5), .outOfRange, right: [.float(0.25), .float(0.5)],
      wrong: [.float(0), .float(-0.3), .float(Float(0.25).nextDown), .float(Float(0.5).nextUp)]),
    Row(
      .f64, .range(-3 ... -1), .outOfRange, right: [.double(-3), .double(-1)], wrong: [.double(-0.5), .double(0)]),
    Row(.f32, .finite, .outOfRange, right: [.float(-.greatestFiniteMagnitude)], wrong: [.float(-.infinity)]),
    Row(.f32, .finite, .notANumber, right: [], wrong: [.float(-.nan), .float(.signalingNaN)]),
  ]

  static let codesAndBits: [Row] = [
    .unsigned(.u16, .bits(0x0103), .reserved, right: [0, 1, 0x0100, 0x0103], wrong: [4, 0x0200, 0x0107, 0x8000]),
    .unsigned(.u32, .reserved, .reserved, right: [0], wrong: [1, 0x100, 0x8000_0000, 0xffff_ffff]),
    .unsigned(.u64, .reserved, .reserved, right: [0], wrong: [1, 1 << 63]),
    .unsigned(
      .u16, .codes([Code(1, "ONE"), Code(63, "LAST"), Code(64, "NEXT"), Code(0xfffe, "FAR")]), .unknownCode,
      right: [1, 63, 64, 0xfffe], wrong: [0, 2, 62, 65, 257, 0xffff]),
    .unsigned(
      .u8, .codes([Code(2, "TWO"), Code(3, "THREE"), Code(5, "FIVE")]), .unknownCode, right: [2, 3, 5],
      wrong: [0, 1, 4, 6, 66, 255]),
  ]

  @Test("A value within the rule passes, and a value outside it is found", arguments: ranges + codesAndBits)
  func borders(_ row: Row) throws {
    for order in ByteOrder.allCases {
      let probe = Probe(row.type, row.rule, order)
      for value in row.right { #expect(try probe.findings(value) == [], "\(value), \(order)") }
      for value in row.wrong {
        let findings = try probe.findings(value)
        #expect(findings.map(\.rule) == [row.found], "\(value), \(order)")
        #expect(findings.map(\.range) == [0..<(row.type.size ?? 0)])
      }
    }
  }

  @Test("Big-endian numbers are decoded and printed")
  func bigEndian() {
    let probe = Probe(.u16, .range(1...300), .big)
    #expect(probe.findings([0x01, 0x2c]) == [])
    #expect(probe.findings([0x01, 0x2d]).map(\.description) == ["value is 301; it must be in 1…300"])
    #expect(probe.findings([0x2c, 0x01]).map(\.description) == ["value is 11265; it must be in 1…300"])
    #expect(Probe(.i32, .range(-2...2), .big).findings([0xff, 0xff, 0xff, 0xfe]) == [])
    #expect(
      Probe(.i32, .range(-2...2), .big).findings([0xff, 0xff, 0xff, 0xfd]).map(\.description)
        == ["value is -3; it must be in -2…2"])
    #expect(Probe(.f32, .finite, .big).findings([0x7f, 0x80, 0, 0]).map(\.rule) == [.outOfRange])
    #expect(Probe(.f32, .finite, .big).findings([0, 0, 0x80, 0x7f]) == [])
  }

  @Test("Reserved bits are printed with all bytes of their field, in hexadecimal")
  func wideBits() throws {
    let words = { (type: FieldType, mask: UInt64, value: UInt64) in
      try Probe(type, .bits(mask)).findings(.unsigned(value)).map(\.description)
    }
    #expect(try words(.u8, 7, 9) == ["value is 0x09; reserved bits are set (only bits 0x7)"])
    #expect(try words(.u16, 0x0103, 0x0200) == ["value is 0x0200; reserved bits are set (only bits 0x103)"])
    #expect(try words(.u32, 1, 0x8000_0001) == ["value is 0x80000001; reserved bits are set (only bits 0x1)"])
  }

  @Test("Text may have a big-endian length")
  func bigEndianLength() throws {
    let count = FieldRow(name: "count", type: .u16, offset: 0, byteOrder: .big)
    let name = FieldRow(name: "name", type: .variableText, offset: 2, length: FieldLength(count))
    let wire = WireProtocol(
      "big", title: "a length", messages: [declared("NAME", [count, name], over: ["wire"])],
      malformed: declared("MALFORMED", [FieldRow(name: "body", type: .rest, offset: 0)]),
      dialects: [DialectDeclaration("wire", over: "UDP")], ports: [], recognition: ["wire": Recognition(header: 2)])
    let message = try Message(wire.messages[0], fields: ["name": .text("abc")])
    #expect(message.bytes == [0, 3] + Array("abc".utf8))
    #expect(decode(message.bytes, as: wire.dialect("wire")) == (wire.messages[0], []))
    #expect(decode([0, 4] + Array("abc".utf8), as: wire.dialect("wire")).findings.map(\.rule) == [.truncated])
    #expect(decode(message.bytes + [9], as: wire.dialect("wire")).findings.map(\.range) == [5..<6])
    #expect(name.value(in: (message.bytes + [9]).span.bytes) == .text("abc"))
  }
}
