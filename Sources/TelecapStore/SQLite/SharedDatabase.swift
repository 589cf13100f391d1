import CSQLite
import TelecapPlatform

/// A database that any thread may ask: one has the connection at a time, and the others wait.
///
/// @unchecked Sendable: `database` is touched with the lock held only, but for `interrupt`, which SQLite takes from any thread.
final class SharedDatabase: @unchecked Sendable {
  private let database: Database
  private let lock = FairLock()

  /// Opens the database at `path`.
  ///
  /// - Parameters:
  ///   - access: what may be done with the file.
  ///   - patience: for how many milliseconds a call waits for the locks of others.
  ///   - prepare: what has to be done before anything is asked.
  /// - Throws: `SQLiteError` where the file cannot be opened or is no database; what `prepare` throws.
  init(
    _ path: String, _ access: Database.Access = .writing, patience: Int32 = 5_000,
    prepare: (Database) throws -> Void = { _ in }
  ) throws {
    database = try Database(path, access, patience: patience)
    try prepare(database)
    // SQLite opens any file: that it is none of a database is found when it is read.
    _ = try database.row(sql: "SELECT * FROM sqlite_schema LIMIT 1")
  }

  /// Runs `body` with the connection, when no other thread has it; calls may be nested.
  func use<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try lock.hold {
      guard database.isOpen else { throw SQLiteError(code: SQLITE_MISUSE, message: "the database is closed") }
      return try body(database)
    }
  }

  /// Breaks off what runs on the connection at this moment, from whatever thread; not while another one may close it.
  func interrupt() { sqlite3_interrupt(database.connection) }

  /// Closes the connection when no other thread has it. It is closed too when this object goes.
  func close() { lock.hold { database.close() } }
}
