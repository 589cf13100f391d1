import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("A dissection") struct DissectionTests {
  private func recorded(_ path: String) throws -> Example {
    let example = try Example()
    let writer = try CaptureWriter(creating: path, .test, .standard)
    try example.addPackets(to: writer)
    try writer.finish(ended: example.pieces.last?.time ?? .zero)
    return example
  }

  private func dissect(_ example: Example, _ path: String) throws {
    let writer = try DissectionWriter(rebuilding: path, .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
  }

  @Test("The dissection of a recording is complete only at its end")
  func ofARecordingIsCompleteOnlyAtItsEnd() throws {
    let folder = try Folder()
    let example = try recorded(folder["a"])
    let reader = try CaptureReader(path: folder["a"], .standard)
    let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
    let sessions = try example.addMessages(to: writer)
    #expect(try reader.needsDissection())
    try writer.finish(sessions: sessions)
    #expect(try !reader.needsDissection())
    #expect(try reader.rows("SELECT COUNT(*) FROM message") == [[.integer(Int64(example.pieces.count))]])
  }

  @Test("A second dissection gives the same rows, and so does an import")
  func madeAnewIsTheSameRowByRowAndSoIsThatOfAnImport() throws {
    let folder = try Folder()
    let example = try recorded(folder["a"])
    try dissect(example, folder["a"])
    let first = try CaptureReader(path: folder["a"], .standard).dump()
    #expect(first.values.reduce(0) { $0 + $1.count } > 2 * example.pieces.count)
    try dissect(example, folder["a"])
    #expect(try CaptureReader(path: folder["a"], .standard).dump() == first)
    try example.import(to: folder["b"], .test)
    let imported = try CaptureReader(path: folder["b"], .standard)
    #expect(try imported.dump() == first)
    let packets = try CaptureReader(path: folder["a"], .standard).dump(
      of: SchemaCheck.tables(ofFormat: Schema.format).map(\.name))
    #expect(try imported.dump(of: SchemaCheck.tables(ofFormat: Schema.format).map(\.name)) == packets)
  }

  @Test("A message of a protocol that the capture does not have is rejected")
  func refusesAMessageOfAProtocolThatTheCaptureIsNotOf() throws {
    let folder = try Folder()
    let schema = CaptureSchema([Tele.wire])
    let writer = try ImportWriter(creating: folder["a"], .test, schema)
    let bytes = Bytes.movement
    let message = DissectedMessage.bare(bytes.span.bytes, as: .mouse).message
    #expect(throws: StoreError.foreign(path: folder["a"], protocolName: "mouse")) {
      try writer.dissection.message(message, bytes.span.bytes, [])
    }
  }

  @Test("The limit of flows keeps the right flow for each message")
  func knowsSoManyFlowsAtOnceAndNamesTheRightOneForEachMessage() throws {
    let folder = try Folder()
    let writer = try ImportWriter(creating: folder["a"], .test, .standard)
    let bytes = Bytes.movement
    var message = DissectedMessage.bare(bytes.span.bytes, as: .mouse).message
    let host = Endpoint(.loopback, port: 8888)
    let most = DissectionWriter.mostFlows
    // All that are known, the first again, one more; the first is still one of the latest two then, and the second is not.
    let order = Array(0..<most) + [0, most, 0, 1]
    for client in order {
      message.datagram.flow = Flow(
        .udp, from: Endpoint(.loopback, port: UInt16(client & 0xFFFF)), to: client < most ? host : .init(.any, port: 0))
      try writer.dissection.message(message, bytes.span.bytes, [])
    }
    try writer.finish(ended: .zero, sessions: [])
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.rows("SELECT COUNT(*) FROM flow") == [[.integer(Int64(most + 2))]])
    #expect(
      try reader.printed(
        "SELECT flow, source_port, destination_port FROM message JOIN flow ON flow.id = flow WHERE message.id > \(most)"
      )
        == [
          "flow|source_port|destination_port", "1|0|8888", "\(most + 1)|0|0", "1|0|8888", "\(most + 2)|1|8888",
        ])
  }

  @Test("An abandoned dissection starts again from the beginning")
  func givenUpHalfWayIsMadeAnewFromTheStart() throws {
    let folder = try Folder()
    let example = try recorded(folder["a"])
    do {
      let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
      _ = try example.addMessages(to: writer)
    }
    #expect(try CaptureReader(path: folder["a"], .standard).needsDissection())
    try dissect(example, folder["a"])
    #expect(try !CaptureReader(path: folder["a"], .standard).needsDissection())
  }

  @Test("The tables of another version are dropped and derived again")
  func ofAnotherVersionsTablesIsDroppedAndMadeAnew() throws {
    let folder = try Folder()
    let example = try recorded(folder["a"])
    try dissect(example, folder["a"])
    let file = try OpenFile(folder["a"], named: folder["a"], .standard, Connection.recording)
    try file.run { db in
      try Query(db, "", "DROP TABLE tele_cmd").forEach { _ in }
      try Query(db, "", TypedTable.head(of: "tele_cmd") + ",\n  button TEXT\n)").forEach { _ in }
      try Query(db, "", TypedTable.head(of: "tele_wink") + "\n)").forEach { _ in }
    }
    file.close()
    #expect(try CaptureReader(path: folder["a"], .standard).needsDissection())
    #expect(try !CaptureReader(path: folder["a"], .standard).summary().isDissected)
    try dissect(example, folder["a"])
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try !reader.needsDissection())
    #expect(try reader.rows("SELECT cmd_type, value FROM tele_cmd").count == 3)
    #expect(try reader.rows("SELECT 1 FROM sqlite_schema WHERE name = 'tele_wink'").isEmpty)
  }

  @Test("Findings are stored with their text, worst severity and offset")
  func keepsFindingsWithTheirWordsWorstSeverityAndPlace() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(
      try reader.printed("SELECT rule, severity, offset, length, text FROM finding WHERE rule = 'value.out-of-range'")
        == [
          "rule|severity|offset|length|text",
          "value.out-of-range|warning|6|4|intensity is 1.05; it must be in 0…1",
        ])
    let joined = """
      SELECT COUNT(*) FROM finding JOIN message ON message.id = finding.message
      WHERE message.packet != finding.packet OR message.severity IS NULL
      """
    #expect(try reader.rows(joined) == [[.integer(0)]])
    #expect(try reader.select(where: "severity = 'warning'").count == 1)
  }

  @Test("Findings about packets are stored, and messages that began earlier")
  func takesFindingsAboutPacketsAndMessagesThatBeganEarlier() throws {
    let folder = try Folder()
    let writer = try ImportWriter(creating: folder["a"], .test, .standard)
    try writer.packets.add(numbers: 1...1)
    let header = PacketHeader(number: 1, time: .zero, originalLength: 80, linkType: 1)
    try writer.dissection.packetFinding(Finding(.fragment, 0..<80), header)
    let flow = Flow(.tcp, from: Example.phone, to: Example.host)
    let message = DissectedMessage(
      kind: .bye, dialect: .teleTCP, datagram: Datagram(packet: 1, time: .zero, flow: flow), direction: .clientToServer,
      session: 0, offset: nil, isValid: true)
    let bye = Message.bye(sessionID: 1)
    try writer.dissection.message(message, bye.bytes.span.bytes, [])
    try writer.dissection.lateFinding(Finding(.helloWithoutAck, 0..<18, .packet(1)), message.datagram)
    try writer.finish(ended: .zero, sessions: [])
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.rows("SELECT packet, message FROM finding") == [[.integer(1), .null], [.integer(1), .null]])
    #expect(
      try reader.rows("SELECT offset, session, dialect, severity FROM message")
        == [[.null, .null, .text("tcp-v1"), .null]])
    #expect(
      try reader.printed("SELECT carrier, source, destination_port FROM flow")
        == ["carrier|source|destination_port", "tcp|192.0.2.2:40001|50000"])
  }
}

