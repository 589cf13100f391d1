import TelecapRecording
import TelecapText
import TelecapWire

/// The values that the rows of a derived table may have: telecap wrote the table, and any program may have changed it since.
/// SQL joins and counts such tables, and ignores rows that match nothing, so they are checked before.
struct CheckedTable {
  /// The values that a column may have.
  enum Values {
    /// A whole number in this range.
    case number(ClosedRange<Int64>)
    /// A number, whole or not.
    case real
    /// The id of a row of this table.
    case row(of: String)
    /// One of these words.
    case word([String])
    /// Any text.
    case text
    /// Any bytes.
    case blob
  }

  /// A column and its allowed values.
  private struct Column {
    let name: String
    let values: Values
    let isOptional: Bool

    /// The SQL expression that is true where it holds what it may.
    var condition: String { isOptional ? "(\(name) IS NULL OR \(values.condition(name)))" : values.condition(name) }
  }

  /// The table's name.
  let name: String
  /// Its primary key.
  private let key: String
  private var columns: [Column] = []

  init(_ name: String, key: String = "id", _ values: Values = .number(1...Int64(PacketHeader.largestNumber))) {
    (self.name, self.key) = (name, key)
    columns = [Column(name: key, values: values, isOptional: false)]
  }

  /// With columns that hold these values; optional ones may hold none.
  func adding(_ names: String..., optional: Bool = false, holding values: Values) -> CheckedTable {
    var table = self
    table.columns += names.map { Column(name: $0, values: values, isOptional: optional) }
    return table
  }

  /// Looks for the first row that holds what it may not.
  ///
  /// - Throws: `StoreError.wrongValue`
  func check(_ db: Database, _ path: String) throws {
    let all = columns.map(\.condition).joined(separator: " AND ")
    let found = try db.integer(
      sql: "SELECT \(key) FROM \(name) WHERE NOT COALESCE(\(all), 0) ORDER BY \(key) LIMIT 1")
    guard let found else { return }
    for column in columns {
      let row = try db.row(
        sql: """
          SELECT \(key) AS id, \(column.name) AS \(column.name), COALESCE(\(column.condition), 0) AS is_right
          FROM \(name) WHERE \(key) = ?
          """, arguments: [found])
      guard let row, row["is_right"] == .integer(0) else { continue }
      let name = column.name.filter { $0 != "\"" }
      throw StoredRow(row, of: self.name, path).wrong(name, column.values.words)
    }
  }
}

extension CheckedTable.Values {
  /// The SQL expression that is true if a column has one of these values.
  fileprivate func condition(_ column: String) -> String {
    switch self {
    case .number(let range):
      "(typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound))"
    case .real: "typeof(\(column)) = 'real'"
    case .row(let table): "\(column) IN (SELECT id FROM \(table))"
    case .word(let words): "\(column) IN (\(words.map { "'\($0)'" }.joined(separator: ", ")))"
    case .text: "typeof(\(column)) = 'text'"
    case .blob: "typeof(\(column)) = 'blob'"
    }
  }

  /// The allowed values, in words.
  fileprivate var words: String {
    switch self {
    case .number(let range): "a whole number, \(range.lowerBound)…\(range.upperBound)"
    case .real: "a number"
    case .row(let table): "the id of a row of \(table)"
    case .word(let words): words.joined(separator: ", ")
    case .text: "text"
    case .blob: "a blob"
    }
  }

  /// The values that a column for fields of this type may have.
  fileprivate init(_ type: FieldType) {
    switch type {
    case .u8, .u16, .u24, .u32, .i8, .i16, .i24, .i32, .decimal: self = .number(type.smallest...Int64(type.largest))
    // A uint64 of 2⁶³ or more is stored as the negative number of the same bits.
    case .u64, .i64: self = .number(.min ... .max)
    case .bits: self = .number(Int64(exactly: type.largest).map { 0...$0 } ?? .min ... .max)
    case .f32, .f64: self = .real
    case .text, .variableText: self = .text
    case .octets, .variableOctets, .rest: self = .blob
    }
  }
}

