import TelecapRecording
import TelecapText
import TelecapWire

/// The tables and the view of a capture that are derived from its frames, for the protocols whose messages it holds: dropped
/// and made anew when the dissector gets better.
///
/// Codes are stored as small numbers; their names are generated columns, so that a file explains itself and a row costs
/// a few bytes.
public final class CaptureSchema: Sendable {
  /// The protocols whose messages the capture contains.
  public let protocols: [WireProtocol]
  /// Their messages; a message's code in the file is its place in here.
  let kinds: [MessageKind]
  /// Their protocol versions, in the same order.
  let dialects: [Dialect]
  /// The typed tables.
  let tables: [TypedTable]
  /// For each message its typed table, by their places.
  let tableOfKind: [Int]
  /// The tables of entries.
  let entryTables: [EntryTable]
  /// For each message its fields of entries, each with its table by its place.
  let entriesOfKind: [[(table: Int, field: FieldRow)]]
  /// For each protocol, the codes of its first message and of its first protocol version.
  private let firsts: [(kind: Int, dialect: Int)]
  /// The columns of the view that are fields.
  let fieldColumns: [FieldOfAll]
  /// Name and statement of each table and view, in the order in which they are made.
  let all: [(name: String, sql: String)]

  /// The schema of a capture of these protocols' messages.
  public convenience init(_ protocols: [WireProtocol]) { self.init(protocols, origin: nil) }

  /// The same tables, with the column `seconds` counted from this time: a temporary capture of a part of a recording does
  /// not have the recording's first packet.
  public func counting(from origin: Timestamp) -> CaptureSchema { CaptureSchema(protocols, origin: origin) }

  /// - Parameter origin: the time from which `seconds` counts; nil for the first packet in the file.
  private init(_ protocols: [WireProtocol], origin: Timestamp?) {
    self.protocols = protocols
    kinds = protocols.flatMap(\.messages)
    dialects = protocols.flatMap(\.dialects)
    var (kind, dialect) = (0, 0)
    firsts = protocols.map { owner in
      defer { (kind, dialect) = (kind + owner.messages.count, dialect + owner.dialects.count) }
      return (kind, dialect)
    }
    let tables = TypedTable.all(of: kinds)
    self.tables = tables
    tableOfKind = kinds.map { kind in tables.firstIndex { $0.kinds.contains(kind) } ?? 0 }
    let entryTables = EntryTable.all(of: kinds)
    self.entryTables = entryTables
    entriesOfKind = kinds.map { kind in
      entryTables.enumerated().flatMap { place, table in
        table.sources.filter { $0.kind == kind }.map { (place, $0.field) }
      }
    }
    fieldColumns = CaptureSchema.fieldColumns(tables)
    all =
      [
        ("session", CaptureSchema.session), ("flow", CaptureSchema.flow),
        ("message", CaptureSchema.message(kinds, dialects)), ("finding", CaptureSchema.finding),
      ] + tables.map { ($0.name, $0.sql) } + entryTables.map { ($0.name, $0.sql) }
      + [("dissection", CaptureSchema.dissection(tables, fieldColumns, origin))]
  }

  /// The columns of the view `dissection`, in its order.
  public var columns: [String] { CaptureSchema.commonColumns.map(\.name) + fieldColumns.map(\.name) }

  /// Those of them in which a message of these kinds can have a value.
  public func columns(of isThere: (MessageKind) -> Bool) -> [String] {
    let names = Set(
      tables.filter { $0.kinds.contains(where: isThere) }.flatMap { table in
        table.fields.map { CaptureSchema.column($0, of: table) }
      })
    return CaptureSchema.commonColumns.map(\.name) + fieldColumns.map(\.name).filter(names.contains)
  }

  /// The codes in the file of a message and of what carries it; nil where their protocol is none of these.
  @inline(__always)
  func codes(of kind: MessageKind, over dialect: Dialect) -> (kind: UInt16, dialect: UInt16)? {
    let owner = kind.owner
    guard let place = protocols.firstIndex(where: { $0 === owner }), dialect.owner === owner else { return nil }
    return (UInt16(firsts[place].kind + kind.place), UInt16(firsts[place].dialect + dialect.place))
  }

