import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapWire

/// A protocol that telecap does not know, declared here: a length and a CRC-32 in its header, two senders with
/// different magics, codes of four bytes. It is DSU, by which pads send their motion to programs
/// (v1993/cemuhook-protocol).
private enum DSU {
  static let magicRule = Rule("dsu.magic", .error)
  static let versionRule = Rule("dsu.version", .error)
  static let lengthRule = Rule("dsu.length", .error)

  static func header(_ magic: String) -> [FieldRow] {
    let bits = magic.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return [
      FieldRow(name: "magic", type: .text(4), offset: 0, rule: magic.isEmpty ? .any : .equal(bits)),
      FieldRow(name: "version", type: .u16, offset: 4, rule: .equal(1_001)),
      FieldRow(name: "length", type: .u16, offset: 6, unit: "bytes"),
      FieldRow(name: "crc32", type: .u32, offset: 8, check: Checksum()),
      FieldRow(name: "id", type: .u32, offset: 12), FieldRow(name: "type", type: .u32, offset: 16),
    ]
  }

  static let padRequest = [
    FieldRow(name: "flags", type: .u8, offset: 20, rule: .bits(3)),
    FieldRow(name: "slot", type: .u8, offset: 21, rule: .range(0...3)),
    FieldRow(name: "mac", type: .octets(6), offset: 22),
  ]

  static let pad =
    [
      FieldRow(name: "slot", type: .u8, offset: 20, rule: .range(0...3)),
      FieldRow(name: "state", type: .u8, offset: 21, rule: .range(0...2)),
      FieldRow(name: "model", type: .u8, offset: 22, rule: .range(0...2)),
      FieldRow(name: "connection", type: .u8, offset: 23, rule: .range(0...2)),
      FieldRow(name: "mac", type: .octets(6), offset: 24), FieldRow(name: "battery", type: .u8, offset: 30),
      FieldRow(name: "connected", type: .u8, offset: 31, rule: .range(0...1)),
      FieldRow(name: "packet_number", type: .u32, offset: 32),
      FieldRow(name: "controls", type: .octets(32), offset: 36),
      FieldRow(name: "motion_timestamp_us", type: .u64, offset: 68, unit: "µs"),
    ]
    + ["accel_x", "accel_y", "accel_z", "pitch", "yaw", "roll"].enumerated().map {
      FieldRow(name: $1, type: .f32, offset: 76 + 4 * $0, rule: .finite)
    }

  static let wire = WireProtocol(
    "dsu", title: "DSU",
    messages: [
      declared("VERSION_ASKED", code: 0x100000, header: header("DSUC"), [], from: .serverToClient, over: ["udp"]),
      declared(
        "VERSION", code: 0x100000, header: header("DSUS"), [FieldRow(name: "max_version", type: .u16, offset: 20)],
        from: .clientToServer, over: ["udp"]),
      declared("PAD_ASKED", code: 0x100002, header: header("DSUC"), padRequest, from: .serverToClient, over: ["udp"]),
      declared("PAD", code: 0x100002, header: header("DSUS"), pad, from: .clientToServer, over: ["udp"]),
    ],
    malformed: declared("MALFORMED", [FieldRow(name: "body", type: .rest, offset: 0)]),
    dialects: [DialectDeclaration("udp", over: "UDP")],
    ports: [PortRow("dsu", .udp, 26_760, dialect: "udp", help: "UDP port of DSU.")],
    recognition: [
      "udp": Recognition(
        header: 20, identity: [.init(header("")[0], magicRule)], code: header("")[5],
        constants: [.init(header("")[1], versionRule)], length: .init(header("")[2], uncounted: 16, lengthRule))
    ], streams: [StreamRules("pad", of: "PAD", order: .sequence("packet_number"))])

  static let udp = wire.dialect("udp")

  static let versionAsked = hex("44535543 e903 0400 c9bc7bb7 78563412 00001000")
  static let padAsked = hex("44535543 e903 0c00 01623bb9 01000000 02001000 0000000000000000")
  static let padData = hex(
    "44535553e9035400b54ca5142a0000000200100000020202010203040506050107000000000000008080808000000000000000000000"
      + "000000000000000000000000000040420f000000000000000000000080bf000000000000003f000080be0000b442")
}

@Suite struct DeclaredProtocolTests {
  private let kinds = DSU.wire.messages

  @Test("The checksum equals zlib's CRC-32")
  func crc() {
    let text = Array("123456789".utf8)
    #expect(Checksum().value(of: text.span.bytes, count: 9, in: 0..<0) == 0xcbf4_3926)
    #expect(Checksum().value(of: (text + [7]).span.bytes, count: 9, in: 0..<0) == 0xcbf4_3926)
    #expect(Checksum().value(of: text.span.bytes, count: 0, in: 0..<0) == 0)
    #expect(Checksum().value(of: text.span.bytes, count: 10, in: 0..<0) == nil)
  }