extension CaptureSchema {
  /// The allowed values of the derived tables; each table comes after those whose rows it names.
  var checkedTables: [CheckedTable] {
    let offsets = CheckedTable.Values.number(0...Int64(PacketHeader.largestOriginal))
    func codes(_ count: Int) -> CheckedTable.Values { .number(0...Int64(max(0, count - 1))) }
    let whole = CheckedTable.Values.number(.min ... .max)
    let shared = [
      CheckedTable("packet").adding("time_ns", holding: whole).adding("interface", holding: .row(of: "interface"))
        .adding("original_length", holding: offsets).adding("frame", holding: .blob),
      CheckedTable("session").adding("protocol", "client", "server", holding: .text)
        .adding("carrier", holding: .word(Carrier.allCases.map(\.name))).adding(
          "session_id", optional: true, holding: whole
        )
        .adding("opened_ns", "last_seen_ns", holding: whole).adding(
          "ended", holding: .word(Session.End.allCases.map(\.rawValue))
        )
        .adding("messages", holding: .number(0...Int64(PacketHeader.largestNumber))),
      CheckedTable("flow").adding("carrier", holding: .word(Carrier.allCases.map(\.name)))
        .adding("source", "destination", holding: .text).adding(
          "source_port", "destination_port", holding: codes(65_536)),
      CheckedTable("message").adding("packet", holding: .row(of: "packet")).adding(
        "offset", optional: true, holding: offsets
      )
      .adding("length", holding: offsets).adding("kind_code", holding: codes(kinds.count)).adding(
        "dialect_code", holding: codes(dialects.count)
      )
      .adding("direction_code", holding: codes(Direction.allCases.count))
      .adding("severity_code", optional: true, holding: codes(Severity.allCases.count))
      .adding("session", optional: true, holding: .row(of: "session")).adding("flow", holding: .row(of: "flow")),
      CheckedTable("finding").adding("packet", holding: .row(of: "packet")).adding(
        "message", optional: true, holding: .row(of: "message")
      )
      .adding("rule", "text", holding: .text).adding("severity", holding: .word(Severity.allCases.map(\.name)))
      .adding("offset", "length", holding: offsets),
    ]
    return shared
      + tables.map { table in
        table.fields.reduce(CheckedTable(table.name, key: "message", .row(of: "message"))) {
          $0.adding(Escaping.sqlName($1.name), optional: true, holding: CheckedTable.Values($1.valueType))
        }
      }
  }
}

/// Which tables a reader has found right, so that they are looked through once, and again when somebody has written to the file.
///
/// @unchecked Sendable: it is touched with the reader's connection in hand only, which one thread has at a time.
final class CheckedState: @unchecked Sendable {
  private var version = 0
  private var names: Set<String> = []

  /// The tables that are still to be looked through when the file is in this state (`PRAGMA data_version`).
  func rest(of tables: [CheckedTable], inVersion version: Int) -> [CheckedTable] {
    if self.version != version { (self.version, names) = (version, []) }
    return tables.filter { !names.contains($0.name) }
  }

  /// This table is right.
  func add(_ table: CheckedTable) { names.insert(table.name) }
}

extension CaptureReader {
  /// Looks through the tables that follow from the frames, unless that was done.
  ///
  /// - Throws: `StoreError.wrongValue` for the first row that holds what it may not.
  public func checkTables() throws { try read { try checkTables($0) } }

  /// Looks through the tables that follow from the frames, or through those of these names, unless that was done.
  ///
  /// - Throws: `StoreError.wrongValue` for the first row that holds what it may not.
  func checkTables(_ db: Database, _ names: Set<String>? = nil) throws {
    guard let checked else { return }
    let wanted = schema.checkedTables.filter { names?.contains($0.name) ?? true }
    // Asked before: what is written while it is looked through is looked through the next time.
    for table in checked.rest(of: wanted, inVersion: try version(db)) {
      try table.check(db, path)
      checked.add(table)
    }
  }
}
