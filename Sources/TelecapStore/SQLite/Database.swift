import CSQLite
import CStore

/// A connection to a database, used by one owner at a time (`SharedDatabase`).
final class Database {
  /// The access of a connection to the file.
  enum Access {
    /// Reading and writing; a file that is not there is made.
    case writing
    /// Reading, while other programs may write.
    case reading
    /// Reading, while no program writes: no file is created or searched for next to this one.
    case asItLies
    /// Reading and writing in memory: there is no file, and the path is not looked at.
    case memory
  }

  /// When a transaction takes its locks (https://www.sqlite.org/lang_transaction.html, 2).
  enum Transaction: String {
    case deferred, immediate, exclusive
  }

  /// SQLite's connection.
  let connection: OpaquePointer
  /// The statements that are kept, by their SQL.
  private var statements: [String: Statement] = [:]
  /// The objects to which SQLite has pointers: they are freed after the connection.
  private var kept: [AnyObject] = []
  private(set) var isOpen = true
  /// The limits of conditions that are asked on it; nil where none is.
  private(set) var conditionLimits: ConditionLimits?

  /// Opens the file at `path`, whatever its name: `file:x`, `:memory:` and `-` are files in the current folder.
  ///
  /// - Parameter patience: for how many milliseconds a call waits for the locks of others.
  init(_ path: String, _ access: Access, patience: Int32) throws(SQLiteError) {
    // No mutex of SQLite's: only one thread has the connection at a time.
    let always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let name = FileSystem.plainName(path)
    let code =
      switch access {
      case .writing: sqlite3_open_v2(name, &opened, always | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      case .reading: sqlite3_open_v2(name, &opened, always | SQLITE_OPEN_READONLY, nil)
      case .memory: sqlite3_open_v2(":memory:", &opened, always | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      case .asItLies:
        sqlite3_open_v2(
          FileSystem.immutableURI(path), &opened, always | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      }
    guard code == SQLITE_OK, let opened else {
      // There is a connection to be closed also where the file could not be opened.
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code == SQLITE_OK ? SQLITE_NOMEM : code)
    }
    connection = opened
    sqlite3_busy_timeout(connection, patience)
    // Foreign keys are not checked, which is the default of SQLite: rows are written in an order that
    // keeps references whole.
    try SQLiteError.check(telecap_refuse_quoted_text(connection), of: connection)
  }

  deinit { close() }

  /// Closes the connection. Statements that somebody still holds stay valid and hold it open until they go.
  func close() {
    guard isOpen else { return }
    isOpen = false
    statements = [:]
    sqlite3_close_v2(connection)
  }

  /// Keeps an object until the connection is closed and gone.
  func keep(_ object: AnyObject) { kept.append(object) }

  /// From now on conditions can be asked, within their limits.
  ///
  /// - Throws: `SQLiteError`, `SQLITE_BUSY` where a statement runs.
  func limitConditions() throws(SQLiteError) { conditionLimits = try ConditionLimits(on: connection) }

  // MARK: - Statements

  /// Compiles a statement.
  ///
  /// - Throws: `SQLiteError`; `SQLITE_MISUSE` where the SQL is more than one statement.
  func statement(sql: String, arguments: Arguments = []) throws(SQLiteError) -> Statement {
    let statement = try single(sql, isKept: false)
    try statement.bind(arguments)
    return statement
  }

  /// The statement of this SQL, which is compiled once. It is before its first row, and its values stay bound.
  func cachedStatement(sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try single(sql, isKept: true)
    statements[sql] = statement
    return statement
  }

  private func single(_ sql: String, isKept: Bool) throws(SQLiteError) -> Statement {
    try Database.withPointer(to: sql) { start throws(SQLiteError) in
      var rest = start
      guard let statement = try Statement(&rest, on: connection, isKept: isKept) else {
        throw SQLiteError(code: SQLITE_ERROR, message: "empty statement")
      }
      // The rest may be invalid SQL, too: it is more than one statement in any case.
      if case .success(nil) = Result(catching: { () throws(SQLiteError) in try Statement(&rest, on: connection) }) {
        return statement
      }
      throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement")
    }
  }

  /// Runs all statements of some SQL, one after the other.
  func execute(sql: String) throws(SQLiteError) {
    try Database.withPointer(to: sql) { start throws(SQLiteError) in
      var rest = start
      while let statement = try Statement(&rest, on: connection) { try statement.execute() }
    }
  }

  /// Runs a statement.
  func execute(sql: String, arguments: Arguments) throws(SQLiteError) {
    try single(sql, isKept: false).execute(arguments: arguments)
  }

  /// Calls `body` with the UTF-8 text of some SQL; `withCString` itself does not keep the type of an error.
  private static func withPointer<Value>(
    to sql: String, _ body: (UnsafePointer<CChar>) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try sql.withCString { start in
      Result { () throws(SQLiteError) in try body(start) }
    }.get()
  }

  // MARK: - Values

  /// All rows that a statement gives.
  func rows(sql: String, arguments: Arguments = []) throws(SQLiteError) -> [Row] {
    let statement = try statement(sql: sql, arguments: arguments)
    var rows: [Row] = []
    while let row = try statement.next() { rows.append(row) }
    return rows
  }

  /// The first row that a statement gives; nil where there is none.
  func row(sql: String, arguments: Arguments = []) throws(SQLiteError) -> Row? {
    try statement(sql: sql, arguments: arguments).next()
  }

  /// The first column of the first row as the whole number that SQLite makes of it; nil where there is none, or NULL.
  func integer(sql: String, arguments: Arguments = []) throws(SQLiteError) -> Int? {
    let statement = try statement(sql: sql, arguments: arguments)
    guard try statement.step(), sqlite3_column_type(statement.handle, 0) != SQLITE_NULL else { return nil }
    return Int(sqlite3_column_int64(statement.handle, 0))
  }

  /// The first column of the first row as text; nil where there is none, or NULL.
  func text(sql: String) throws(SQLiteError) -> String? {
    let statement = try statement(sql: sql)
    guard try statement.step() else { return nil }
    return sqlite3_column_text(statement.handle, 0).map { String(cString: $0) }
  }

  /// The same as `integer`, as a truth value.
  func boolean(sql: String, arguments: Arguments = []) throws(SQLiteError) -> Bool? {
    try integer(sql: sql, arguments: arguments).map { $0 != 0 }
  }

  /// Whether there is a table of this name; to SQLite names in capitals are the same ones.
  func hasTable(_ name: String) throws(SQLiteError) -> Bool {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE"
    return try row(sql: sql, arguments: [name]) != nil
  }

  // MARK: - Transactions

  /// Whether a transaction was begun and has not ended.
  var isInsideTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Runs `body` in a transaction, which is committed when `body` returns and rolled back when it throws.
  ///
  /// - Parameter keeps: whether anything is committed; without it all is rolled back.
  /// - Throws: what went wrong first, `SQLiteError` or what `body` throws.
  func inTransaction<Value>(_ kind: Transaction, keeps: Bool = true, _ body: () throws -> Value) throws -> Value {
    try execute(sql: "BEGIN \(kind.rawValue) TRANSACTION")
    defer { rollBack() }
    let value = try body()
    guard keeps else { return value }
    // SQLite rolls back by itself after some errors: later changes would be reported as committed, or as an extra COMMIT.
    guard isInsideTransaction else { throw SQLiteError(code: SQLITE_ABORT, message: "Transaction was aborted") }
    try execute(sql: "COMMIT TRANSACTION")
    return value
  }

  /// Ends a transaction that was not committed, unless SQLite did.
  private func rollBack() {
    guard isInsideTransaction else { return }
    try? execute(sql: "ROLLBACK TRANSACTION")
    guard isInsideTransaction else { return }
    // An interruption ends every call until nothing runs any more.
    var statement = sqlite3_next_stmt(connection, nil)
    while let one = statement {
      sqlite3_reset(one)
      statement = sqlite3_next_stmt(connection, one)
    }
    try? execute(sql: "ROLLBACK TRANSACTION")
  }
}
