import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// Messages as values: built by name, kept as they came, refused when the wire cannot carry them.
@Suite struct MessageTests {
  @Test("The error for an unknown field names it")
  func noSuchField() {
    let error = WireError.noSuchField(message: "HAPTIC", field: "strength")
    #expect(throws: error) { try Message(.haptic, fields: ["strength": .float(1)]) }
    #expect(error.description == "HAPTIC has no field strength")
  }

  @Test("The error for a value that does not fit names the field's type")
  func doesNotFit() {
    let error = WireError.doesNotFit(message: "BYE", field: "session_id", type: .u32, value: .unsigned(1 << 32))
    #expect(throws: error) { try Message(.bye, fields: ["session_id": .unsigned(1 << 32)]) }
    #expect(error.description == "BYE.session_id is uint32 and cannot hold 4294967296")
  }

  @Test("Text longer than its length field allows is rejected")
  func textTooLong() throws {
    let longest = String(repeating: "x", count: 255)
    #expect(try Message(.beacon, fields: ["name": .text(longest)]).bytes.count == 265)
    #expect(throws: WireError.doesNotFit(message: "BEACON", field: "name_len", type: .u8, value: .unsigned(256))) {
      try Message(.beacon, fields: ["name": .text(longest + "x")])
    }
    let json = String(repeating: "x", count: 65_536)
    #expect(throws: WireError.doesNotFit(message: "CONFIG", field: "config_len", type: .u16, value: .unsigned(65_536)))
    {
      try Message(.config, fields: ["config": .text(json)])
    }
  }

  @Test("A message that breaks rules but fits the layout is built, for tests of receivers")
  func brokenOnPurpose() throws {
    let haptic = try Message(.haptic, fields: ["intensity": .float(.infinity), "channel": .unsigned(255)])
    #expect(decode(haptic.bytes, as: .teleUDP).findings.map(\.rule) == [.outOfRange, .reserved])
    let hello = try Message(.hello, fields: ["code": .bytes([0xc3, 0x28])])
    #expect(Hex.text(hello.bytes) == "54454c45010100000000c328000000000000")
    let beacon = try Message(.beacon, fields: ["name": .bytes([0xc3]), "name_len": .unsigned(200)])
    #expect(Hex.text(beacon.bytes) == "54454c4508010000c800c3", "a length that lies")
  }

  @Test("Text is shown repaired and without its padding, and its bytes stay")
  func repairedText() throws {
    let bytes = hex("54454c4501010000000041c300000000" + "0000")
    let message = try #require(Message(decoding: bytes, as: .teleUDP))
    #expect(message.value(of: "code") == .text("A\u{fffd}"))
    #expect(message.bytes == bytes)
  }

  @Test("Unknown types are values and are written back unchanged")
  func unknownTypes() throws {
    let bytes = hex("54454c452a01" + "00ff1234")
    #expect(Message(decoding: bytes, as: .teleTCP) == nil, "a receiver drops it")
    let kept = Message(keeping: bytes, as: .teleTCP)
    #expect(kept.kind == .teleUnknown)
    #expect(kept.value(of: "msg_type") == .unsigned(42))
    #expect(kept.value(of: "body") == .bytes([0, 0xff, 0x12, 0x34]))
    #expect(kept.bytes == bytes)
    let built = try Message(.teleUnknown, fields: ["msg_type": .unsigned(42), "body": .bytes([0, 0xff, 0x12, 0x34])])
    #expect(built == kept)
  }

  @Test("Unknown codes are values and are written back unchanged", arguments: UInt8.min...UInt8.max)
  func unknownCodes(_ code: UInt8) throws {
    let ack = try #require(Message(decoding: [0x54, 0x45, 0x4c, 0x45, 2, 1, code, 0], as: .teleUDP))
    #expect(ack.value(Ack.fields.status) == code)
    #expect(ack.value(Ack.fields.status).map(AckStatus.init(rawValue:))?.rawValue == code)
    #expect(ack.bytes[6] == code)
    #expect(decode(ack.bytes, as: .teleUDP).findings.map(\.rule) == (code > 3 ? [.unknownCode] : []))
    let cmd = try #require(Message(decoding: [0x54, 0x45, 0x4c, 0x45, 5, 1, code, 1], as: .teleUDP))
    #expect(cmd.bytes[6] == code)
    #expect(decode(cmd.bytes, as: .teleUDP).findings.map(\.rule) == ((1...2).contains(code) ? [] : [.unknownCode]))
  }

  @Test("Noise is kept unchanged, and writing to a truncated message does not trap")
  func kept() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2_000 {
      let sample = Sample.all[Int.random(in: 0..<Sample.all.count, using: &random)]
      let bytes = Array(sample.bytes.prefix(Int.random(in: 0...sample.bytes.count, using: &random)))
      var message = Message(keeping: bytes, as: sample.dialect)
      #expect(message.bytes == bytes)
      for field in message.kind.layout.fields {
        _ = message.value(of: field.name)
        try message.set(field.name, to: MessageTests.zero(field.type))
      }
      guard message.kind == .pose else { continue }
      message.edit(as: Pose.self) { $0[Pose.fields.qw] = 1 }
      #expect(bytes.count < 46 || message.value(Pose.fields.qw) == 1)
    }
  }

  private static func zero(_ type: FieldType) -> FieldValue {
    switch type {
    case .u8, .u16, .u24, .u32, .u64, .bits: .unsigned(0)
    case .i8, .i16, .i24, .i32, .i64, .decimal: .signed(0)
    case .f32: .float(0)
    case .f64: .double(0)
    case .text, .variableText: .text("")
    case .octets, .variableOctets, .rest: .bytes([])
    }
  }

  @Test("Hexadecimal text may have blanks, colons and 0x, and nothing else")
  func hexadecimal() {
    #expect(Hex.text([0, 0x0f, 0xab, 0xff]) == "000fabff")
    for text in ["000fABff", "0x000fabff", "00 0f ab ff", "00:0f:ab:ff", " 000f\nabff "] {
      #expect(Hex.bytes(text) == [0, 0x0f, 0xab, 0xff], "\(text)")
    }
    #expect(Hex.bytes("") == [])
    for text in ["0", "0g", "000", "０１", "-1", "0x0"] { #expect(Hex.bytes(text) == nil, "\(text)") }
  }

  @Test("Values print as a person writes them")
  func values() {
    let values: [(FieldValue, String)] = [
      (.unsigned(.max), "18446744073709551615"), (.signed(-1), "-1"), (.float(0.1), "0.1"), (.float(-0.0), "-0.0"),
      (.float(.nan), "nan"), (.text("A"), "A"), (.bytes([1, 0xab]), "01ab"),
    ]
    for (value, text) in values { #expect(value.description == text) }
    #expect(FieldType.text(6).name == "char[6]")
  }
}
