import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

/// A capture whose schema somebody changed: what is in it is compared with ours and not run. The expressions in these never end: a
/// test that runs one does not end either.
@Suite("A schema that was changed by hand", .timeLimit(.minutes(5))) struct HostileSchemaTests {
  private static let endless = "instr(zeroblob(60000000), zeroblob(30000000) || x'01') = 0"
  private let capture: ExampleCapture

  init() throws { capture = try ExampleCapture() }

  /// Puts another statement in the place of a table's, whose rows stay.
  private func rewrite(_ table: String, _ change: (String) -> String) throws {
    try SharedDatabase(capture.path).use { db in
      let row = try db.row(sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
      let sql = try #require(row?.text("sql"))
      try #require(change(sql) != sql)
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?", arguments: [change(sql), table])
    }
  }

  /// Why the capture cannot be opened, for reading and for writing alike.
  private func reason() throws -> String? {
    func reason(_ body: () throws -> Void) throws -> String? {
      do {
        try body()
        return nil
      } catch StoreError.changedSchema(capture.path, let reason) {
        return reason
      }
    }
    let reading = try reason { _ = try CaptureReader(path: capture.path, .standard).info() }
    let writing = try reason { _ = try OpenFile(capture.path, named: capture.path, .standard, []) }
    #expect(reading == writing)
    return reading
  }

  private static let ending =
    "; telecap runs no SQL of a file: restore the table with "
    + "sqlite3, or export the packets with the telecap that wrote it"

  @Test("A CHECK on a table of telecap is an error, and is not run")
  func check() throws {
    try rewrite("packet") { $0.replacing("frame BLOB NOT NULL", with: "frame BLOB NOT NULL CHECK (\(Self.endless))") }
    #expect(
      try reason()
        == "table packet differs from format 2: it has \"NULL CHECK ( instr ( zeroblob\", expected \"NULL ) STRICT\""
        + Self.ending)
  }

  @Test("A generated column is an error, and is not run")
  func generated() throws {
    try capture.alter("ALTER TABLE capture ADD COLUMN mine INTEGER AS (\(Self.endless))")
    #expect(
      try reason()
        == "table capture differs from format 2: it has \"0 , mine INTEGER AS (\", expected \"0 ) STRICT\""
        + Self.ending)
  }

  @Test("A DEFAULT is an error, and is not run")
  func defaults() throws {
    try rewrite("port") { $0.replacing("number INTEGER NOT NULL", with: "number INTEGER DEFAULT (\(Self.endless))") }
    #expect(
      try reason()
        == "table port differs from format 2: it has \"INTEGER DEFAULT ( instr ( zeroblob\", expected "
        + "\"INTEGER NOT NULL ) STRICT\"" + Self.ending)
  }

  @Test(
    "An index on a table of telecap is an error: its values may differ, and its expression would run",
    arguments: [
      ("packet", "CREATE INDEX mine ON packet (time_ns)"), ("packet", "CREATE INDEX mine ON packet (hex(frame))"),
      ("capture", "CREATE INDEX mine ON capture (tool) WHERE ended_ns > 0"),
      ("message", "CREATE INDEX mine ON message (type)"),
      ("tele_pose", "CREATE UNIQUE INDEX mine ON tele_pose (message)"),
    ])
  func index(_ table: String, _ sql: String) throws {
    try capture.alter(sql)
    #expect(
      try reason()
        == "its index \"mine\" on table \(table) is not telecap's, and an index may hold other values than its table; remove it with "
        + "sqlite3 (DROP INDEX)")
    try capture.alter("DROP INDEX mine")
    #expect(try reason() == nil)
  }

  @Test("A file with an index under another table's name is damaged", arguments: ["mine", "capture"])
  func lyingIndex(_ table: String) throws {
    try capture.alter("CREATE TABLE mine (x); CREATE INDEX other ON packet (time_ns)")
    try SharedDatabase(capture.path).use { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(sql: "UPDATE sqlite_schema SET tbl_name = ? WHERE name = 'other'", arguments: [table])
    }
    #expect(throws: StoreError.damaged(path: capture.path, reason: "malformed database schema (other)")) {
      try CaptureReader(path: capture.path, .standard)
    }
  }

  @Test(
    "A changed table that is derived from the frames is made again, and nothing in it is run",
    arguments: [
      ("finding", "text TEXT NOT NULL", "text TEXT NOT NULL, mine INTEGER AS (\(endless))"),
      ("message", "id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY CHECK (\(endless))"),
      ("message", "WHEN 0 THEN 'HELLO'", "WHEN 0 THEN 'ACK'"), ("session", "NOT NULL", "DEFAULT (\(endless))"),
    ])
  func derived(_ table: String, _ text: String, _ other: String) throws {
    try rewrite(table) { $0.replacing(text, with: other) }
    let reader = try CaptureReader(path: capture.path, .standard)
    #expect(try reader.needsDissection() && !reader.hasMessages() && reader.lastNumbers().message == 0)
    #expect(try !reader.summary().isDissected)
    let example = try Example()
    let writer = try DissectionWriter(rebuilding: capture.path, .standard)
    try writer.finish(sessions: try example.addMessages(to: writer))
    #expect(try !CaptureReader(path: capture.path, .standard).needsDissection())
  }

  @Test("A user's own tables, views, triggers and indexes are named, and the capture is read")
  func additions() throws {
    try capture.alter(
      """
      CREATE TABLE mine (x); CREATE INDEX fast ON mine (x); CREATE VIEW late AS SELECT * FROM message;
      CREATE TRIGGER packet AFTER INSERT ON mine BEGIN DELETE FROM packet; END
      """)
    let summary = try CaptureReader(path: capture.path, .standard).summary()
    #expect(summary.additions == ["index \"fast\"", "view \"late\"", "table \"mine\"", "trigger \"packet\""])
    #expect(
      summary.notes.contains(
        "added by the user, not read: index \"fast\", view \"late\", table \"mine\", trigger \"packet\""))
    try capture.alter((0..<20).map { "CREATE TABLE t\($0) (x)" }.joined(separator: ";"))
    let more = try CaptureReader(path: capture.path, .standard).summary()
    #expect(more.additions.count == 10 && more.additionCount == 24)
    #expect(more.notes.last?.hasSuffix(" and 14 more") == true)
  }

  @Test("An unchanged capture has no additions")
  func none() throws {
    #expect(try CaptureReader(path: capture.path, .standard).summary().additions.isEmpty)
    #expect(try reason() == nil)
  }

  @Test("Quotes that SQLite adds around a name, and spaces, are no change")
  func renamed() throws {
    try capture.alter("ALTER TABLE packet RENAME TO other; ALTER TABLE other RENAME TO packet")
    #expect(try reason() == nil)
    try rewrite("capture") { $0.replacing("\n", with: " \t") }
    #expect(try reason() == nil)
  }

  @Test("A user's own table may name functions that telecap replaces")
  func ownFunctions() throws {
    try capture.alter("CREATE TABLE mine (x CHECK (x LIKE 'a%' AND instr(x, 'b') = 0))")
    try capture.alter("CREATE INDEX fast ON mine (trim(x))")
    let summary = try CaptureReader(path: capture.path, .standard).summary()
    #expect(summary.additions == ["index \"fast\"", "table \"mine\""])
  }

  @Test("Captures of older telecaps, whose references do not name their column, open unchanged")
  func older() throws {
    for table in ["packet", "message", "finding", "tele_pose"] {
      try rewrite(table) { $0.replacing(" (id)", with: "") }
    }
    #expect(try reason() == nil)
    #expect(try !CaptureReader(path: capture.path, .standard).needsDissection())
  }
}
