import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("Typed rows") struct TypedRowsTests {
  /// Imports messages as they are, and reads them back.
  private func stored(_ messages: [(MessageKind, [UInt8])], _ folder: Folder) throws -> CaptureReader {
    let writer = try ImportWriter(creating: folder["rows.telecap"], .test, .standard)
    try writer.packets.add(Interface(name: "lo", linkType: 1))
    for (index, (kind, bytes)) in messages.enumerated() {
      try writer.packets.add(
        PacketHeader(number: index + 1, time: .zero, originalLength: bytes.count, linkType: 1), bytes.span.bytes)
      let flow = Flow(.udp, from: Example.phone, to: Example.host)
      let message = DissectedMessage(
        kind: kind, dialect: kind.owner.dialects[0], datagram: Datagram(packet: index + 1, time: .zero, flow: flow),
        direction: kind.layout.direction, session: 0, offset: 0, isValid: true)
      try writer.dissection.message(message, bytes.span.bytes, [])
    }
    try writer.finish(ended: .zero, sessions: [])
    return try CaptureReader(path: folder["rows.telecap"], .standard)
  }

  @Test("A row has the fields of its message, for one of each kind")
  func holdWhatTheWireTablesReadForOneOfEachMessage() throws {
    let folder = try Folder()
    let messages = MessageKind.all.map { kind in
      // Each byte another, text within ASCII, lengths of text that are right, no NaN.
      (
        kind,
        (0..<kind.layout.fixedSize + (kind.layout.fields.contains { $0.type.size == nil } ? 9 : 0)).map {
          UInt8(40 + $0)
        }
      )
    }
    let reader = try stored(messages, folder)
    for (index, (kind, bytes)) in messages.enumerated() {
      let table = try #require(CaptureSchema.standard.tables.first { $0.kinds.contains(kind) })
      let row = try #require(try reader.rows("SELECT * FROM \(table.name) WHERE message = \(index + 1)").first)
      #expect(row[0] == .integer(Int64(index + 1)))
      for (column, field) in zip(row.dropFirst(), table.fields) {
        let expected: CellValue =
          switch kind.layout[field.name].flatMap({ $0.value(in: bytes.span.bytes) }) {
          case nil: .null
          case .unsigned(let value): .integer(Int64(truncatingIfNeeded: value))
          case .signed(let value): .integer(value)
          case .float(let value): .real(Double(value))
          case .double(let value): .real(value)
          case .text(let value): .text(value)
          case .bytes(let value): .blob(value)
          }
        #expect(column == expected, "\(table.name).\(field.name)")
      }
      let common = try #require(
        try reader.rows("SELECT type, length, direction, packet FROM message WHERE id = \(index + 1)").first)
      #expect(
        common == [
          .text(kind.name), .integer(Int64(bytes.count)), .text(kind.layout.direction.name), .integer(Int64(index + 1)),
        ])
    }
  }

  @Test("A HELLO, a POSE and a HAPTIC are stored as they were built")
  func ofAHELLOAPOSEAndAHAPTICReadAsTheyWereBuilt() throws {
    let folder = try Folder()
    let pose = try Message.pose(
      seq: 300, timestampMicroseconds: 5_000_000, movementStart: true, position: [0.5, -1.25, 2],
      orientation: [0, 0, 0, 1])
    let reader = try stored(
      [
        (.hello, try Message.hello(sessionID: 0x1234_5678, code: "AB12CD").bytes), (.pose, pose.bytes),
        (.haptic, try Message.haptic(intensity: 0.75).bytes),
      ], folder)
    #expect(
      try reader.printed("SELECT * FROM tele_hello") == ["message|session_id|code|reserved", "1|305419896|AB12CD|0"])
    #expect(
      try reader.printed("SELECT * FROM tele_pose") == [
        "message|seq|timestamp_us|flags|reserved|x|y|z|qx|qy|qz|qw", "2|300|5000000|1|0|0.5|-1.25|2.0|0.0|0.0|0.0|1.0",
      ])
    #expect(
      try reader.printed("SELECT * FROM tele_haptic") == ["message|intensity|channel|reserved", "3|0.75|0|0"])
  }

  @Test("A column is NULL if the message ends early or the number is NaN")
  func haveNULLWhereTheMessageEndsEarlyOrTheNumberIsNone() throws {
    let folder = try Folder()
    var haptic = Typed<Haptic>()
    haptic[Haptic.fields.intensity] = .nan
    let pose = try Message.pose(seq: 9, timestampMicroseconds: .max, position: .zero, orientation: [0, 0, 0, 1])
    let reader = try stored(
      [
        (.haptic, haptic.message.bytes), (.pose, pose.bytes), (.pose, Array(pose.bytes[..<19])),
        (.ack, Message.ack(.busy).bytes),
      ],
      folder)
    #expect(try reader.rows("SELECT intensity, channel FROM tele_haptic") == [[.null, .integer(0)]])
    #expect(
      try reader.rows("SELECT seq, timestamp_us, reserved, x FROM tele_pose")
        == [[.integer(9), .integer(-1), .integer(0), .real(0)], [.integer(9), .integer(-1), .integer(0), .null]])
    #expect(
      try reader.printed("SELECT printf('%u', timestamp_us) AS t FROM tele_pose LIMIT 1")[1] == "18446744073709551615")
    #expect(try reader.rows("SELECT status, min_version FROM tele_ack") == [[.integer(2), .null]])
  }

  @Test("Text that is not UTF-8, and rests of any length, are stored")
  func takeTextThatIsNotUTF8AndRestsOfAnyLength() throws {
    let folder = try Folder()
    let reader = try stored(
      [
        (.bleAuth, [0x41, 0xff, 0x42, 0, 0, 0]), (.teleMalformed, []), (.teleMalformed, [1, 2, 3]),
        (.teleUnknown, Array("TELE".utf8) + [99, 1, 0xab]),
      ], folder)
    #expect(try reader.rows("SELECT code FROM ble_auth") == [[.text("A\u{fffd}B")]])
    #expect(try reader.rows("SELECT hex(body) FROM tele_malformed") == [[.text("")], [.text("010203")]])
    #expect(try reader.rows("SELECT msg_type, body FROM tele_unknown") == [[.integer(99), .blob([0xab])]])
  }
}
