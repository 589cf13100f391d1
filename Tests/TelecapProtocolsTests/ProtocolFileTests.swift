import Foundation
import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// The file that proves that a protocol is a value.
enum DSU {
  static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios/protocols/dsu.yaml").path
  static let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  static let wire = try? ProtocolFile.read(text, file: "dsu.yaml")

  /// VERSION asked, id 0x12345678.
  static let version = Hex.bytes("44535543e9030400c9bc7bb77856341200001000") ?? []
  /// PAD asked of all slots, id 1.
  static let asked = Hex.bytes("44535543e9030c0001623bb901000000020010000000000000000000") ?? []
  /// PAD of slot 0, id 42, packet_number 7, motion_timestamp 1 s, accel (0, −1, 0) g, gyro (0.5, −0.25, 90) °/s.
  static let pad =
    Hex.bytes(
      "44535553e9035400b54ca5142a0000000200100000020202010203040506050107000000000000008080808000000000000000000000000000"
        + "000000000000000000000040420f000000000000000000000080bf000000000000003f000080be0000b442") ?? []
}

@Suite("A protocol in a file: DSU") struct ProtocolFileTests {
  private func decode(_ bytes: [UInt8]) throws -> (kind: MessageKind, findings: [Finding]) {
    let dsu = try #require(DSU.wire)
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes.span.bytes, as: dsu.dialects[0], findings: &findings)
    return (kind, findings)
  }

  @Test("The golden vectors decode to their messages and values")
  func theGoldenVectorsAreWhatTheySay() throws {
    let (version, none) = try decode(DSU.version)
    #expect(version.name == "VERSION_REQUEST" && none.isEmpty)
    #expect(try decode(DSU.asked).kind.name == "PAD_REQUEST")
    let (pad, findings) = try decode(DSU.pad)
    #expect(pad.name == "PAD" && findings.isEmpty)
    let message = Message(keeping: DSU.pad, as: try #require(DSU.wire).dialects[0])
    #expect(message.value(of: "packet_number") == .unsigned(7))
    #expect(message.value(of: "motion_timestamp_us") == .unsigned(1_000_000))
    #expect(message.value(of: "accel_y") == .float(-1) && message.value(of: "roll") == .float(90))
    #expect(message.value(of: "mac") == .bytes([1, 2, 3, 4, 5, 6]))
  }

  @Test("Messages are built with their length and checksum")
  func messagesAreBuiltWithTheirLengthAndChecksum() throws {
    let dsu = try #require(DSU.wire)
    let asked = try Message(try #require(dsu["PAD_REQUEST"]), fields: ["id": .unsigned(1)])
    #expect(Hex.text(asked.bytes) == Hex.text(DSU.asked))
    let version = try Message(try #require(dsu["VERSION_REQUEST"]), fields: ["id": .unsigned(0x1234_5678)])
    #expect(Hex.text(version.bytes) == Hex.text(DSU.version))
    // A given value stays, even if it is wrong.
    let wrong = try Message(try #require(dsu["VERSION_REQUEST"]), fields: ["crc32": .unsigned(1)])
    #expect(try decode(wrong.bytes).findings.map(\.rule.id) == ["header.crc32"])
  }

  @Test(
    "A wrong byte is found, and its requirement named",
    arguments: [
      (0, "header.magic"), (4, "header.version"), (6, "header.length"), (8, "header.crc32"), (12, "header.crc32"),
      (16, "header.type"), (40, "header.crc32"),
    ])
  func wrong(_ offset: Int, _ rule: String) throws {
    var bytes = DSU.pad
    bytes[offset] ^= 0x20
    let findings = try decode(bytes).findings
    #expect(findings.map(\.rule.id) == [rule])
    #expect(findings.first?.severity == .error)
    #expect(findings.first?.rule.requirement == "dsu.\(rule)")
  }

  @Test("Every shorter length is no message")
  func everyShorterLengthIsNoMessage() throws {
    for count in 0..<DSU.pad.count {
      let findings = try decode(Array(DSU.pad.prefix(count))).findings
      #expect(findings.contains { $0.severity == .error }, "cut to \(count)")
    }
  }

  @Test("A VERSION of 24 bytes is decoded, with a finding")
  func aServerThatAnswersVERSIONWith24BytesIsReadAndFound() throws {
    let dsu = try #require(DSU.wire)
    var message = Message(empty: try #require(dsu["VERSION"]))
    message = Message(keeping: message.bytes + [0, 0], as: dsu.dialects[0])
    message.seal()
    let (kind, findings) = try decode(message.bytes)
    #expect(kind.name == "VERSION" && findings.map(\.rule.id) == ["length.trailing"])
    #expect(MessageDecoder.check(message.bytes.span.bytes, as: dsu.dialects[0]).error == nil)
    #expect(findings.first?.description == "2 trailing bytes after the message of 22")
  }

  @Test("Bytes after the length are cut off, and found")
  func bytesBehindTheLengthAreCutOffAndFound() throws {
    let (kind, findings) = try decode(DSU.pad + [1, 2, 3])
    #expect(kind.name == "PAD" && findings.map(\.rule.id) == ["length.trailing"])
  }

  @Test("Values that are not in their tables are found")
  func valuesOutOfTheirTablesAreFound() throws {
    let dsu = try #require(DSU.wire)
    let pad = try #require(dsu["PAD"])
    func found(_ field: String, _ value: FieldValue) throws -> [String] {
      try decode(try Message(pad, fields: [field: value]).bytes).findings.map { "\($0.rule.id) \($0)" }
    }
    #expect(try found("slot", .unsigned(4)) == ["value.out-of-range slot is 4; it must be in 0…3"])
    #expect(try found("accel_x", .float(.nan)) == ["value.not-a-number accel_x is not a number (NaN)"])
    #expect(try found("battery", .unsigned(0xee)).isEmpty)
    #expect(try found("battery", .unsigned(0xed)).first?.hasPrefix("value.unknown-code battery is 237") == true)
  }
}

@Suite("A protocol in a file: errors") struct ProtocolFileErrorTests {
  /// A file that is right, to be made wrong in one place.
  private static let lines = [
    "protocol: toy", "carriers:", "  - {name: udp, over: udp, port: 4000}", "header:",
    "  - {name: magic, type: text 2, equals: TY, is: identity}", "  - {name: kind, type: u8, is: type}", "messages:",
    "  - name: STATE", "    type: 1", "    from: client", "    fields:", "      - {name: count, type: u8}",
    "      - {name: names, type: text in count}",
  ]

  private func error(_ line: Int, _ text: String) -> String? {
    var lines = ProtocolFileErrorTests.lines
    lines[line - 1] = text
    do throws(YAMLFileError) {
      _ = try ProtocolFile.read(lines.joined(separator: "\n"), file: "toy.yaml")
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A valid file has no error")
  func aRightFileHasNone() { #expect(error(1, "protocol: toy") == nil) }

  @Test(
    "Each error names line, column and what was probably meant",
    arguments: [
      (
        1, "protocol: Toy",
        "toy.yaml:1:11: \"protocol\": a name is lower-case letters and digits, found \"Toy\"; did you mean \"toy\"?"
      ),
      (1, "protokol: toy", "toy.yaml:1:1: unknown key \"protokol\" in protocol; did you mean \"protocol\"?"),
      (3, "  - {name: udp, over: udp, port: 70000}", "toy.yaml:3:34: expected a port from 1 to 65535, found 70000"),
      (
        5, "  - {name: magic, type: text 2, equals: TYY, is: identity}",
        "toy.yaml:5:41: \"magic\" is char[2], which cannot be \"TYY\"; it has 3 bytes: write \"type: text 3\""
      ),
      (6, "  - {name: kind, type: u9, is: type}", "toy.yaml:6:24: there is no type \"u9\"; write \"bits 9\""),
      (9, "    meaning: none", "toy.yaml:8:5: message \"STATE\" has no \"type\""),
      (
        12, "      - {name: count, type: u8, at: 9}",
        "toy.yaml:12:37: \"count\" begins at 3, after the field before it, and not at 9"
      ),
      (
        13, "      - {name: names, type: text in cuont}",
        "toy.yaml:13:29: there is no number \"cuont\" before it; there are kind, count"
      ),
      (13, "      - {name: count, type: u8}", "toy.yaml:13:16: STATE has a second field \"count\""),
      (13, "      - {part: slot}", "toy.yaml:13:16: there is no part \"slot\"; there is none"),
    ])
  func wrong(_ line: Int, _ text: String, _ expected: String) { #expect(error(line, text) == expected) }

  @Test("Every cut of a right file is an error or a protocol, never a trap")
  func everyCutOfARightFileIsAnErrorOrAProtocolNeverATrap() {
    let text = DSU.text
    for count in stride(from: 0, to: text.count, by: 97) {
      _ = try? ProtocolFile.read(String(text.prefix(count)), file: "cut.yaml")
    }
  }
}
