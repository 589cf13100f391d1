import TelecapProtocols
import TelecapWire
import Testing

@testable import TelecapReport

/// Fields whose place the message shows, in what people read.
@Suite("Fields that move, on the page and in the reference") struct VariablePartReportTests {
  private static func declared() throws -> WireProtocol {
    try ProtocolFile.read(
      """
      protocol: moving
      byte-order: big
      carriers: [{name: udp, over: udp, port: 5012}]
      header: [{name: kind, type: u8, is: type}, {name: length, type: u8}, {name: flags, type: u8}]
      parts: {body: [{name: x, type: u16}, {name: y, type: u32}]}
      messages:
        - name: ONE
          type: 1
          from: client
          fields:
            - {part: body, cut-zeros: length}
            - {name: extra, type: u16, when: {field: flags, bits: 0x10}}
            - {name: path, type: text to 0, padded-to: 4}
            - {name: count, type: u8}
            - {name: data, type: bytes in count, words: 2, less: 2}
            - {name: crc, type: u16, check: crc16-x25}
            - {name: late, type: u8, optional: true}
      """, file: "moving.yaml")
  }

  @Test("The page has each field where it is, and none that is missing")
  func page() throws {
    let owner = try Self.declared()
    let kind = try #require(owner["ONE"])
    let message = try Message(kind, fields: ["x": .unsigned(7), "path": .text("ab"), "data": .bytes([1, 2])])
    #expect(message.bytes.dropLast(2) == [1, 2, 0, 0, 7, 0x61, 0x62, 0, 2, 1, 2])
    let detail = MessageDetail(kind, owner.dialects[0], message.bytes, [])
    #expect(detail.rows.map(\.name) == ["kind", "length", "flags", "x", "y", "path", "count", "data", "crc"])
    #expect(detail.rows.map(\.offset) == [0, 1, 2, 3, 5, 5, 8, 9, 11])
    #expect(detail.rows[4].value == "0")
    let full = try Message(message, fields: ["extra": .unsigned(5), "late": .unsigned(1)])
    let rows = MessageDetail(kind, owner.dialects[0], full.bytes, []).rows
    #expect(rows.map(\.name).contains("extra") && rows.last?.name == "late")
    #expect(rows.first { $0.name == "path" }?.offset == 7)
  }

  @Test("The reference says when a field is there, what counts it and what is cut")
  func reference() throws {
    let page = ProtocolReference([try Self.declared()]).markdown
    for words in [
      "zeros at the end of the payload are cut, length counts the rest", "when flags & 0x10 = 0x10",
      "to 0, padded to 4", "as many bytes as count × 2 − 2", "may be missing", "| ≥ 3",
    ] {
      #expect(page.contains(words), "\(words): \(page)")
    }
  }
}
