import CSQLite

/// A compiled statement. Used where its connection is in hand.
final class Statement {
  /// SQLite's statement, for stepping through it without row objects.
  let handle: OpaquePointer
  /// The names of the columns.
  private(set) lazy var columnNames: [String] = (0..<sqlite3_column_count(handle)).map { column in
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }
  /// Whether there are no more rows: a further step would begin anew.
  private var isOver = false

  /// Compiles the first statement of some SQL; nil where there is none, but spaces or a comment.
  ///
  /// - Parameters:
  ///   - sql: the statements; moved past the first one.
  ///   - isKept: whether the statement will run many times.
  init?(_ sql: inout UnsafePointer<CChar>, on connection: OpaquePointer, isKept: Bool = false) throws(SQLiteError) {
    var (statement, rest) = (OpaquePointer?.none, UnsafePointer<CChar>?.none)
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    try SQLiteError.check(sqlite3_prepare_v3(connection, sql, -1, flags, &statement, &rest), of: connection)
    guard let statement else { return nil }
    handle = statement
    if let rest { sql = rest }
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds values to all `?`, and resets the statement to before its first row.
  ///
  /// - Throws: `SQLiteError`, `SQLITE_MISUSE` where there are not as many values as places.
  func bind(_ arguments: Arguments) throws(SQLiteError) {
    reset()
    guard arguments.count == Int(sqlite3_bind_parameter_count(handle)) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "wrong number of statement arguments: \(arguments.count)")
    }
    for (place, argument) in arguments.enumerated() {
      let value = argument?.sqliteValue ?? .null
      try SQLiteError.check(value.bind(to: handle, at: Int32(place + 1)), of: sqlite3_db_handle(handle))
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(SQLiteError) -> Bool {
    if isOver { return false }
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    isOver = true
    guard code == SQLITE_DONE else { throw SQLiteError(code: code, of: sqlite3_db_handle(handle)) }
    return false
  }

  /// A copy of the next row; nil behind the last one.
  func next() throws(SQLiteError) -> Row? { try step() ? Row(self) : nil }

  /// Releases the resources of the statement, and resets it to before its first row.
  func reset() {
    // The result code is that of the last step, which was thrown.
    sqlite3_reset(handle)
    isOver = false
  }

  /// Runs the statement with these values to its end, whatever rows there are.
  func execute(arguments: Arguments) throws(SQLiteError) {
    try bind(arguments)
    try execute()
  }

  /// Runs the statement to its end, whatever rows there are.
  func execute() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }
}