  /// Drops the derived tables of any version of telecap, and creates the current tables, empty; notes their protocols. Tables
  /// of other programs stay.
  func rebuild(_ db: Database) throws {
    let old = try db.rows(
      sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'table') ORDER BY type DESC")
    for row in old {
      guard let type = row.text("type"), let name = row.text("name"), isDerived(name, row.text("sql") ?? "") else {
        continue
      }
      try db.execute(sql: "DROP \(type) \(Escaping.sqlName(name))")
    }
    for (_, sql) in all { try db.execute(sql: sql) }
    try db.execute(sql: "DELETE FROM protocol")
    for one in protocols {
      try db.execute(sql: "INSERT INTO protocol VALUES (?, ?, ?)", arguments: [one.name, one.digest, one.declaration])
    }
    try db.execute(sql: "UPDATE capture SET dissection_complete = 0")
  }

  /// Makes the view `dissection` anew.
  func replaceView(_ db: Database) throws {
    for (name, sql) in all where name == "dissection" {
      try db.execute(sql: "DROP VIEW \(name)")
      try db.execute(sql: sql)
    }
  }

  /// A table or a view of somebody else's in whose way a table of ours would be: to SQLite names in capitals are the same ones.
  func taken(_ db: Database) throws -> (kind: String, name: String)? {
    let ours = Set(all.map { $0.name.lowercased() })
    for row in try db.rows(
      sql: "SELECT type, CAST(name AS TEXT) AS name, sql FROM sqlite_schema WHERE type IN ('view', 'table') ORDER BY 2")
    {
      if let kind = row.text("type"), let name = row.text("name"), ours.contains(name.lowercased()),
        !isDerived(name, row.text("sql") ?? "")
      {
        return (kind, name)
      }
    }
    return nil
  }

  /// Whether telecap derived what has this name and statement: both begin as ours do, whichever telecap made it, or the statement as
  /// that of a table of messages does, whose protocol may be none of ours.
  private func isDerived(_ name: String, _ sql: String) -> Bool {
    func line(_ sql: String) -> Substring { sql.prefix { !$0.isNewline } }
    return all.contains { $0.name == name && line($0.sql) == line(sql) } || sql.hasPrefix(TypedTable.head(of: name))
      || sql.hasPrefix(EntryTable.head(of: name))
  }

  /// Whether the file's derived tables are those that this telecap makes. Older ones do not name the column that a reference leads
  /// to, which is the same.
  func isCurrent(_ db: Database) throws -> Bool {
    let target = " (id)"
    for (name, sql) in all {
      let isStored = try db.boolean(
        sql:
          "SELECT 1 FROM sqlite_schema WHERE name = ? AND replace(sql, '\(target)', '') = ? AND type IN ('table', 'view')",
        arguments: [name, sql.replacing(target, with: "")])
      if isStored != true { return false }
    }
    return true
  }

  private static let session = """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY,
      protocol TEXT NOT NULL,
      carrier TEXT NOT NULL,
      client TEXT NOT NULL,
      server TEXT NOT NULL,
      session_id INTEGER,
      opened_ns INTEGER NOT NULL,
      last_seen_ns INTEGER NOT NULL,
      ended TEXT NOT NULL,
      messages INTEGER NOT NULL
    )
    """

  private static let flow = """
    CREATE TABLE flow (
      id INTEGER PRIMARY KEY,
      carrier TEXT NOT NULL,
      source TEXT NOT NULL,
      source_port INTEGER NOT NULL,
      destination TEXT NOT NULL,
      destination_port INTEGER NOT NULL
    )
    """

  private static func message(_ kinds: [MessageKind], _ dialects: [Dialect]) -> String {
    """
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      packet INTEGER NOT NULL REFERENCES packet (id),
      offset INTEGER,
      length INTEGER NOT NULL,
      kind_code INTEGER NOT NULL,
      dialect_code INTEGER NOT NULL,
      direction_code INTEGER NOT NULL,
      severity_code INTEGER,
      session INTEGER REFERENCES session (id),
      flow INTEGER NOT NULL REFERENCES flow (id),
      type TEXT AS (\(names(of: "kind_code", kinds.enumerated().map { ($0, $1.name) }))),
      protocol TEXT AS (\(names(of: "dialect_code", dialects.enumerated().map { ($0, $1.protocolName) }))),
      dialect TEXT AS (\(names(of: "dialect_code", dialects.enumerated().map { ($0, $1.name) }))),
      direction TEXT AS (\(names(of: "direction_code", Direction.allCases.map { (Int($0.rawValue), $0.name) }))),
      severity TEXT AS (\(names(of: "severity_code", Severity.allCases.map { (Int($0.rawValue), $0.name) })))
    )
    """
  }

