import CSQLite
import Testing

/// A capture that a person edits: plain SQL, without telecap's code and without its protections.
final class Database {
  struct Refused: Error, CustomStringConvertible { let description: String }

  private var connection: OpaquePointer?

  init(_ path: String) throws {
    let code = sqlite3_open(path, &connection)
    guard code == SQLITE_OK else { throw problem(path) }
    try run("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")
  }

  /// Another program that holds the write lock of a capture.
  init(locking path: String) throws {
    guard sqlite3_open(path, &connection) == SQLITE_OK else { throw problem(path) }
    try run("BEGIN IMMEDIATE")
  }

  deinit { sqlite3_close(connection) }

  /// Runs statements.
  func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw problem(sql) }
  }

  /// The first column of each row, as text.
  func column(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw problem(sql) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return rows
  }

  /// Puts any value into a row, whatever its column takes: as a failing disk does.
  ///
  /// - Parameter value: as SQL writes it.
  /// - Returns: the row's number; nil where SQLite has no room for such a value, as in the place of a row's number.
  static func put(_ value: String, _ table: String, _ column: String, last: Bool, in path: String) throws -> String? {
    let schema = try Database(path).column("SELECT sql FROM sqlite_schema WHERE name = '\(table)'")[0]
    let lax = "replace(replace(sql, ' STRICT', ''), ' NOT NULL', '')"
    try Database(path).run("UPDATE sqlite_schema SET sql = \(lax) WHERE name = '\(table)'")
    let number = try Database(path).column("SELECT \(last ? "max" : "min")(rowid) FROM \(table)")[0]
    let isPut = (try? Database(path).run("UPDATE \(table) SET \(column) = \(value) WHERE rowid = \(number)")) != nil
    let quoted = schema.replacing("'", with: "''")
    try Database(path).run("UPDATE sqlite_schema SET sql = '\(quoted)' WHERE name = '\(table)'")
    return isPut ? number : nil
  }

  private func problem(_ sql: String) -> Refused {
    Refused(description: "\(sql): \(String(cString: sqlite3_errmsg(connection)))")
  }
}
