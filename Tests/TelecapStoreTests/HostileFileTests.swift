import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// A capture from somebody who means harm: nothing in it is run, and nothing in it fills the memory or spins.
@Suite struct HostileFileTests {
  private func capture(_ folder: Folder, packets: Int = 3) throws -> String {
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(Interface(name: "test", linkType: 1))
    try writer.add(numbers: 1...packets)
    try writer.finish(ended: .zero)
    return folder["a"]
  }

  private func count(_ path: String, _ table: String) throws -> Int? {
    try SharedDatabase(path).use { try $0.integer(sql: "SELECT count(*) FROM \(table)") }
  }

  @Test("A capture with a trigger on a table of telecap is read, and not written")
  func trigger() throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(
      path,
      "CREATE TABLE mine (x); CREATE TRIGGER evil AFTER UPDATE ON capture BEGIN INSERT INTO mine VALUES (1); DELETE FROM packet; END"
    )
    #expect(try CaptureReader(path: path, .standard).packetCount() == 3)
    let error = StoreError.trigger(path: path, name: "evil", table: "capture")
    #expect(throws: error) { try DissectionWriter(rebuilding: path, .standard) }
    #expect(
      "\(StoreError.trigger(path: "a", name: "evil", table: "capture"))"
        == "a: its trigger \"evil\" on table capture is not telecap's, and telecap runs no code of a file; "
        + "remove the trigger with sqlite3 (DROP TRIGGER)")
    // A name from a file adds no command to paste, and starts no line.
    let forged = "\(StoreError.trigger(path: "a", name: "x\ntelecap: all is well", table: "capture"))"
    #expect(!forged.contains("\n") && forged.contains("xtelecap"))
    #expect(try count(path, "packet") == 3)
    #expect(try count(path, "mine") == 0)
  }

  @Test("A trigger on a user's table, a user's view and a user's table are left alone")
  func others() throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(
      path,
      """
      CREATE TABLE mine (x);
      CREATE TRIGGER log AFTER INSERT ON mine BEGIN DELETE FROM packet; END;
      CREATE VIEW ours AS SELECT * FROM packet
      """)
    try DissectionWriter(rebuilding: path, .standard).finish(sessions: [])
    #expect(try CaptureReader(path: path, .standard).packetCount() == 3)
  }

  @Test(
    "A user's view or table whose name equals one of telecap's for SQLite is an error, and stays",
    arguments: [("view", "CREATE VIEW SESSION AS SELECT 7 AS x"), ("table", "CREATE TABLE Session AS SELECT 7 AS x")])
  func taken(_ kind: String, _ sql: String) throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(path, "DROP TABLE IF EXISTS session")
    try alter(path, sql)
    let name = kind == "view" ? "SESSION" : "Session"
    let error = StoreError.nameTaken(path: path, kind: kind, name: name)
    #expect(throws: error) { try DissectionWriter(rebuilding: path, .standard) }
    #expect(
      "\(error)"
        == "\(path): its \(kind) \"\(name)\" is not telecap's, but has a name that telecap needs; "
        + "rename or drop it with sqlite3")
    #expect(try count(path, "session") == 1)
    #expect(try CaptureReader(path: path, .standard).packetCount() == 3)
  }

  @Test(
    "A user's table or view with a name that telecap uses is an error, and stays",
    arguments: [
      ("table", "dissection", "CREATE TABLE dissection (mine)"), ("table", "finding", "CREATE TABLE finding(mine)"),
      ("view", "tele_pose", "CREATE VIEW tele_pose AS SELECT 7 AS mine"),
    ])
  func ownName(_ kind: String, _ name: String, _ sql: String) throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(path, "DROP \(name == "dissection" ? "VIEW" : "TABLE") IF EXISTS \(name)")
    try alter(path, sql)
    #expect(throws: StoreError.nameTaken(path: path, kind: kind, name: name)) {
      try DissectionWriter(rebuilding: path, .standard)
    }
    #expect(try CaptureReader(path: path, .standard).rows("SELECT name FROM pragma_table_info('\(name)')").count == 1)
  }

  @Test("Triggers do not run on our connections, for any write")
  func disarmed() throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(path, "CREATE TABLE mine (x); CREATE TRIGGER evil AFTER INSERT ON mine BEGIN DELETE FROM packet; END")
    let file = try OpenFile(path, named: path, .standard, [])
    try file.run { try $0.execute(sql: "INSERT INTO mine VALUES (1)") }
    #expect(throws: (any Error).self) {
      try file.run { try $0.execute(sql: "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema") }
    }
    file.close()
    #expect(try count(path, "packet") == 3)
  }

  @Test("A view, or a table without types, in the place of a table of telecap is rejected")
  func impostor() throws {
    let folder = try Folder()
    let path = try capture(folder)
    let (refused, missing) = (
      StoreError.changedSchema(
        path: path,
        reason:
          "table packet differs from format 2: it has \"NULL , original_length INTEGER NOT NULL\", expected "
          + "\"NULL REFERENCES interface , original_length INTEGER\"; telecap runs no SQL of a file: restore the table with "
          + "sqlite3, or export the packets with the telecap that wrote it"
      ), StoreError.damaged(path: path, reason: "it has no table packet")
    )
    let columns =
      "id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, interface INTEGER NOT NULL, original_length INTEGER NOT NULL, frame BLOB NOT NULL"
    try alter(path, "ALTER TABLE packet RENAME TO other; CREATE TABLE packet (\(columns))")
    #expect(throws: refused) { try CaptureReader(path: path, .standard) }
    try alter(path, "DROP TABLE packet; CREATE VIEW packet AS SELECT * FROM other")
    #expect(throws: missing) { try CaptureReader(path: path, .standard) }
    try alter(path, "DROP VIEW packet; ALTER TABLE other RENAME TO packet")
    #expect(try CaptureReader(path: path, .standard).packetCount() == 3)
  }

  @Test(
    "Row numbers that do not increase, as after a disk error, are an error and end the loop",
    .timeLimit(.minutes(10)))
  func disorder() throws {
    let folder = try Folder()
    let path = try capture(folder, packets: 9)
    try renumber(path, [1, 2, 3, 8, 5, 6, 7, 4, 9])
    let reader = try CaptureReader(path: path, .standard)
    var met: [Int] = []
    let error = StoreError.wrongValue(path: path, table: "packet", row: 5, "it follows row 8, and numbers increase")
    #expect(throws: error) { try reader.forEachPacket { header, _ in met.append(header.number) } }
    #expect(met == [1, 2, 3, 8])
    #expect(
      "\(error)".contains("table packet, row 5: it follows row 8, and numbers increase; correct it with sqlite3 "))
  }

  /// Writes these numbers over those of the packets, which lie in one page: where each cell says how long it is, and then its number
  /// (https://www.sqlite.org/fileformat.html, 1.6).
  private func renumber(_ path: String, _ numbers: [UInt8]) throws {
    let (page, size) = try SharedDatabase(path).use { db in
      (
        try db.integer(sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'packet'") ?? 0,
        try db.integer(sql: "PRAGMA page_size") ?? 0
      )
    }
    var bytes = try [UInt8](file: path)
    let start = (page - 1) * size
    let (kind, count) = (bytes[start], Int(bytes[start + 4]))
    #expect(kind == 13 && count == numbers.count)
    for (index, number) in numbers.enumerated() {
      let pointer = start + 8 + 2 * index
      var cell: Int = start + 256 * Int(bytes[pointer])
      cell += Int(bytes[pointer + 1])
      while bytes[cell] >= 128 { cell += 1 }
      bytes[cell + 1] = number
    }
    try bytes.write(to: path)
  }

  @Test("A frame above the maximum length is not read")
  func longFrame() throws {
    let folder = try Folder()
    let path = try capture(folder)
    try alter(path, "UPDATE packet SET frame = zeroblob(70000000), original_length = 70000000 WHERE id = 2")
    let reader = try CaptureReader(path: path, .standard)
    var met = 0
    #expect(
      throws: StoreError.wrongValue(
        path: path, table: "packet", row: 2, "a value is longer than 68157440 bytes, and no frame is longer than 262144"
      )
    ) { try reader.forEachPacket { _, _ in met += 1 } }
    #expect(met == 1)
  }

  @Test("Distant packet numbers take no more memory in a selection than near ones")
  func farNumbers() {
    var selection = PacketSelection()
    for number in [1, 64, 1 << 40, PacketHeader.largestNumber, .max] { selection.insert(number) }
    #expect(selection.count == 5 && selection.contains(1 << 40) && selection.contains(.max))
    #expect(!selection.contains(2) && !selection.contains(-1) && !selection.contains(.min))
  }
}