  @Test("Golden vectors decode to their messages, distinguished by the magic of their sender")
  func golden() throws {
    #expect(decode(DSU.versionAsked, as: DSU.udp) == (kinds[0], []))
    #expect(decode(DSU.padAsked, as: DSU.udp) == (kinds[2], []))
    #expect(decode(DSU.padData, as: DSU.udp) == (kinds[3], []))
    #expect(Message(keeping: DSU.versionAsked, as: DSU.udp).value(of: "id") == .unsigned(0x1234_5678))
    let pad = try #require(Message(decoding: DSU.padData, as: DSU.udp))
    let values: [(String, FieldValue)] = [
      ("magic", .text("DSUS")), ("id", .unsigned(42)), ("slot", .unsigned(0)), ("state", .unsigned(2)),
      ("mac", .bytes([1, 2, 3, 4, 5, 6])), ("battery", .unsigned(5)), ("connected", .unsigned(1)),
      ("packet_number", .unsigned(7)), ("motion_timestamp_us", .unsigned(1_000_000)), ("accel_x", .float(0)),
      ("accel_y", .float(-1)), ("accel_z", .float(0)), ("pitch", .float(0.5)), ("yaw", .float(-0.25)),
      ("roll", .float(90)),
    ]
    for (name, value) in values { #expect(pad.value(of: name) == value, "\(name)") }
    #expect(kinds[3].numbering?.order.name == "packet_number")
  }

  @Test("Fields encode to the same bytes, with computed length and checksum")
  func built() throws {
    #expect(try Message(kinds[0], fields: ["id": .unsigned(0x1234_5678)]).bytes == DSU.versionAsked)
    #expect(try Message(kinds[2], fields: ["id": .unsigned(1)]).bytes == DSU.padAsked)
    let pad = try #require(Message(decoding: DSU.padData, as: DSU.udp))
    let fields = kinds[3].layout.fields.compactMap { field in pad.value(of: field.name).map { (field.name, $0) } }
    let given = Dictionary(fields.filter { !["length", "crc32"].contains($0.0) }) { first, _ in first }
    #expect(try Message(kinds[3], fields: given).bytes == DSU.padData)
    #expect(try Message(kinds[0], fields: ["crc32": .unsigned(5)]).value(of: "crc32") == .unsigned(5), "it may lie")
  }

  @Test("A wrong byte anywhere under the checksum is an error", arguments: [9, 12, 60, 99])
  func wrongChecksum(_ offset: Int) {
    var bytes = DSU.padData
    bytes[offset] ^= 0x10
    let (kind, findings) = decode(bytes, as: DSU.udp)
    #expect(kind == kinds[3])
    #expect(findings.map(\.rule) == [.checksum])
    #expect(findings.map(\.range) == [8..<12])
    #expect(Message(decoding: bytes, as: DSU.udp) == nil)
    #expect(MessageDecoder.check(bytes.span.bytes, as: DSU.udp).error == .checksum)
  }

  @Test("The finding prints both checksums")
  func words() {
    var bytes = DSU.versionAsked
    bytes[8] = 0
    #expect(
      decode(bytes, as: DSU.udp).findings.map(\.description)
        == ["the checksum is 0xb77bbc00; that of these bytes is 0xb77bbcc9"])
  }

  @Test("A length beyond the bytes is an error, also if the datagram was cut")
  func wrongLength() {
    var bytes = DSU.padAsked
    bytes[6] = 13
    #expect(
      decode(bytes, as: DSU.udp) == (kinds[2], [Finding(DSU.lengthRule, 6..<8, .lengths(needed: 29, had: 28))]))
    #expect(
      decode(Array(DSU.padAsked.dropLast()), as: DSU.udp)
        == (kinds[2], [Finding(DSU.lengthRule, 6..<8, .lengths(needed: 28, had: 27))]))
  }

  @Test("Bytes shorter than the header are malformed, and shorter than the message truncated")
  func short() {
    #expect(
      decode(Array(DSU.padAsked.prefix(19)), as: DSU.udp)
        == (DSU.wire.malformed, [Finding(.truncated, 0..<19, .lengths(needed: 20, had: 19))]))
    var cut = Message(keeping: DSU.padAsked.prefix(24), as: DSU.udp)
    cut.seal()
    #expect(
      decode(cut.bytes, as: DSU.udp) == (kinds[2], [Finding(.truncated, 0..<24, .lengths(needed: 28, had: 24))]))
  }

  @Test("Bytes after the length are cut off with a note, and the message is decoded")
  func trailing() {
    let (kind, findings) = decode(DSU.padAsked + [1, 2, 3], as: DSU.udp)
    #expect(kind == kinds[2])
    #expect(findings == [Finding(.trailing, 28..<31, .lengths(needed: 28, had: 31))])
    #expect(Message(decoding: DSU.padAsked + [1, 2, 3], as: DSU.udp) != nil)
  }

  @Test("Another magic, version or type is the protocol's own error")
  func header() {
    var bytes = DSU.padAsked
    bytes[3] = 0x58
    #expect(decode(bytes, as: DSU.udp).kind == DSU.wire.malformed)
    #expect(decode(bytes, as: DSU.udp).findings.map(\.rule) == [DSU.magicRule])
    bytes = DSU.padAsked
    bytes[4] = 0xea
    #expect(decode(bytes, as: DSU.udp) == (kinds[2], [Finding(DSU.versionRule, 4..<6, .found(1_002))]))
    bytes = DSU.padAsked
    bytes[16] = 9
    #expect(decode(bytes, as: DSU.udp) == (DSU.wire.malformed, [Finding(.unknownType, 16..<20, .found(0x100009))]))
  }

  @Test("The protocol's port is matched once it is declared")
  func port() {
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 1), to: Endpoint(.loopback, port: 26_760))
    #expect(Ports([DSU.wire]).match(flow) == PortMatch(dialect: DSU.udp, direction: .clientToServer))
    #expect(DSU.wire.digest.count == 16)
  }
}