@Suite("A condition") struct ConditionTests {
  private func reader(_ folder: Folder) throws -> CaptureReader {
    try Example().import(to: folder["a"], .test)
    return try CaptureReader(path: folder["a"], .standard)
  }

  @Test("A condition selects packets by any field")
  func choosesPacketsByAnyField() throws {
    let folder = try Folder()
    let reader = try reader(folder)
    #expect(try reader.select(where: "type = 'POSE' AND seq > 100").count > 0)
    #expect(try reader.select(where: "type = 'HAPTIC' AND intensity > 1").count == 1)
    #expect(try reader.select(where: "status = 2").count == 2)
    #expect(try reader.select(where: "source = '192.0.2.3:40002' -- the rival").count == 2)
    #expect(try reader.select(where: "delta_y < 0 AND seconds BETWEEN 4 AND 5").count == 20)
    #expect(try reader.select(where: "interface = 'lo'").count == reader.packetCount())
    #expect(try reader.select(where: "0") == PacketSelection())
  }

  @Test(
    "A wrong condition is an error with SQLite's message",
    arguments: [
      ("seq >", "incomplete: something is missing at its end"),
      ("type == = 'POSE'", "near \"=\": syntax error"),
      ("sequence > 100", "no such column: sequence"),
      ("type = \"POSE\"", "no such column: POSE"),
      ("1; DELETE FROM packet", "more than one statement"),
      ("1) OR (1", "near \")\": syntax error"),
      ("wobble(seq)", "no such function: wobble"),
      ("abs(-9223372036854775807 - 1)", "integer overflow"),
    ])
  func thatIsWrongIsShownWithSQLitesWords(text: String, reason: String) throws {
    let folder = try Folder()
    let reader = try reader(folder)
    #expect(throws: StoreError.badCondition(text: text, reason: reason)) { try reader.select(where: text) }
    #expect(throws: StoreError.badCondition(text: text, reason: reason)) {
      try reader.forEachRow(where: text) { _, _ in }
    }
    #expect("\(StoreError.badCondition(text: text, reason: reason))".hasPrefix("--where \"\(text)\": \(reason)"))
    #expect(try reader.packetCount() > 0)
  }

  @Test("The error for text in double quotes names single quotes")
  func withTextInDoubleQuotesIsToldAboutSingleOnes() {
    #expect(
      "\(StoreError.badCondition(text: "type = \"POSE\"", reason: "no such column: POSE"))"
        == "--where \"type = \"POSE\"\": no such column: POSE; the columns are those of the view dissection "
        + "(telecap export --format csv prints them), and text is in single quotes: type = 'POSE'")
  }

  @Test("A condition selects rows, with floats as short as on the wire")
  func choosesRowsWithFloatsAsShortAsTheyWereOnTheWire() throws {
    let folder = try Folder()
    let reader = try reader(folder)
    var rows: [[CellValue]] = []
    try reader.forEachRow(of: ["type", "intensity", "seq", "seconds"], where: "intensity > 0.99") { columns, values in
      #expect(columns == ["type", "intensity", "seq", "seconds"])
      rows.append(values)
    }
    #expect(
      rows == [
        [.text("HAPTIC"), .float(1), .null, .real(2.01)], [.text("HAPTIC"), .float(1.05), .null, .real(2.06)],
      ])
    var count = 0
    try reader.forEachRow { columns, values in
      #expect(columns == CaptureSchema.standard.columns && values.count == columns.count)
      count += 1
    }
    #expect(count == (try Example().pieces.count))
  }

  @Test("A condition on one type's field reads the table of that type only")
  func usesTheTableOfOneTypeOnly() throws {
    let folder = try Folder()
    let plan = try reader(folder).printed("EXPLAIN QUERY PLAN SELECT packet FROM dissection WHERE (intensity > 0.5)")
    #expect(plan.count == 3, "one scan and one look-up, and a header: \(plan)")
  }
}
