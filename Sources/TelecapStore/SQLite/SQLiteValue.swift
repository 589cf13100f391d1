import CSQLite

/// A value in a column or in the place of a `?` of a statement.
enum SQLiteValue: Hashable, Sendable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// The value in a column, counted from 0, of the current row of a statement. Text ends at its first NUL.
  ///
  /// - Throws: `SQLiteError` where there is no memory for the value.
  init(_ statement: OpaquePointer, _ column: Int32) throws(SQLiteError) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      // SQLite has to allocate where the text does not end with a NUL.
      guard let text = sqlite3_column_text(statement, column) else { throw SQLiteError(code: SQLITE_NOMEM) }
      self = .text(String(cString: text))
    case SQLITE_BLOB:
      // The address of no bytes is nil.
      let start = sqlite3_column_blob(statement, column)
      self = .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    default: self = .null
    }
  }

  /// The text, also where its bytes are stored as a blob, which is all the same to SQLite where it reads its schema; nil for any
  /// other value.
  var text: String? {
    switch self {
    case .text(let text): text
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  /// Puts the value in the place of a `?` of a statement, counted from 1. Text ends at its first NUL.
  ///
  /// - Returns: a result code.
  func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, place)
    case .integer(let number): sqlite3_bind_int64(statement, place, number)
    case .real(let number): sqlite3_bind_double(statement, place, number)
    case .text(let text): sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT)
    case .blob(let bytes): sqlite3_bind_blob64(statement, place, bytes, UInt64(bytes.count), SQLITE_TRANSIENT)
    }
  }
}

/// A value that can be bound to a `?` of a statement.
protocol SQLiteConvertible {
  /// How SQLite holds it.
  var sqliteValue: SQLiteValue { get }
}

extension String: SQLiteConvertible {
  var sqliteValue: SQLiteValue { .text(self) }
}

extension SQLiteConvertible where Self: FixedWidthInteger {
  var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int: SQLiteConvertible {}
extension Int64: SQLiteConvertible {}
extension UInt16: SQLiteConvertible {}

/// The values for the `?` of a statement, in their order; nil is NULL.
typealias Arguments = [(any SQLiteConvertible)?]
