import CSQLite

/// Steps through a statement's rows without making objects of them.
struct Query {
  private let statement: Statement
  private let path: String

  init(_ db: Database, _ path: String, _ sql: String, _ arguments: Arguments = []) throws {
    self.path = path
    statement = try db.statement(sql: sql, arguments: arguments)
  }

  /// The names of the columns.
  var columns: [String] { statement.columnNames }

  /// Calls `body` with each row; it stays valid until `body` returns. An error of `body` ends the query.
  func forEach(_ body: (QueryRow) throws -> Void) throws {
    defer { reset() }
    while let row = try next() { try body(row) }
  }

  /// The next row, valid until the next call; nil after the last one. The caller resets the query in the end.
  @inline(__always)
  func next() throws -> QueryRow? {
    let row = QueryRow(statement: statement.handle)
    let code = sqlite3_step(row.statement)
    if code == SQLITE_ROW { return row }
    if code == SQLITE_DONE { return nil }
    throw problem(code)
  }

  /// Lets go of what the query holds open.
  func reset() { sqlite3_reset(statement.handle) }

  @inline(never)
  private func problem(_ code: Int32) -> StoreError {
    storeError(SQLiteError(code: code, of: sqlite3_db_handle(statement.handle)), path)
  }
}

/// The current row of a query; columns are counted from 0.
struct QueryRow {
  let statement: OpaquePointer

  func integer(_ column: Int32) -> Int { Int(truncatingIfNeeded: sqlite3_column_int64(statement, column)) }

  @inline(__always)
  func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_INTEGER }

  func isText(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_TEXT }

  /// A column whose value is asked several things.
  @inline(__always)
  func cell(_ column: Int32) -> QueryCell { QueryCell(value: sqlite3_column_value(statement, column)) }

  func text(_ column: Int32) -> String { sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "" }

  /// The bytes of a blob, gone when the query goes on.
  func withBlob(_ column: Int32, _ body: (RawSpan) throws -> Void) rethrows {
    let start = sqlite3_column_blob(statement, column)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    try body(bytes.bytes)
  }

  func value(_ column: Int32) -> CellValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: return .text(text(column))
    case SQLITE_BLOB:
      var bytes: [UInt8] = []
      withBlob(column) { blob in blob.withUnsafeBytes { bytes = Array($0) } }
      return .blob(bytes)
    default: return .null
    }
  }
}

/// The value of a column of the current row of a query, invalid after its next step. Its column is looked up once for all
/// that it is asked. No lock of SQLite's guards it (https://www.sqlite.org/c3ref/column_blob.html calls it unprotected): only
/// one thread has the connection.
struct QueryCell {
  fileprivate let value: OpaquePointer?

  @inline(__always)
  var isInteger: Bool { sqlite3_value_type(value) == SQLITE_INTEGER }

  @inline(__always)
  var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }

  @inline(__always)
  var integer: Int { Int(truncatingIfNeeded: sqlite3_value_int64(value)) }

  /// The number that it is.
  @inline(__always)
  var number: StoredNumber {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .whole(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    default: .none
    }
  }

  /// The bytes of a blob; nil where it is none.
  @inline(__always)
  var blob: UnsafeRawBufferPointer? {
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    return UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
  }
}

/// A value as SQLite has it.
public enum CellValue: Hashable, Sendable {
  /// No value: the row's message has no such field, or it is NaN.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number of a float64 column, such as `seconds`.
  case real(Double)
  /// A number that was a float32 on the wire; its shortest text is that of a `Float`.
  case float(Float)
  /// Text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}
