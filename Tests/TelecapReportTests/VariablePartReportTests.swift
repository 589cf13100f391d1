import TelecapProtocols
import TelecapRecording
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

  private static func tiles() throws -> MessageKind {
    let owner = try ProtocolFile.read(
      """
      protocol: wall
      byte-order: big
      carriers: [{name: udp, over: udp, port: 5013}]
      header: [{name: kind, type: u8, is: type}]
      parts: {tile: [{name: x, type: u16, unit: px}, {name: hue, type: u8}]}
      messages:
        - name: ONE
          type: 1
          from: client
          fields: [{name: n, type: u8}, {name: tiles, repeat: tile, times: n}, {name: end, type: u8}]
      """, file: "wall.yaml")
    return try #require(owner["ONE"])
  }

  @Test("The page has the fields of each entry, each with its own bytes")
  func entries() throws {
    let kind = try Self.tiles()
    let bytes: [UInt8] = [1, 2, 0, 5, 6, 1, 0, 7, 9]
    let wrong = MessageDetail.Found(rule: "value", severity: .warning, text: "tiles[1].hue is 7", range: 7..<8)
    let detail = MessageDetail(kind, kind.owner.dialects[0], bytes, [wrong])
    #expect(
      detail.rows.map { "\($0.offset) \($0.name) \($0.value)" } == [
        "0 kind 1 ONE", "1 n 2", "2 tiles 2 entries", "2 tiles[0].x 5 px", "4 tiles[0].hue 6", "5 tiles[1].x 256 px",
        "7 tiles[1].hue 7", "8 end 9",
      ])
    #expect(detail.lines[0].bytes.map(\.fields) == ["0", "1", "3", "3", "4", "5", "5", "6", "7"])
    #expect(detail.rows.filter { $0.finding != nil }.map(\.name) == ["tiles", "tiles[1].hue"])
  }

  @Test("At most 64 entries of a field are shown", arguments: [63, 64, 65])
  func maximum(_ count: Int) throws {
    let kind = try Self.tiles()
    let bytes = [1, UInt8(count)] + [UInt8](repeating: 0, count: 3 * count) + [9]
    let rows = MessageDetail(kind, kind.owner.dialects[0], bytes, []).rows
    #expect(rows.count == 4 + 2 * min(64, count))
    #expect(rows[2].value == "\(count) entries" + (count > 64 ? ", the first 64 shown" : ""))
    #expect(rows.last?.name == "end" && rows.last?.offset == bytes.count - 1)
  }

  @Test("The reference has the fields of an entry and the number that counts the entries")
  func entriesOfReference() throws {
    let page = ProtocolReference([try Self.tiles().owner]).markdown
    for words in [
      "| tiles | tile[]; as many as n |", "| tiles[…].x | uint16, big-endian |", "| tiles[…].hue | uint8 |",
      "tiles … as many as n says",
    ] {
      #expect(page.contains(words), "\(words): \(page)")
    }
  }
}
