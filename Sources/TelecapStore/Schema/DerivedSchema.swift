import GRDB
import TelecapRecording
import TelecapWire

/// The tables and the view that are derived from the frames: dropped and made anew when the dissector gets better.
///
/// Codes are stored as small numbers; their names are generated columns, so that a file explains itself and a row costs
/// a few bytes.
enum DerivedSchema {
  /// Name and statement of each table and view, in the order in which they are made.
  static let all: [(name: String, sql: String)] =
    [("session", session), ("flow", flow), ("message", message), ("finding", finding)]
    + TypedTable.all.map { ($0.name, $0.sql) } + [("dissection", dissection)]

  /// Drops whatever was derived, by whichever telecap, and makes today's tables, empty.
  static func rebuild(_ db: Database) throws {
    let raw = Schema.rawTables.map { "'\($0)'" }.joined(separator: ", ")
    let old = try Row.fetchAll(
      db,
      sql: "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT IN (\(raw)) "
        + "AND name NOT LIKE 'sqlite_%' ORDER BY type DESC")
    for row in old {
      let (type, name): (String, String) = (row["type"], row["name"])
      try db.execute(sql: "DROP \(type) \"\(name)\"")
    }
    for (_, sql) in all { try db.execute(sql: sql) }
    try db.execute(sql: "UPDATE capture SET dissection_complete = 0")
  }

  /// Whether the file's derived tables are those that this telecap makes.
  static func isCurrent(_ db: Database) throws -> Bool {
    for (name, sql) in all {
      let stored = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
      if stored != sql { return false }
    }
    return true
  }

  static let session = """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY,
      protocol TEXT NOT NULL,
      carrier TEXT NOT NULL,
      phone TEXT NOT NULL,
      host TEXT NOT NULL,
      session_id INTEGER,
      opened_ns INTEGER NOT NULL,
      last_seen_ns INTEGER NOT NULL,
      ended TEXT NOT NULL,
      messages INTEGER NOT NULL
    )
    """

  static let flow = """
    CREATE TABLE flow (
      id INTEGER PRIMARY KEY,
      carrier TEXT NOT NULL,
      source TEXT NOT NULL,
      source_port INTEGER NOT NULL,
      destination TEXT NOT NULL,
      destination_port INTEGER NOT NULL
    )
    """

  static let message = """
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      packet INTEGER NOT NULL REFERENCES packet,
      offset INTEGER,
      length INTEGER NOT NULL,
      kind_code INTEGER NOT NULL,
      dialect_code INTEGER NOT NULL,
      direction_code INTEGER NOT NULL,
      severity_code INTEGER,
      session INTEGER REFERENCES session,
      flow INTEGER NOT NULL REFERENCES flow,
      type TEXT AS (\(names(of: "kind_code", MessageKind.allCases.map { ($0.rawValue, $0.name) }))),
      protocol TEXT AS (\(names(of: "dialect_code", Dialect.allCases.map { ($0.rawValue, $0.protocolName) }))),
      dialect TEXT AS (\(names(of: "dialect_code", Dialect.allCases.map { ($0.rawValue, $0.name) }))),
      direction TEXT AS (\(names(of: "direction_code", Direction.allCases.map { ($0.rawValue, $0.name) }))),
      severity TEXT AS (\(names(of: "severity_code", Severity.allCases.map { ($0.rawValue, $0.name) })))
    )
    """

  static let finding = """
    CREATE TABLE finding (
      id INTEGER PRIMARY KEY,
      packet INTEGER NOT NULL REFERENCES packet,
      message INTEGER REFERENCES message,
      rule TEXT NOT NULL,
      severity TEXT NOT NULL,
      offset INTEGER NOT NULL,
      length INTEGER NOT NULL,
      text TEXT NOT NULL
    )
    """

  private static func names(of column: String, _ codes: [(UInt8, String)]) -> String {
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

  /// The fields of all messages, each name once, with the tables that have it.
  static let fieldColumns: [(name: String, tables: [String], type: FieldType)] = {
    var columns: [(name: String, tables: [String], type: FieldType)] = []
    for table in TypedTable.all {
      for field in table.fields {
        if let index = columns.firstIndex(where: { $0.name == field.name }) {
          columns[index].tables.append(table.name)
        } else {
          columns.append((field.name, [table.name], field.type))
        }
      }
    }
    return columns
  }()

  /// One row a message, with every field of every type as a column. All joins are outer ones on primary keys: SQLite
  /// leaves out those whose columns a query does not name.
  static let dissection: String = {
    let fields = fieldColumns.map { column -> String in
      let sources = column.tables.map { "\($0).\(column.name)" }
      let value = sources.count == 1 ? sources[0] : "COALESCE(\(sources.joined(separator: ", ")))"
      return "\(value) AS \(column.name)"
    }
    let columns = commonColumns.map { "\($0.sql) AS \($0.name)" } + fields
    let joins =
      ["packet ON packet.id = message.packet", "flow ON flow.id = message.flow"]
      + TypedTable.all.map { "\($0.name) ON \($0.name).message = message.id" }
    return "CREATE VIEW dissection AS SELECT\n  \(columns.joined(separator: ",\n  "))\nFROM message\n"
      + joins.map { "LEFT JOIN \($0)" }.joined(separator: "\n")
  }()
}
