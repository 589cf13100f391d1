import CSQLite
import Foundation
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("The layer over SQLite") struct LayerOverSQLiteTests {
  private struct Stopped: Error, Equatable {}

  private func table(_ path: String? = nil) throws -> SharedDatabase {
    let database = try SharedDatabase(path ?? "", path == nil ? .memory : .writing)
    try database.use {
      try $0.execute(sql: "CREATE TABLE a (id INTEGER PRIMARY KEY, b); INSERT INTO a (b) VALUES (7);\n -- end")
    }
    return database
  }

  private func code(_ body: () throws -> Void) -> Int32? {
    do { try body() } catch { return (error as? SQLiteError)?.code }
    return nil
  }

  @Test("A query returns values as they were bound, and columns by name in any case")
  func givesValuesAsTheyWereBoundAndColumnsByTheirNamesInAnyCase() throws {
    try table().use { db in
      try db.execute(sql: "INSERT INTO a (b) VALUES (?), (?), (?)", arguments: ["text", nil, UInt16.max])
      let rows = try db.rows(sql: "SELECT b AS Value FROM a ORDER BY id")
      #expect(rows.map { $0["vALUE"] } == [.integer(7), .text("text"), .null, .integer(65_535)])
      let row = try #require(try db.row(sql: "SELECT 1.5 AS real, x'00ff' AS blob, x'' AS none"))
      #expect(row["real"] == .real(1.5) && row["blob"] == .blob([0, 255]) && row["none"] == .blob([]))
      #expect(row["other"] == nil)
      #expect(try db.integer(sql: "SELECT b FROM a WHERE id = 3") == nil)
      #expect(try db.integer(sql: "SELECT b FROM a WHERE id = 99") == nil)
    }
  }

  @Test("Every value can be bound and read back")
  func bindsEveryValueThatItGives() throws {
    try table().use { db in
      for value in [SQLiteValue.null, .integer(.min), .real(-1e300), .text("ä"), .blob([]), .blob([0, 1])] {
        let statement = try db.cachedStatement(sql: "SELECT ? AS value")
        #expect(value.bind(to: statement.handle, at: 1) == SQLITE_OK)
        #expect(try statement.next()?["value"] == value)
        #expect(try statement.next() == nil)
        // It does not begin anew by itself.
        #expect(try statement.next() == nil)
      }
    }
  }

  @Test("Anything but one statement with matching arguments is an error")
  func refusesWhatIsNoSingleStatementOrHasOtherPlacesThanValues() throws {
    try table().use { db in
      for sql in ["SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT ?"] {
        #expect(code { _ = try db.statement(sql: sql) } == SQLITE_MISUSE, "\(sql)")
      }
      #expect(code { _ = try db.statement(sql: " -- nothing") } == SQLITE_ERROR)
      #expect(code { try db.execute(sql: "SELECT 1", arguments: [1]) } == SQLITE_MISUSE)
      _ = try db.statement(sql: "SELECT 1; -- end")
      // A name in quotes is no text.
      #expect(throws: SQLiteError(code: SQLITE_ERROR, message: "no such column: nothing")) {
        try db.execute(sql: "SELECT \"nothing\" FROM a")
      }
    }
  }

  @Test("An error has SQLite's extended code and message")
  func tellsExtendedCodesAndSQLitesWords() throws {
    try table().use { db in
      let error = SQLiteError(code: SQLITE_CONSTRAINT | 6 << 8, message: "UNIQUE constraint failed: a.id")
      #expect(throws: error) { try db.execute(sql: "INSERT INTO a VALUES (1, 1)") }
      #expect(error.primaryCode == SQLITE_CONSTRAINT)
    }
    let folder = try Folder()
    #expect(code { _ = try SharedDatabase(folder["none"], .reading) } == SQLITE_CANTOPEN)
    try Array("no database at all".utf8).write(to: folder["text"])
    #expect(code { _ = try SharedDatabase(folder["text"]) } == SQLITE_NOTADB)
  }

  @Test("A transaction commits its changes, and rolls back after an error")
  func commitsWhatWasDoneAndNothingWhereSomethingWentWrong() throws {
    try table().use { db in
      func count() throws -> Int? { try db.integer(sql: "SELECT COUNT(*) FROM a") }
      let insert = "INSERT INTO a (b) VALUES (1)"
      try db.inTransaction(.immediate) { try db.execute(sql: insert) }
      #expect(try count() == 2)
      #expect(throws: Stopped()) {
        try db.inTransaction(.immediate) {
          try db.execute(sql: insert)
          throw Stopped()
        }
      }
      try db.inTransaction(.exclusive, keeps: false) { try db.execute(sql: insert) }
      #expect(try count() == 2 && !db.isInsideTransaction)
      // SQLite has rolled back by itself: the first error is thrown, not that there is nothing to roll back.
      #expect(throws: SQLiteError(code: SQLITE_CONSTRAINT | 6 << 8, message: "UNIQUE constraint failed: a.id")) {
        try db.inTransaction(.immediate) { try db.execute(sql: "INSERT OR ROLLBACK INTO a VALUES (1, 1)") }
      }
      #expect(
        code {
          try db.inTransaction(.immediate) {
            try? db.execute(sql: "INSERT OR ROLLBACK INTO a VALUES (1, 1)")
          }
        } == SQLITE_ABORT)
      #expect(try count() == 2)
    }
  }

  @Test("A cached statement can fail and run again")
  func keepsACachedStatementWhichCanFailAndRunAgain() throws {
    try table().use { db in
      let sql = "INSERT INTO a VALUES (?, 0)"
      #expect(code { try db.cachedStatement(sql: sql).execute(arguments: [1]) } != nil)
      try db.cachedStatement(sql: sql).execute(arguments: [2])
      #expect(try db.cachedStatement(sql: sql) === db.cachedStatement(sql: sql))
    }
  }

  @Test("An object that SQLite points to is kept until the connection is closed")
  func keepsWhatSQLitePointsToUntilTheConnectionIsGone() throws {
    final class Kept {}
    weak var kept: Kept?
    func open() throws -> SharedDatabase {
      let object = Kept()
      kept = object
      return try SharedDatabase("", .memory) { $0.keep(object) }
    }
    var database: SharedDatabase? = try open()
    #expect(kept != nil)
    database?.close()
    #expect(code { try database?.use { _ in } } == SQLITE_MISUSE)
    database = nil
    #expect(kept == nil)
  }

  @Test("One thread uses the database at a time, and may nest its uses")
  func isAskedByOneThreadAtATimeAndInTheMiddleOfAQuestionByTheSameOne() throws {
    let database = try table()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<200 {
        try? database.use { outer in
          let before = try outer.integer(sql: "SELECT b FROM a WHERE id = 1") ?? 0
          try database.use { try $0.execute(sql: "UPDATE a SET b = ? WHERE id = 1", arguments: [before + 1]) }
        }
      }
    }
    #expect(try database.use { try $0.integer(sql: "SELECT b FROM a WHERE id = 1") } == 807)
  }

  @Test("An interrupt from another thread ends a query")
  func breaksOffWhatRunsFromAnotherThread() throws {
    let database = try table()
    // An interrupt before the query begins has no effect: it is repeated until the query ends.
    let over = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      while over.wait(timeout: .now() + .milliseconds(5)) == .timedOut { database.interrupt() }
    }
    defer { over.signal() }
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    #expect(
      code { try database.use { db in try db.inTransaction(.deferred) { try db.execute(sql: endless) } } }
        == SQLITE_INTERRUPT)
    #expect(try database.use { !$0.isInsideTransaction })
  }
}