  private static let finding = """
    CREATE TABLE finding (
      id INTEGER PRIMARY KEY,
      packet INTEGER NOT NULL REFERENCES packet (id),
      message INTEGER REFERENCES message (id),
      rule TEXT NOT NULL,
      severity TEXT NOT NULL,
      offset INTEGER NOT NULL,
      length INTEGER NOT NULL,
      text TEXT NOT NULL
    )
    """

  private static func names(of column: String, _ codes: [(Int, String)]) -> String {
    "CASE \(column) " + codes.map { "WHEN \($0.0) THEN '\($0.1)'" }.joined(separator: " ") + " END"
  }

  // MARK: - The view

  /// Columns of the view that every message has, each with what it stands for.
  static let commonColumns: [(name: String, sql: String)] = [
    ("packet", "message.packet"), ("message", "message.id"), ("time_ns", "packet.time_ns"),
    ("seconds", "(packet.time_ns - (SELECT time_ns FROM packet ORDER BY id LIMIT 1)) / 1e9"),
    ("interface", "(SELECT name FROM interface WHERE interface.id = packet.interface)"),
    ("original_length", "packet.original_length"),
    ("protocol", "message.protocol"), ("dialect", "message.dialect"), ("type", "message.type"),
    ("direction", "message.direction"), ("session", "message.session"), ("carrier", "flow.carrier"),
    ("source", "flow.source"), ("destination", "flow.destination"), ("offset", "message.offset"),
    ("length", "message.length"), ("severity", "message.severity"),
  ]

  /// A field of a name, whichever messages have it.
  struct FieldOfAll: Sendable {
    /// Its column in the view: the field's name, after that of its protocol if every message has such a column.
    let name: String
    /// Its columns in tables: `tele_pose.seq`.
    private(set) var sources: [String]
    /// The messages in which it is a float32.
    private(set) var floats: [MessageKind] = []
    /// In others it is a float64.
    private(set) var isWideToo = false
    /// Whether it holds a float in some message.
    var isReal: Bool { isWideToo || !floats.isEmpty }

    init(name: String) { (self.name, sources) = (name, []) }

    mutating func add(_ field: FieldRow, of table: TypedTable) {
      sources.append("\(table.name).\(field.name)")
      if field.type == .f32 { floats += table.kinds }
      if field.valueType == .f64 { isWideToo = true }
    }
  }

  /// The name of the column of a field in the view `dissection`.
  private static func column(_ field: FieldRow, of table: TypedTable) -> String {
    commonColumns.contains { $0.name == field.name } ? "\(table.protocolName)_\(field.name)" : field.name
  }

  /// The name of the column of a field of a message in the view `dissection`.
  func column(_ field: FieldRow, of kind: MessageKind) -> String? {
    tables.first { $0.kinds.contains(kind) }.map { CaptureSchema.column(field, of: $0) }
  }

  private static func fieldColumns(_ tables: [TypedTable]) -> [FieldOfAll] {
    var columns: [FieldOfAll] = []
    for table in tables {
      for field in table.fields {
        let name = column(field, of: table)
        let index = columns.firstIndex { $0.name == name } ?? columns.count
        if index == columns.count { columns.append(FieldOfAll(name: name)) }
        columns[index].add(field, of: table)
      }
    }
    return columns
  }

  /// One row a message, with every field of every type as a column. All joins are outer ones on primary keys: SQLite
  /// leaves out those whose columns a query does not name.
  private static func dissection(
    _ tables: [TypedTable], _ fieldColumns: [FieldOfAll], _ origin: Timestamp?
  ) -> String {
    let sinceOrigin = origin.map { "(packet.time_ns - (\($0.nanoseconds))) / 1e9" }
    let fields = fieldColumns.map { column -> String in
      let all = column.sources.joined(separator: ", ")
      // As a REAL it can be compared with a text that is a number.
      let single = column.isReal ? "CAST(\(all) AS REAL)" : all
      let value = column.sources.count == 1 ? single : "COALESCE(\(all))"
      return "\(value) AS \(column.name)"
    }
    let common = commonColumns.map { name, sql in (name == "seconds" ? sinceOrigin ?? sql : sql) + " AS \(name)" }
    let columns = common + fields
    let joins =
      ["packet ON packet.id = message.packet", "flow ON flow.id = message.flow"]
      + tables.map { "\($0.name) ON \($0.name).message = message.id" }
    return "CREATE VIEW dissection AS SELECT\n  \(columns.joined(separator: ",\n  "))\nFROM message\n"
      + joins.map { "LEFT JOIN \($0)" }.joined(separator: "\n")
  }
}
