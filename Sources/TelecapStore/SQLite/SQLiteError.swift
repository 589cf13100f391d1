import CSQLite

/// An error of SQLite.
struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  let code: Int32
  /// SQLite's words for it.
  let message: String

  /// An error of this code.
  ///
  /// - Parameter message: what is wrong; nil stands for SQLite's words for the code.
  init(code: Int32, message: String? = nil) {
    self.code = code
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  /// The error of the call that has just failed on a connection with this code.
  init(code: Int32, of connection: OpaquePointer?) {
    self.init(code: code, message: String(cString: sqlite3_errmsg(connection)))
  }

  /// The primary result code, which says less than `code` and is the same in all versions of SQLite.
  var primaryCode: Int32 { code & 0xff }

  var description: String { "SQLite error \(primaryCode): \(message)" }

  /// Throws the error of a call that has just failed on a connection; nothing where the call did not fail.
  static func check(_ code: Int32, of connection: OpaquePointer?) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: connection) }
  }
}

/// The code of a file that cannot be locked: a macro that Swift does not import.
let SQLITE_IOERR_LOCK = SQLITE_IOERR | 15 << 8

/// SQLite makes its own copy of what it is given: a macro that Swift does not import.
let SQLITE_TRANSIENT = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
