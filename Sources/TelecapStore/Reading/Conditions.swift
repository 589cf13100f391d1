import GRDB
import GRDBSQLite
import TelecapWire

extension CaptureReader {
  /// The columns that a condition and an export can name: those of the view `dissection`, in its order.
  public var columns: [String] { schema.columns }

  /// The packets that brought a message for which `condition` holds: an SQL expression over `columns`, such as
  /// `type = 'POSE' AND seq > 100`.
  ///
  /// - Throws: `StoreError.badCondition` with SQLite's words when it is none.
  public func select(where condition: String) throws -> PacketSelection {
    try read { db in
      var selection = PacketSelection()
      let query = try conditional(condition, db, "SELECT packet FROM dissection")
      try explained(condition) { try query.forEach { selection.insert($0.integer(0)) } }
      return selection
    }
  }

  /// Calls `body` with the values of each message for which `condition` holds, in the order of the messages, and with
  /// the names of the columns: all of `columns`, or those given.
  ///
  /// - Throws: `StoreError.badCondition`; what `body` throws.
  public func forEachRow(
    of columns: [String]? = nil, where condition: String? = nil,
    _ body: (_ columns: [String], _ values: [CellValue]) throws -> Void
  ) throws {
    let columns = columns ?? self.columns
    try read { db in
      let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      let query = try conditional(condition ?? "1", db, "SELECT \(names) FROM dissection", " ORDER BY message")
      let isFloat = columns.map { column in
        schema.fieldColumns.contains { $0.name == column && $0.type == .f32 }
      }
      var values: [CellValue] = []
      // An error of SQLite at this point is the condition's: a function that overflows, a bad pattern.
      try explained(condition ?? "1") {
        try query.forEach { row in
          values.removeAll(keepingCapacity: true)
          for (column, isFloat) in isFloat.enumerated() {
            switch row.value(Int32(column)) {
            case .real(let value) where isFloat: values.append(.float(Float(value)))
            case let value: values.append(value)
            }
          }
          try body(columns, values)
        }
      }
    }
  }

  /// The query `select` with the user's condition, which has to be one whole expression by itself.
  private func conditional(_ condition: String, _ db: Database, _ select: String, _ end: String = "") throws -> Query {
    do {
      // Alone first: `1) OR (1` is no expression, though it would be one between brackets. Line ends close comments.
      _ = try Query(db, path, "SELECT \(condition)\n FROM dissection")
      return try Query(db, path, "\(select) WHERE (\(condition)\n)\(end)")
    } catch let error as DatabaseError {
      throw StoreError.badCondition(text: condition, reason: CaptureReader.reason(error, condition))
    }
  }

  private static func reason(_ error: DatabaseError, _ condition: String) -> String {
    if error.resultCode == .SQLITE_MISUSE { return "more than one statement" }
    let reason = error.message ?? "not understood"
    // The FROM is ours: the user's text ended before it was whole.
    let isOurs = reason == "near \"FROM\": syntax error" && !condition.uppercased().contains("FROM")
    return isOurs ? "incomplete: something is missing at its end" : reason
  }

  /// SQLite's complaints while a condition is computed are about the condition.
  private func explained(_ condition: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch StoreError.sqlite(_, SQLITE_ERROR, let reason) {
      throw StoreError.badCondition(text: condition, reason: reason)
    }
  }
}
