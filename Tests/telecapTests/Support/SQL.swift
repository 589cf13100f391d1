import CSQLite
import Foundation
import Testing

/// Asks a capture as any program with SQLite can: plain SQL, no code of telecap.
func sql(_ path: String, _ query: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String]] {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  try #require(sqlite3_open(path, &database) == SQLITE_OK, sourceLocation: sourceLocation)
  var statement: OpaquePointer?
  defer { sqlite3_finalize(statement) }
  let prepared = sqlite3_prepare_v2(database, query, -1, &statement, nil)
  try #require(
    prepared == SQLITE_OK, "\(query): \(String(cString: sqlite3_errmsg(database)))", sourceLocation: sourceLocation)
  var rows: [[String]] = []
  while sqlite3_step(statement) == SQLITE_ROW {
    rows.append(
      (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      })
  }
  return rows
}
