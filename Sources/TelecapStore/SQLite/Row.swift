/// A copy of a row that a statement gave.
struct Row {
  /// The names of the columns, which all rows of a statement share.
  private let columns: [String]
  private let values: [SQLiteValue]

  /// A copy of the current row of a statement.
  init(_ statement: Statement) throws(SQLiteError) {
    columns = statement.columnNames
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns.indices { values.append(try SQLiteValue(statement.handle, Int32(column))) }
    self.values = values
  }

  /// The value in the first column of this name, in which the case of ASCII letters does not count, as in SQL; nil where there is
  /// no such column.
  subscript(_ name: String) -> SQLiteValue? {
    columns.firstIndex { Row.isSame($0, name) }.map { values[$0] }
  }

  /// The text in a column; nil where there is none.
  func text(_ name: String) -> String? { self[name]?.text }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    return one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
  }
}
