import CSQLite
import TelecapRecording
import TelecapText
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
      try checkTables(db)
      var selection = PacketSelection()
      try withQuery("SELECT packet FROM dissection", where: condition, db) { query in
        try query.forEach { selection.insert($0.integer(0)) }
      }
      return selection
    }
  }

  /// Whether `condition` holds for any message, which is sooner known than for which.
  ///
  /// - Throws: as `select` does.
  public func choosesAny(where condition: String) throws -> Bool {
    try read { db in
      try checkTables(db)
      var isAny = false
      try withQuery("SELECT 1 FROM dissection", where: condition, ending: " LIMIT 1", db) { query in
        try query.forEach { _ in isAny = true }
      }
      return isAny
    }
  }

  /// Calls `body` with the values of each message for which `condition` holds, in the order of the messages, and with
  /// the names of the columns: all of `columns`, or those given.
  ///
  /// - Parameter restriction: SQL of ours that holds for each of these messages too; the condition is compiled without it.
  /// - Throws: `StoreError.badCondition`; what `body` throws.
  public func forEachRow(
    of columns: [String]? = nil, where condition: String? = nil, and restriction: String = "1",
    _ body: (_ columns: [String], _ values: [CellValue]) throws -> Void
  ) throws {
    let columns = columns ?? self.columns
    try read { db in
      try checkTables(db)
      var names = columns.map(Escaping.sqlName)
      let widths = columns.map { width(of: $0, &names) }
      let select = "SELECT \(names.joined(separator: ", ")) FROM dissection"
      var values: [CellValue] = []
      try withQuery(select, where: condition, ending: " AND (\(restriction)) ORDER BY message", db) { query in
        try query.forEach { row in
          values.removeAll(keepingCapacity: true)
          for (column, width) in widths.enumerated() {
            switch row.value(Int32(column)) {
            case .real(let value) where width.isFloat(in: row): values.append(.float(Float(value)))
            case let value: values.append(value)
            }
          }
          try body(columns, values)
        }
      }
    }
  }

  /// The width of the floats of a column on the wire.
  private enum FloatWidth {
    case float32, float64
    /// A float32 where the query's column at this place is not 0.
    case float32IfSet(at: Int32)

    func isFloat(in row: QueryRow) -> Bool {
      switch self {
      case .float32: true
      case .float64: false
      case .float32IfSet(let place): row.integer(place) != 0
      }
    }
  }

  /// The width of a column's floats; where it is not the same in all messages, one more column is asked for.
  private func width(of column: String, _ selected: inout [String]) -> FloatWidth {
    guard let field = schema.fieldColumns.first(where: { $0.name == column }), !field.floats.isEmpty else {
      return .float64
    }
    guard field.isWideToo else { return .float32 }
    let messages = Set(field.floats.map { "'\($0.owner.name) \($0.name)'" }).sorted()
    selected.append("protocol || ' ' || type IN (\(messages.joined(separator: ", ")))")
    return .float32IfSet(at: Int32(selected.count - 1))
  }

  /// Calls `body` with the query `select` of the rows for which a condition holds: one whole expression by itself.
  ///
  /// - Parameters:
  ///   - condition: nil chooses all rows, and has no limits.
  ///   - end: what follows it in the query.
  ///   - timeout: in seconds; nil for none.
  /// - Throws: `StoreError.badCondition`; what `body` throws.
  func withQuery(
    _ select: String, where condition: String?, ending end: String = "", timeout: Int? = nil, _ db: Database,
    _ body: (Query) throws -> Void
  ) throws {
    guard let condition else { return try body(Query(db, path, "\(select) WHERE 1\(end)")) }
    guard let limits = db.conditionLimits else { throw SQLiteError(code: SQLITE_MISUSE, message: "no conditions") }
    try limits.apply(timeout) {
      let query = try compiled(select, condition, end, db, limits)
      do {
        try body(query)
      } catch StoreError.sqlite(_, SQLITE_ERROR, let reason) {
        // It is the condition's: a function that overflows, a bad pattern.
        throw StoreError.badCondition(text: condition, reason: reason)
      } catch StoreError.sqlite(_, SQLITE_INTERRUPT, _) where timeout != nil {
        let reason = limits.isLate ? "timeout after \(timeout ?? 0) s" : "interrupted"
        throw StoreError.badCondition(text: condition, reason: reason)
      } catch let error as StoreError where error == Connection.tooLong(path) {
        let reason = "it makes a value of more than \(ConditionLimits.maxValueLength) bytes"
        throw StoreError.badCondition(text: condition, reason: reason)
      }
    }
  }

  private func compiled(
    _ select: String, _ condition: String, _ end: String, _ db: Database, _ limits: ConditionLimits
  ) throws -> Query {
    do {
      return try limits.compile(condition, db) {
        // Alone first: `1) OR (1` is no expression, though it would be one between brackets. Line ends close comments.
        _ = try Query(db, path, "SELECT \(condition)\n FROM dissection")
        return try Query(db, path, "\(select) WHERE (\(condition)\n)\(end)")
      }
    } catch let error as SQLiteError {
      throw StoreError.badCondition(text: condition, reason: CaptureReader.reason(error, condition))
    }
  }

  private static func reason(_ error: SQLiteError, _ condition: String) -> String {
    if error.primaryCode == SQLITE_MISUSE { return "more than one statement" }
    let reason = error.message
    // The FROM is ours: the user's text ended before it was whole.
    let isOurs = reason == "near \"FROM\": syntax error" && !condition.uppercased().contains("FROM")
    return isOurs ? "incomplete: something is missing at its end" : reason
  }
}
