import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

/// Captures of format 1 exist: they are read as they are, and become format 2 when somebody writes to them.
@Suite("A capture of format 1") struct CaptureOfFormat1Tests {
  private let folder: Folder
  private let example: Example
  private static let ports: [String: UInt16] = [
    "tele-udp": 1, "tele-tcp": 2, "tele-beacon": 3, "mouse-udp": 4, "mouse-tcp": 65_535,
  ]

  init() throws {
    folder = try Folder()
    example = try Example()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try example.addPackets(to: writer)
    try writer.finish(ended: .zero)
    try makeFirst(folder["a"])
  }

  /// Puts the tables of format 1 in the place of today's, with the same packets.
  private func makeFirst(_ path: String) throws {
    let file = try OpenFile(path, named: path, .standard, Connection.recording)
    let kept = [
      "CREATE TABLE kept_interface AS SELECT * FROM interface", "CREATE TABLE kept_packet AS SELECT * FROM packet",
    ]
    let dropped = ["packet", "interface", "capture", "port", "protocol"].map { "DROP TABLE \($0)" }
    let first = Schema.first.split(separator: ";\n").map { String($0) }.map {
      $0.hasSuffix(";") ? String($0.dropLast()) : $0
    }
    let filled = [
      "INSERT INTO interface SELECT * FROM kept_interface", "INSERT INTO packet SELECT * FROM kept_packet",
      """
      INSERT INTO capture VALUES ('telecap', '0.1.0', 'desk', 'system clock, ns', 'lo', '', 'telecap record -i lo',
        1, 2, 3, 4, 65535, 1700000000000000000, 1700000009000000000, 7, 8, 9, NULL, 0)
      """,
      "DROP TABLE kept_interface", "DROP TABLE kept_packet", "PRAGMA user_version = 1",
    ]
    try file.run { db in
      for sql in kept + dropped + first + filled { try Query(db, "", sql).forEach { _ in } }
    }
    file.close()
  }

  @Test("A capture of format 1 opens with its own ports, and stays unchanged")
  func opensAndIsReadWithItsOwnPortsAndStaysWhatItIs() throws {
    let reader = try CaptureReader(path: folder["a"], .standard)
    let info = try reader.info()
    #expect(info.ports == CaptureOfFormat1Tests.ports)
    #expect(info.host == "desk" && info.dropped == DropCounts(kernel: 7, interface: 8, queue: 9))
    #expect(Ports.standard.with(info.ports).numbers == CaptureOfFormat1Tests.ports)
    #expect(try reader.packetCount() == example.pieces.count)
    #expect(try reader.interfaces().map(\.name) == ["lo"])
    #expect(try reader.needsDissection())
    #expect(try reader.rows("PRAGMA user_version") == [[.integer(1)]])
    #expect(try reader.rows("SELECT tele_udp_port FROM capture") == [[.integer(1)]])
  }

  @Test("Deriving a capture of format 1 again makes it format 2, with all its content")
  func becomesFormat2WhenItIsDerivedAgainWithAllThatItHeld() throws {
    let before = try CaptureReader(path: folder["a"], .standard)
    let (info, packets) = (try before.info(), try before.rows("SELECT * FROM packet"))
    let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.rows("PRAGMA user_version") == [[.integer(2)]])
    #expect(try reader.info() == info)
    #expect(try reader.rows("SELECT * FROM packet") == packets)
    #expect(try !reader.needsDissection())
    #expect(try reader.select(where: "type = 'CMD'").count == 3)
    #expect(
      try reader.printed("SELECT id, number FROM port ORDER BY number") == [
        "id|number", "tele-udp|1", "tele-tcp|2", "tele-beacon|3", "mouse-udp|4", "mouse-tcp|65535",
      ])
    #expect(
      try reader.rows("SELECT name, digest FROM protocol ORDER BY name")
        == Protocols.builtIn.sorted { $0.name < $1.name }.map { [.text($0.name), .text($0.digest)] })
    #expect(
      try reader.rows("SELECT COUNT(*) FROM pragma_table_info('capture') WHERE name LIKE '%_port'") == [[.integer(0)]])
    #expect(try reader.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try reader.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test("A converted capture has the same tables as a new one")
  func hasTheSameTablesAfterwardsAsANewOne() throws {
    let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
    try CaptureWriter(creating: folder["new"], .test, .standard).finish(ended: .zero)
    let tables = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
    let old = try CaptureReader(path: folder["a"], .standard).rows(tables)
    #expect(try CaptureReader(path: folder["new"], .standard).rows(tables) == old)
  }

  /// Views and triggers that SQLite cannot compile, or not in any time, and one that reads a column that format 2 has no more.
  private static let additions = [
    "CREATE VIEW a AS SELECT x FROM nowhere", "CREATE VIEW b AS SELECT no_column FROM packet",
    "CREATE VIEW c AS SELECT tele_udp_port FROM capture", "CREATE VIEW d AS SELECT unknown_function(id) FROM packet",
    "CREATE VIEW e AS WITH c0 AS (SELECT 1 x), "
      + (1..<60).map { "c\($0) AS (SELECT a.x FROM c\($0 - 1) a, c\($0 - 1) b)" }.joined(separator: ", ")
      + " SELECT x FROM c59",
    "CREATE VIEW f AS SELECT x FROM g", "CREATE VIEW g AS SELECT x FROM f", "CREATE TABLE mine (x)",
    "CREATE TRIGGER h AFTER INSERT ON mine BEGIN SELECT x FROM nowhere; END",
  ]

  @Test("A capture with a user's views becomes format 2, and the views stay")
  func views() throws {
    let db = try Database(folder["a"], .writing, patience: 0)
    for sql in Self.additions { try db.execute(sql: sql) }
    db.close()
    let writer = try DissectionWriter(rebuilding: folder["a"], .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.rows("PRAGMA user_version") == [[.integer(2)]])
    #expect(try reader.info().ports == CaptureOfFormat1Tests.ports)
    #expect(try reader.summary().additionCount == Self.additions.count)
    let kept = try reader.rows(
      "SELECT sql FROM sqlite_schema WHERE name IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'mine', 'h')")
    #expect(Set(kept) == Set(Self.additions.map { [.text($0)] }))
  }
}
