import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("Fields of bits") struct BitFieldTests {
  /// The header of RFC 3550, 5.1.
  private static let rtp = """
    protocol: rtp
    byte-order: big
    carriers: [{name: udp, over: udp, port: 5004}]
    header:
      - {name: version, type: bits 2, equals: 2, is: identity}
      - {name: padding, type: bits 1}
      - {name: extension, type: bits 1}
      - {name: csrc_count, type: bits 4}
      - {name: marker, type: bits 1}
      - {name: kind, type: bits 7, is: type}
      - {name: sequence, type: u16}
      - {name: timestamp, type: u32}
      - {name: ssrc, type: u32}
    messages:
      - {name: AUDIO, type: 96, from: client, fields: [{name: body, type: rest}]}
      - {name: VIDEO, type: 97, from: client, fields: [{name: body, type: rest}]}
    """

  /// Channels of Crossfire, from the unit test of Betaflight's receiver (src/test/unit/rx_crsf_unittest.cc).
  private static let crsf = """
    protocol: crsf
    byte-order: big
    carriers: [{name: udp, over: udp, port: 5005}]
    header:
      - {name: address, type: u8}
      - {name: length, type: u8, is: length, excluding: 2}
      - {name: kind, type: u8, is: type}
    messages:
      - name: CHANNELS
        type: 0x16
        from: client
        fields:
          - {name: c0, type: bits 11, bit-order: low-first}
    \((1..<16).map { "      - {name: c\($0), type: bits 11}" }.joined(separator: "\n"))
          - {name: crc, type: u8, check: {algorithm: crc8-dvb-s2, from: kind}}
    """

  /// Lights, in the manner of DDP: numbers of 4 bits that begin with 1, and 0 for none.
  private static let ddp = """
    protocol: lights
    byte-order: big
    carriers: [{name: udp, over: udp, port: 4048}]
    header:
      - {name: version, type: bits 2, equals: 1, is: identity}
      - {name: spare, type: bits 2, reserved: true}
      - {name: timecode, type: bits 1}
      - {name: kind, type: bits 3, is: type}
    messages:
      - name: PIXELS
        type: 1
        from: client
        fields:
          - {name: flags, type: bits 4, bits: 0x3}
          - {name: sequence, type: bits 4}
          - {name: level, type: bits 12, range: [0, 4000]}
          - {name: mode, type: bits 3, codes: {0: off, 5: on}}
          - {name: heat, type: bits 9, scale: 0.5, offset: -40, range: [-40, 100]}
    streams:
      - {name: pixels, message: PIXELS, order: {field: sequence, unused: 0}, values: [level, heat]}
    """

  private static func read(_ text: String) throws -> WireProtocol { try ProtocolFile.read(text, file: "bits.yaml") }

  private static func bytes(_ hex: String) -> [UInt8] { Hex.bytes(hex) ?? [] }

  private static func decode(_ bytes: [UInt8], _ owner: WireProtocol) -> (Message?, [String]) {
    let (message, findings) = Message.decode(bytes.span.bytes, as: owner.dialects[0])
    return (message, findings.map { "\($0)" })
  }

  @Test("An RTP header: the first field has the highest bits")
  func highFirst() throws {
    let owner = try Self.read(Self.rtp)
    let bytes = Self.bytes("90e0698fd9c293da1c642782")
    let message = try #require(Self.decode(bytes, owner).0)
    let expected: [String: FieldValue] = [
      "version": .unsigned(2), "padding": .unsigned(0), "extension": .unsigned(1), "csrc_count": .unsigned(0),
      "marker": .unsigned(1), "kind": .unsigned(96), "sequence": .unsigned(27_023),
      "timestamp": .unsigned(0xd9c2_93da), "ssrc": .unsigned(0x1c64_2782),
    ]
    #expect(message.kind.name == "AUDIO")
    for (name, value) in expected { #expect(message.value(of: name) == value, "\(name)") }
    #expect(try Message(message.kind, fields: expected).bytes == bytes)
    var other = bytes
    other[1] = 0x61
    #expect(Self.decode(other, owner).0?.kind.name == "VIDEO")
  }

  @Test("A wrong version is no message, and the bits next to it do not matter")
  func identity() throws {
    let owner = try Self.read(Self.rtp)
    var bytes = Self.bytes("90e0698fd9c293da1c642782")
    for first in 0...255 as ClosedRange<UInt8> {
      bytes[0] = first
      let found = Self.decode(bytes, owner)
      #expect((found.0 != nil) == (first >> 6 == 2), "\(first)")
      #expect(owner.dialects[0].begins(bytes.span.bytes) == (first >> 6 == 2))
    }
    bytes[0] = 0x50
    #expect(Self.decode(bytes, owner).1 == ["version is 1; it must be 2"])
    bytes[0] = 0x90
    bytes[1] = 0x80
    #expect(Self.decode(bytes, owner).1 == ["nobody defined message type 0"])
  }

  @Test("Sixteen channels of 11 bits: the first has the lowest bits, and goes on in the next byte")
  func lowFirst() throws {
    let owner = try Self.read(Self.crsf)
    let bytes = Self.bytes("001816bd089ff4aef7bdef7deffbadfd452b5a0100000000006c")
    let (message, findings) = Self.decode(bytes, owner)
    #expect(findings == [])
    let values: [UInt64] = [189, 993, 978, 983, 991, 991, 991, 2015, 1453, 191, 173, 173, 0, 0, 0, 0]
    var fields: [String: FieldValue] = [:]
    for (index, value) in values.enumerated() {
      #expect(message?.value(of: "c\(index)") == .unsigned(value), "c\(index)")
      fields["c\(index)"] = .unsigned(value)
    }
    #expect(try Message(try #require(owner["CHANNELS"]), fields: fields).bytes == bytes)
  }

  @Test("The first byte of an NTP packet (RFC 5905, 7.3)")
  func ntp() throws {
    let owner = try Self.read(
      """
      protocol: ntp
      byte-order: big
      carriers: [{name: udp, over: udp, port: 123}]
      header: [{name: leap, type: bits 2}, {name: version, type: bits 3, equals: 4, is: constant}, {name: mode, type: bits 3, is: type}]
      messages: [{name: REQUEST, type: 3, from: client}, {name: ANSWER, type: 4, from: host}]
      """)
    let message = try #require(Self.decode([0x23], owner).0)
    #expect(message.kind.name == "REQUEST" && message.value(of: "leap") == .unsigned(0))
    #expect(Message(empty: try #require(owner["ANSWER"])).bytes == [0x24])
    #expect(Self.decode([0x1b], owner).1 == ["version is 3; it must be 4"])
  }

  @Test("Writing a field leaves the bits of its neighbours unchanged", arguments: ["high-first", "low-first"])
  func neighbours(_ order: String) throws {
    let widths = [1, 64, 3, 13, 7, 8, 9, 23, 24, 60, 2, 10]
    let fields = widths.enumerated().map { "{name: f\($0), type: bits \($1)}" }.joined(separator: ", ")
    let owner = try Self.read(
      """
      protocol: many
      bit-order: \(order)
      carriers: [{name: udp, over: udp, port: 5006}]
      messages: [{name: ALL, from: client, fields: [\(fields)]}]
      """)
    let kind = try #require(owner["ALL"])
    #expect(widths.reduce(0, +) % 8 == 0 && kind.layout.fixedSize == widths.reduce(0, +) / 8)
    for filling in [0, 0xff, 0xa5] as [UInt8] {
      let message = Message(keeping: [UInt8](repeating: filling, count: kind.layout.fixedSize), as: owner.dialects[0])
      for (row, width) in zip(kind.layout.fields, widths) {
        let most = UInt64.max >> UInt64(64 - width)
        for value in [0, 1, most / 2, most - 1, most] {
          var changed = message
          try changed.set(row.name, to: .unsigned(value))
          #expect(changed.value(of: row.name) == .unsigned(value), "\(row.name) \(value)")
          for other in kind.layout.fields where other != row {
            #expect(changed.value(of: other.name) == message.value(of: other.name), "\(row.name), \(other.name)")
          }
        }
        guard width < 64 else { continue }
        #expect(throws: WireError.self) {
          try Message(kind, fields: [row.name: .unsigned(most + 1)])
        }
      }
    }
  }

  @Test("The bits of a message are in the order of its fields")
  func order() throws {
    let text =
      "protocol: two\ncarriers: [{name: udp, over: udp, port: 5006}]\nbyte-order: BYTES\nmessages:\n"
      + "  - {name: ALL, from: client, fields: [{name: a, type: bits 4}, {name: b, type: bits 12}]}"
    for (word, bytes) in [("big", [0x12, 0x34]), ("little", [0x41, 0x23])] as [(String, [UInt8])] {
      let owner = try Self.read(text.replacing("BYTES", with: word))
      let message = try Message(
        try #require(owner["ALL"]), fields: ["a": .unsigned(1), "b": .unsigned(0x234)])
      #expect(message.bytes == bytes, "\(word)")
    }
  }

  @Test("A value outside the rule of a bit field is found, on both sides of each limit")
  func rules() throws {
    let owner = try Self.read(Self.ddp)
    let kind = try #require(owner["PIXELS"])
    func found(_ field: String, _ bits: UInt64) throws -> [String] {
      var message = Message.right(kind)
      message.put(bits: bits, try #require(kind.layout[field]))
      return Self.decode(message.bytes, owner).1
    }
    for (field, bits) in [
      ("spare", 0), ("flags", 3), ("level", 4_000), ("mode", 5), ("heat", 280), ("sequence", 15),
    ] as [(String, UInt64)] {
      #expect(try found(field, bits) == [], "\(field)")
    }
    #expect(try found("spare", 2) == ["spare is 2; it is reserved and always 0"])
    #expect(try found("flags", 4) == ["flags is 0x04; reserved bits are set (only bits 0x3)"])
    #expect(try found("level", 4_001) == ["level is 4001; it must be in 0…4000"])
    #expect(try found("mode", 4) == ["mode is 4; known: 0 off, 5 on"])
    #expect(try found("heat", 281) == ["heat is 100.5; it must be in -40…100"])
  }

  @Test("Numbers of 4 bits that skip 0 order a stream, and a receiver that wraps wrongly is found")
  func numbers() async throws {
    let suite = Suite.declared(by: try Self.read(Self.ddp))
    for (system, isRight) in [
      ("lights-host", true), ("lights-client", true), ("lights-host+wrap-is-old", false),
      ("lights-host+confuses-values", false),
    ] {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      let wrong = results.filter { $0.verdict != .pass }.map { "\($0.scenario.id): \($0.verdict)" }
      #expect(!results.isEmpty && wrong.isEmpty == isRight, "\(system): \(wrong)")
    }
  }

  @Test("Every change of a fuzzer stays within the field, and changes it")
  func hostile() throws {
    let kind = try #require(try Self.read(Self.ddp)["PIXELS"])
    for (row, change) in kind.hostileChanges {
      guard let row, case .bits = row.type else { continue }
      let right = Message.right(kind).bytes
      guard let present = row.changeableBits(in: right.span.bytes), let bits = row.bits(present, after: change),
        bits != present
      else { continue }
      #expect(bits <= row.type.largest, "\(row.name) \(change)")
      var changed = right
      row.write(bits: bits, into: &changed)
      #expect(row.bits(in: changed.span.bytes) == bits, "\(row.name) \(change)")
      for other in kind.layout.fields where other != row {
        #expect(other.bits(in: changed.span.bytes) == other.bits(in: right.span.bytes), "\(row.name), \(other.name)")
      }
    }
    let level = try #require(kind.layout["level"])
    let changes = kind.hostileChanges.filter { $0.field == level }.map(\.change)
    for bits in [4_000, 4_001, 0xfff, 0x800] as [UInt64] { #expect(changes.contains(.bits(bits)), "\(bits)") }
  }

  @Test("A length field of bits counts bytes")
  func length() throws {
    let owner = try Self.read(
      """
      protocol: names
      carriers: [{name: udp, over: udp, port: 5006}]
      messages:
        - name: NAME
          from: client
          fields: [{name: kind, type: bits 3}, {name: count, type: bits 5}, {name: name, type: text in count}]
      """)
    let kind = try #require(owner["NAME"])
    let message = try Message(kind, fields: ["kind": .unsigned(5), "name": .text("abc")])
    #expect(message.bytes == [0x1d, 0x61, 0x62, 0x63])
    #expect(Self.decode([0x1d, 0x61, 0x62], owner).1 == ["truncated: needed 4 bytes, had 3"])
    #expect(throws: WireError.self) { try Message(kind, fields: ["name": .text(String(repeating: "a", count: 32))]) }
  }

  @Test(
    "An error names its line and column",
    arguments: [
      (
        "{name: a, type: bits 3}, {name: b, type: u8}",
        "\"a\" ends within a byte, of which 5 bits are missing: add a field, such as {name: spare, type: bits 5, reserved: true}"
      ),
      (
        "{name: a, type: bits 15}",
        "\"a\" ends within a byte, of which 1 bit is missing: add a field, such as {name: spare, type: bits 1, reserved: true}"
      ),
      ("{name: a, type: bits 0}", "\"bits 0\": a field has 1 to 64 bits; more are \"bytes N\""),
      ("{name: a, type: bits 65}", "\"bits 65\": a field has 1 to 64 bits; more are \"bytes N\""),
      ("{name: a, type: bits}", "there is no type \"bits\"; write \"bits N\" with their number, such as \"bits 1\""),
      ("{name: a, type: u4}", "there is no type \"u4\"; write \"bits 4\", or \"u32\" for 4 bytes"),
      ("{name: a, type: b1}", "there is no type \"b1\"; write \"bits 1\""),
      ("{name: a, type: uint48_t}", "there is no type \"uint48_t\"; write \"bits 48\""),
      (
        "{name: a, type: i12}",
        "there is no type \"i12\"; signed numbers have 8, 16, 24, 32 or 64 bits: write \"bits 12\", which is unsigned"
      ),
      ("{name: a, type: nibble}", "there is no type \"nibble\"; write \"bits 4\""),
      (
        "{name: a, type: bits 16, byte-order: big}",
        "\"byte-order\" is for numbers of whole bytes; for \"a\", bits 16, write \"bit-order\""
      ),
      ("{name: a, type: u16, bit-order: low-first}", "\"bit-order\" is for \"type: bits N\"; \"a\" is uint16"),
      (
        "{name: a, type: bits 4}, {name: b, type: bits 4, bit-order: high-first}",
        "\"b\" shares a byte with \"a\", which has the other order: \"bit-order\" is for the first field of a byte"
      ),
      (
        "{name: a, type: bits 4, equals: 16}, {name: b, type: bits 4}",
        "\"a\" is bits 4, which holds whole numbers from 0 to 15, not 16"
      ),
      ("{name: a, type: bits 4, bits: 0x10}, {name: b, type: bits 4}", "\"a\" is bits 4, which has no bits 0x10"),
      (
        "{name: a, type: bits 4, range: [0, 16]}, {name: b, type: bits 4}",
        "\"a\" is bits 4, which holds whole numbers from 0 to 15, not 16"
      ),
      (
        "{name: a, type: bits 4, codes: {16: on}}, {name: b, type: bits 4}",
        "\"a\" is bits 4, which holds whole numbers from 0 to 15, not 16"
      ),
      (
        "{name: a, type: bits 1, bits: 1, bit-names: [x, y]}, {name: b, type: bits 7}",
        "\"a\" is bits 1, which has no 2 bits"
      ),
      (
        "{name: a, type: bits 33, scale: 2}, {name: b, type: bits 7}",
        "\"scale\" and \"offset\" are for whole numbers of at most 32 bits; \"a\" is bits 33"
      ),
      (
        "{name: b, type: u8}, {name: a, type: bits 8, check: crc8}",
        "a checksum is u8, u16, u24 or u32; \"a\" is bits 8"
      ),
      (
        "{name: a, type: bits 4}, {name: b, type: bits 4}, {name: c, type: u8, check: {algorithm: crc8, from: b}}",
        "\"b\" begins within a byte, and a checksum covers whole ones: name the first field of that byte"
      ),
      (
        "{name: a, type: bits 4}, {name: b, type: bits 4}, {name: c, type: u8, check: {algorithm: crc8, to: a}}",
        "\"a\" ends within a byte, and a checksum covers whole ones: name the last field of that byte"
      ),
    ])
  func refused(_ fields: String, _ problem: String) throws {
    let error = #expect(throws: YAMLFileError.self) {
      try Self.read(
        """
        protocol: bad
        carriers: [{name: udp, over: udp, port: 5006}]
        messages:
          - {name: ALL, from: client, fields: [\(fields)]}
        """)
    }
    #expect(error?.problem == problem)
    #expect(error?.line == 4)
  }

  @Test("A header that ends within a byte is an error")
  func header() throws {
    let text = Self.rtp.replacing("{name: kind, type: bits 7, is: type}", with: "{name: kind, type: bits 6, is: type}")
    let error = #expect(throws: YAMLFileError.self) { try Self.read(text) }
    #expect(error?.problem.hasPrefix("\"kind\" ends within a byte, of which 1 bit is missing") == true)
    #expect(error?.line == 10)
  }

  @Test("Over a stream of messages of one size, the bits of the first byte show where one begins")
  func heads() throws {
    func text(_ rule: String) -> String {
      """
      protocol: heads
      carriers: [{name: tcp, over: tcp, port: 5007, framing: fixed}]
      header: [{name: kind, type: bits 4, is: type}, {name: mark, type: bits 4, \(rule)}]
      messages:
        - {name: A, type: 1, from: client, fields: [{name: x, type: u8}]}
        - {name: B, type: 2, from: client, fields: [{name: x, type: u8}]}
      """
    }
    let owner = try Self.read(text("equals: 0xa, is: identity"))
    #expect(owner.dialects[0].framing == .fixed(size: 2, heads: [0xa1, 0xa2]))
    #expect(throws: YAMLFileError.self) { try Self.read(text("range: [0, 3]")) }
  }
}
