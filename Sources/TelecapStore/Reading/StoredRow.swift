/// A row as it was found in a capture. A file that was changed by hand or by a failing disk may hold anything: every value is
/// held to what its column may hold.
struct StoredRow {
  /// The capture, for errors.
  let path: String
  /// The table that it is of, for errors.
  let table: String
  /// Which row of it, from 1; nil where it stands for many.
  let number: Int64?
  private let row: Row

  /// - Parameter place: the row's place among those that were read, where it has no number of its own, from 1.
  init(_ row: Row, of table: String, at place: Int64? = nil, _ path: String) {
    (self.path, self.table, self.row) = (path, table, row)
    number = row["id"].flatMap { if case .integer(let id) = $0 { id } else { nil } } ?? place
  }

  /// Whether the table has such a column.
  func has(_ column: String) -> Bool { row[column] != nil }

  /// Text.
  func text(_ column: String) throws(StoreError) -> String {
    let value = value(column)
    guard case .text(let text) = value else { throw wrong(column, value, "text") }
    return text
  }

  /// Text, or nil where there is none.
  func textIfAny(_ column: String) throws(StoreError) -> String? {
    value(column) == .null ? nil : try text(column)
  }

  /// A whole number that the type holds.
  func integer<Number: FixedWidthInteger>(_ column: String) throws(StoreError) -> Number {
    Number(try integer(column, from: Int64(clamping: Number.min), through: Int64(clamping: Number.max)))
  }

  /// A whole number from 0 on.
  func count(_ column: String) throws(StoreError) -> Int { Int(try integer(column, from: 0, through: .max)) }

  /// A whole number, or nil where there is none.
  func integerIfAny(_ column: String) throws(StoreError) -> Int64? {
    value(column) == .null ? nil : try integer(column)
  }

  /// A whole number in a range.
  func integer(_ column: String, from least: Int64, through most: Int64) throws(StoreError) -> Int64 {
    let value = value(column)
    guard case .integer(let number) = value, (least...most).contains(number) else {
      throw wrong(column, value, least == .min && most == .max ? "a whole number" : "a whole number, \(least)…\(most)")
    }
    return number
  }

  /// That a value is none of those that belong there.
  func wrong(_ column: String, _ wanted: String) -> StoreError { wrong(column, value(column), wanted) }

  private func value(_ column: String) -> SQLiteValue { row[column] ?? .null }

  private func wrong(_ column: String, _ value: SQLiteValue, _ wanted: String) -> StoreError {
    .wrongValue(path: path, table: table, row: number, "\(column) is \(value.shown); expected \(wanted)")
  }
}

extension SQLiteValue {
  /// The value in an error.
  fileprivate var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.prefix(60).filter { !$0.isNewline })'"
    case .blob(let bytes): "a blob of \(bytes.count) bytes"
    }
  }
}
