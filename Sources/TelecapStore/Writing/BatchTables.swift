import CSQLite
import TelecapWire

/// A batch as tables that SQL can read, so that one `INSERT … SELECT` writes thousands of rows: SQLite then keeps its
/// cursor at the end of the table instead of finding its way there for each row. (Measured: half the time of binding
/// and stepping one statement a row.)
///
/// They are eponymous virtual tables (https://www.sqlite.org/vtab.html, 2.1.2): `batch_packet`, `batch_message`, and
/// one for each typed table and each table of entries, whose columns are read off the message's bytes at the offsets of the wire tables.
///
/// @unchecked Sendable: used with the connection in hand only; what it points to is made before and freed after.
final class BatchTables: @unchecked Sendable {
  private let module: UnsafeMutablePointer<sqlite3_module>
  private let tables: [UnsafeMutablePointer<BatchTable>]

  private let insertTyped: [String]
  private let insertEntries: [String]
  private let names: [String]

  init(_ schema: CaptureSchema) {
    module = .allocate(capacity: 1)
    module.initialize(to: BatchTable.module)
    let shapes: [(name: String, shape: BatchTable.Shape, fields: [FieldRow])] =
      [("packet", .packets, []), ("message", .messages, [])]
      + schema.tables.map { ($0.name, .fields, $0.fields) } + schema.entryTables.map { ($0.name, .entries, $0.fields) }
    tables = shapes.map { _, shape, fields in
      let table = UnsafeMutablePointer<BatchTable>.allocate(capacity: 1)
      table.initialize(to: BatchTable(shape, fields, schema.kinds))
      return table
    }
    names = shapes.map { "batch_\($0.name)" }
    func insert(into table: String) -> String { "INSERT INTO \(table) SELECT * FROM batch_\(table)" }
    insertTyped = schema.tables.map { insert(into: $0.name) }
    insertEntries = schema.entryTables.map { insert(into: $0.name) }
  }

  /// Runs when the connection that these tables are registered on is gone.
  deinit {
    for table in tables {
      table.pointee.free()
      table.deallocate()
    }
    module.deallocate()
  }

  /// Makes the tables known to a connection, which keeps this object until it is closed.
  func register(on db: Database) throws {
    db.keep(self)
    for (table, name) in zip(tables, names) {
      let code = sqlite3_create_module_v2(db.connection, name, module, table, nil)
      guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
  }

  /// Inserts all rows of `batch` into their tables.
  func write(_ batch: Batch, to db: Database) throws {
    try batch.bytes.withUnsafeBytes { bytes in
      try batch.packets.withUnsafeBufferPointer { packets in
        try insert(
          .init(packets: packets.baseAddress, bytes: bytes.baseAddress, count: packets.count), 0, db,
          "INSERT INTO packet SELECT * FROM batch_packet")
      }
      try batch.messages.withUnsafeBufferPointer { messages in
        let window = BatchTable.Window(messages: messages.baseAddress, bytes: bytes.baseAddress, count: messages.count)
        try insert(window, 1, db, BatchTables.insertMessages)
        for (index, sql) in insertTyped.enumerated() {
          try batch.members[index].withUnsafeBufferPointer { members in
            var window = window
            window.members = members.baseAddress
            window.count = members.count
            try insert(window, 2 + index, db, sql)
          }
        }
        for (index, sql) in insertEntries.enumerated() {
          try batch.entries[index].withUnsafeBufferPointer { entries in
            var window = window
            window.entries = entries.baseAddress
            window.count = entries.count
            try insert(window, 2 + insertTyped.count + index, db, sql)
          }
        }
      }
    }
  }

  private func insert(_ window: BatchTable.Window, _ table: Int, _ db: Database, _ sql: String) throws {
    guard window.count > 0 else { return }
    tables[table].pointee.window = window
    defer { tables[table].pointee.window = .init() }
    try db.cachedStatement(sql: sql).execute()
  }

  private static let insertMessages = """
    INSERT INTO message (id, packet, offset, length, kind_code, dialect_code, direction_code, severity_code, session, flow)
    SELECT * FROM batch_message
    """

}
