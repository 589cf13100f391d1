import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("A checksum in any field, of any algorithm, over any bytes") struct ChecksumTests {
  /// A protocol of one message with these fields.
  private static func read(_ fields: String, more: String = "") throws -> WireProtocol {
    let text = """
      protocol: sums
      carriers: [{name: udp, over: udp, port: 40500}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - name: DATA
          type: 1
          from: client
          fields:
      \(fields.split(separator: "\n").map { "      - \($0)" }.joined(separator: "\n"))
      \(more)
      """
    return try ProtocolFile.read(text, file: "sums.yaml")
  }

  private static func findings(_ bytes: [UInt8], _ owner: WireProtocol) -> [String] {
    Message.decode(bytes.span.bytes, as: owner.dialects[0]).findings.map { "\($0)" }
  }

  // MARK: - Algorithms

  /// The results for "123456789" in the catalogue of parametrised CRC algorithms (reveng.sourceforge.io), and those of sums, which are
  /// counted by hand.
  static let catalogue: [(algorithm: String, type: String, value: UInt64)] = [
    ("crc8", "u8", 0xf4), ("crc8-dvb-s2", "u8", 0xbc), ("crc8-maxim", "u8", 0xa1), ("crc8-sae-j1850", "u8", 0x4b),
    ("crc16-ibm", "u16", 0xbb3d), ("crc16-modbus", "u16", 0x4b37), ("crc16-umts", "u16", 0xfee8),
    ("crc16-ccitt", "u16", 0x29b1), ("crc16-xmodem", "u16", 0x31c3), ("crc16-kermit", "u16", 0x2189),
    ("crc16-mcrf4xx", "u16", 0x6f91), ("crc16-x25", "u16", 0x906e), ("crc24", "u24", 0x21cf02),
    ("crc32", "u32", 0xcbf4_3926), ("crc32-mpeg-2", "u32", 0x0376_e6e7), ("crc32c", "u32", 0xe306_9283),
    ("xor", "u8", 0x31), ("sum", "u8", 0xdd), ("sum", "u16", 477), ("difference", "u8", 0x23),
    ("fletcher16", "u16", 0x1ede),
    ("{algorithm: difference, init: 0x40}", "u8", 0x63), ("{algorithm: sum, init: 1, xorout: 0xff}", "u8", 0x21),
    // CRC-16/DNP, CRC-16/GENIBUS and CRC-32/BZIP2, which have no name here.
    ("{algorithm: crc, polynomial: 0x3d65, reflect: true, xorout: 0xffff}", "u16", 0xea82),
    ("{algorithm: crc, polynomial: 0x1021, init: 0xffff, xorout: 0xffff}", "u16", 0xd64e),
    ("{algorithm: crc, polynomial: 0x04c11db7, init: 0xffffffff, xorout: 0xffffffff}", "u32", 0xfc89_1918),
    // CRC-16/TMS37157: a start value that is not the same when it is reflected.
    ("{algorithm: crc, polynomial: 0x1021, init: 0x89ec, reflect: true}", "u16", 0x26b1),
  ]

  @Test("Each algorithm gives the check value of the catalogue", arguments: 0..<catalogue.count)
  func algorithms(_ index: Int) throws {
    let (algorithm, type, value) = Self.catalogue[index]
    let check =
      algorithm.hasPrefix("{") ? "{from: text, \(algorithm.dropFirst())" : "{algorithm: \(algorithm), from: text}"
    let owner = try Self.read("{name: text, type: bytes 9}\n{name: check, type: \(type), check: \(check)}")
    let message = try Message(try #require(owner["DATA"]), fields: ["text": .bytes(Array("123456789".utf8))])
    #expect(message.value(of: "check") == .unsigned(value))
    #expect(Self.findings(message.bytes, owner).isEmpty)
  }

  @Test("The catalogue has every algorithm")
  func names() {
    let names = Set(Self.catalogue.map(\.algorithm))
    #expect(ChecksumAlgorithm.names.allSatisfy(names.contains))
  }

  // MARK: - Messages of others

  private static func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.bytes(hex)) }

  @Test("A frame of CRSF, as betaflight captured it, has a CRC-8 over type and payload")
  func crsf() throws {
    let text = """
      protocol: crsf
      exact: true
      carriers: [{name: udp, over: udp, port: 40500}]
      header: [{name: device, type: u8}, {name: length, type: u8, is: length, excluding: 2}, {name: kind, type: u8, is: type}]
      messages:
        - name: RC
          type: 0x16
          from: client
          fields: [{name: channels, type: bytes 22}, {name: crc, type: u8, check: {algorithm: crc8-dvb-s2, from: kind}}]
      """
    let owner = try ProtocolFile.read(text, file: "crsf.yaml")
    let frame = try Self.bytes("001816bd089ff4aef7bdef7deffbadfd452b5a0100000000006c")
    #expect(Self.findings(frame, owner).isEmpty)
    var other = frame
    other[0] = 0xc8
    #expect(Self.findings(other, owner).isEmpty, "the device is not covered")
    for place in 2..<26 {
      other = frame
      other[place] ^= 4
      #expect(!Self.findings(other, owner).isEmpty, "byte \(place)")
    }
  }

  @Test("A HEARTBEAT of MAVLink has an X.25 sum over what follows the magic, and a byte of its own")
  func mavlink() throws {
    let text = """
      protocol: mav
      carriers: [{name: udp, over: udp, port: 40500}]
      header:
        - {name: magic, type: u8, equals: 0xfd, is: identity}
        - {name: size, type: u8}
        - {name: flags, type: u16}
        - {name: number, type: u8}
        - {name: system, type: u8}
        - {name: component, type: u8}
        - {name: kind, type: u24, is: type}
      messages:
        - name: HEARTBEAT
          type: 0
          from: client
          fields:
            - {name: payload, type: bytes 9}
            - {name: crc, type: u16, check: {algorithm: crc16-mcrf4xx, from: size, extra: EXTRA}}
            - {name: signature, type: bytes 13}
      """
    let frame = try Self.bytes("fd090100000000000000040000000102030503d9d1010200000000000e47040cef9b")
    let right = try ProtocolFile.read(text.replacing("EXTRA", with: "50"), file: "mav.yaml")
    #expect(Self.findings(frame, right).isEmpty)
    let other = try ProtocolFile.read(text.replacing("EXTRA", with: "51"), file: "mav.yaml")
    #expect(Self.findings(frame, other).first?.hasPrefix("the checksum is 0xd1d9; that of these bytes is 0x") == true)
    #expect(Self.findings(frame, other).count == 1)
  }

  @Test("A ping of Dynamixel has a CRC-16 without reflection over all before it")
  func dynamixel() throws {
    let owner = try Self.read(
      "{name: rest, type: bytes 7}\n{name: crc, type: u16, check: crc16-umts}", more: "")
    let frame = try Self.bytes("fffffd0001030001194e")
    // The kind is the first byte there.
    let text = owner.declaration.replacing("type: 1\n", with: "type: 0xff\n")
    #expect(Self.findings(frame, try ProtocolFile.read(text, file: "sums.yaml")).isEmpty)
  }

  // MARK: - Ranges

  @Test("A checksum covers exactly its range: a changed byte within it is found, and no other")
  func ranges() throws {
    let ranges: [(check: String, covered: Range<Int>)] = [
      ("crc8", 0..<3), ("{algorithm: crc8}", 0..<3), ("{algorithm: crc8, from: start, to: end}", 0..<6),
      ("{algorithm: crc8, from: one}", 1..<3), ("{algorithm: crc8, from: one, to: one}", 1..<2),
      ("{algorithm: crc8, from: three, to: four}", 4..<6), ("{algorithm: crc8, to: kind}", 0..<1),
      ("{algorithm: crc8, from: two, to: three}", 2..<5),
    ]
    for (check, covered) in ranges {
      let owner = try Self.read(
        """
        {name: one, type: u8}
        {name: two, type: u8}
        {name: sum, type: u8, check: \(check)}
        {name: three, type: u8}
        {name: four, type: u8}
        """)
      let fields: [String: FieldValue] = ["one": .unsigned(7), "two": .unsigned(8), "four": .unsigned(9)]
      let message = try Message(try #require(owner["DATA"]), fields: fields)
      #expect(Self.findings(message.bytes, owner).isEmpty, "\(check)")
      for place in 1..<6 {
        var other = message.bytes
        other[place] ^= 0x10
        #expect(
          Self.findings(other, owner).isEmpty == (!covered.contains(place) && place != 3), "\(check), byte \(place)")
      }
      // Bytes that follow the message are not covered, and a cut message is found by its size.
      #expect(Self.findings(message.bytes + [1], owner) == ["1 trailing byte after the message of 6"])
      let cut = Self.findings(Array(message.bytes.dropLast()), owner)
      #expect(cut == ["truncated: needed 6 bytes, had 5"] || cut.first?.hasPrefix("the checksum") == true, "\(cut)")
    }
  }

  @Test("A checksum over another one is written after it, in either order of the fields")
  func nested() throws {
    for fields in [
      "{name: outer, type: u16, check: {algorithm: crc16-x25, to: end}}\n{name: value, type: u8}\n{name: inner, type: u8, check: {algorithm: sum, from: value}}",
      "{name: inner, type: u8, check: sum}\n{name: value, type: u8}\n{name: outer, type: u16, check: crc16-x25}",
    ] {
      let owner = try Self.read(fields)
      let message = try Message(try #require(owner["DATA"]), fields: ["value": .unsigned(77)])
      #expect(Self.findings(message.bytes, owner).isEmpty)
      // A given checksum stays, and the other one is right for it.
      let wrong = try Message(try #require(owner["DATA"]), fields: ["value": .unsigned(77), "inner": .unsigned(9)])
      #expect(wrong.value(of: "inner") == .unsigned(9))
      #expect(Self.findings(wrong.bytes, owner).count == 1)
    }
  }

  @Test("A checksum covers a message of any size to its end")
  func variable() throws {
    let owner = try Self.read(
      "{name: sum, type: u16, check: {algorithm: fletcher16, from: size, to: end}}\n{name: size, type: u8}\n{name: data, type: bytes in size}"
    )
    for count in [0, 1, 200] {
      let data = [UInt8](repeating: 0x61, count: count)
      let message = try Message(try #require(owner["DATA"]), fields: ["data": .bytes(data)])
      #expect(Self.findings(message.bytes, owner).isEmpty)
      var other = message.bytes
      other[other.count - 1] ^= 1
      #expect(Self.findings(other, owner).contains { $0.hasPrefix("the checksum") } || count == 0)
    }
  }

  // MARK: - Conformance

  @Test("A receiver that ignores checksums fails, and so does a sender of wrong ones")
  func judged() async throws {
    let owner = try Self.read(
      "{name: n, type: u16}\n{name: level, type: u8}\n{name: crc, type: u8, check: crc8}",
      more: "streams: [{name: level, message: DATA, order: n, values: [level]}]")
    let suite = Suite.declared(by: owner)
    func failed(_ system: String) async throws -> Set<String> {
      let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      #expect(!results.isEmpty)
      return Set(results.filter { $0.verdict != .pass }.map(\.scenario.requirement.id))
    }
    #expect(try await failed("sums-host") == [])
    #expect(try await failed("sums-host+header-unchecked").contains("sums.header.crc"))
    #expect(try await failed("sums-client") == [])
    #expect(try await failed("sums-client+wrong-checksum").contains("sums.client.well-formed"))
    let changes = try #require(owner["DATA"]).hostileChanges.filter { $0.field?.name == "crc" }.map(\.change)
    #expect(changes == [.flip(1), .flip(0xff)])
  }

  // MARK: - Files

  @Test(
    "An impossible checksum is rejected",
    arguments: [
      ("{name: sum, type: u16, check: crc8}", "crc8 has 8 bits: \"sum\" is uint16"),
      ("{name: sum, type: i8, check: crc8}", "a checksum is u8, u16, u24 or u32; \"sum\" is int8"),
      ("{name: sum, type: u64, check: sum}", "a checksum is u8, u16, u24 or u32; \"sum\" is uint64"),
      ("{name: sum, type: u8, check: crc9}", "there is no checksum \"crc9\"; did you mean \"crc8\"?"),
      ("{name: sum, type: u8, check: crc}", "\"algorithm: crc\" requires \"polynomial\", without its highest bit"),
      (
        "{name: sum, type: u8, check: {algorithm: crc, polynomial: 0x107}}",
        "\"polynomial\" is a number of 8 bits, as \"sum\" is"
      ),
      (
        "{name: sum, type: u8, check: {algorithm: crc8, init: 1}}",
        "\"init\" is for \"algorithm: crc\"; crc8 has its own"
      ),
      ("{name: sum, type: u8, check: {algorithm: crc8, extra: 256}}", "\"extra\" is a byte, 0 to 255"),
      (
        "{name: sum, type: u8, check: {algorithm: crc8, from: sun}}",
        "there is no field that a checksum covers \"sun\"; did you mean \"sum\"?"
      ),
      (
        "{name: sum, type: u8, check: {algorithm: crc8, from: sum, to: kind}}",
        "the checksum covers nothing: its range ends before it begins"
      ),
      (
        "{name: sum, type: u8, check: {algorithm: crc8, from: sum, to: sum}}",
        "the checksum covers only itself: name the first and the last field that it covers, or leave out \"from\" and \"to\""
      ),
      ("{name: sum, type: u8, equals: 1, check: crc8}", "\"sum\" is a checksum, which \"equals\" cannot hold"),
      (
        "{name: sum, type: u8, check: {algorithm: crc8, to: end}}\n{name: two, type: u8, check: {algorithm: crc8, to: end}}",
        "\"sum\" and \"two\" are checksums that cover one another: name the first and the last field that \"two\" covers, as check: "
          + "{algorithm: …, from: …, to: …}"
      ),
    ])
  func refused(_ fields: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try Self.read(fields) }
    #expect(error?.problem == problem)
  }

  @Test(
    "A checksum field may be at an end of the range that it covers",
    arguments: ["from: kind, to: sum", "from: sum, to: tail"])
  func coversItself(_ range: String) throws {
    _ = try Self.read("{name: sum, type: u8, check: {algorithm: crc8, \(range)}}\n{name: tail, type: u8}")
  }
}
