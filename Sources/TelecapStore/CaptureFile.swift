import GRDB
import TelecapRecording

/// What a file is, and how a new one comes to be.
public enum CaptureFile {
  /// Whether the file begins as a SQLite database does: what a command asks before it takes a file for a pcap. Ask before
  /// this process opens the capture: closing a file takes away the locks that SQLite holds on it
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
  public static func isSQLite(_ path: String) throws(StoreError) -> Bool {
    try FileSystem.head(of: path, magic.count) == magic
  }

  /// What can be said of the file at `path` without opening it as a database: it is there, and it is not too short.
  static func look(at path: String) throws(StoreError) {
    let size = try FileSystem.size(of: path)
    if size == 0 { throw .empty(path: path) }
    // The smallest page of SQLite: no database is shorter.
    if size < 512 { throw try noDatabase(path) }
  }

  /// Whether an open database is a capture that this telecap reads.
  static func verify(_ db: Database, _ path: String) throws {
    let id = UInt32(truncatingIfNeeded: try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0)
    guard id == Schema.applicationID else { throw StoreError.notACapture(path: path, applicationID: id) }
    let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard format <= Schema.format else {
      throw StoreError.newerFormat(path: path, format: format, newest: Schema.format)
    }
    if format == Schema.format { try verifyTables(db, path) }
  }

  /// The tables that hold the truth must be there as telecap makes them: whoever reads them relies on their columns.
  private static func verifyTables(_ db: Database, _ path: String) throws {
    for table in Schema.rawTables {
      let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
      guard let sql else { throw StoreError.damaged(path: path, reason: "it has no table \(table)") }
      guard Schema.first.contains(sql + ";") else {
        throw StoreError.damaged(path: path, reason: "its table \(table) is not the one of format \(Schema.format)")
      }
    }
  }

  /// What a file is that SQLite does not take for a database.
  static func noDatabase(_ path: String) throws(StoreError) -> StoreError {
    let head = try FileSystem.head(of: path, 512)
    guard head.starts(with: magic) else { return .notSQLite(path: path, beginsWith: Array(head.prefix(8))) }
    return .damaged(path: path, reason: "it ends after \(head.count) bytes")
  }

  private static let magic = Array("SQLite format 3\0".utf8)

  /// Makes an empty capture with all its tables, or nothing: it is made under another name and then moved, so that
  /// whoever looks sees a whole capture. The name is `path` with `.new` behind it.
  ///
  /// - Throws: `StoreError.exists` when something is at `path` and `force` is false.
  static func create(_ path: String, _ info: CaptureInfo, force: Bool) throws {
    try refuse(path, unless: force)
    try prepare(path + ".new", named: path, info)
    try FileSystem.moveDatabase(path + ".new", to: path)
  }

  static func refuse(_ path: String, unless force: Bool) throws(StoreError) {
    if !force, FileSystem.exists(path) { throw .exists(path: path) }
  }

  /// Makes an empty capture at `path`, over whatever is there.
  static func prepare(_ path: String, named name: String, _ info: CaptureInfo) throws {
    FileSystem.removeDatabase(path)
    do {
      try mapped(name) {
        let queue = try DatabaseQueue(path: path, configuration: Connection.configuration)
        try queue.writeWithoutTransaction { db in
          try Migration.run(on: db)
          try db.inTransaction(.immediate) {
            try info.insert(db)
            try DerivedSchema.rebuild(db)
            return .commit
          }
        }
        try queue.close()
      }
    } catch {
      FileSystem.removeDatabase(path)
      throw error
    }
  }
}

extension CaptureInfo {
  fileprivate func insert(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO capture (tool, version, host, clock, source, filter, command_line, tele_udp_port, tele_tcp_port,
          tele_beacon_port, mouse_udp_port, mouse_tcp_port, started_ns)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        tool, version, host, clock, source, filter, commandLine, ports.teleUDP, ports.teleTCP, ports.teleBeacon,
        ports.mouseUDP, ports.mouseTCP, started.nanoseconds,
      ])
  }
}
