import GRDB
import TelecapRecording

/// What a file is, before SQLite touches it, and how a new one comes to be.
public enum CaptureFile {
  /// Whether the file begins as a SQLite database does: what a command asks before it takes a file for a pcap.
  public static func isSQLite(_ path: String) throws(StoreError) -> Bool {
    try FileSystem.head(of: path, magic.count) == magic
  }

  /// The format of the capture at `path`.
  ///
  /// Reads the first 100 bytes only (https://www.sqlite.org/fileformat.html, 1.3).
  /// - Throws: `StoreError` unless it is a capture that this telecap reads.
  @discardableResult
  public static func check(_ path: String) throws(StoreError) -> Int {
    let head = try FileSystem.head(of: path, 100)
    if head.isEmpty { throw .empty(path: path) }
    guard head.starts(with: magic) else { throw .notSQLite(path: path, beginsWith: Array(head.prefix(8))) }
    guard head.count == 100 else { throw .damaged(path: path, reason: "it ends after \(head.count) bytes") }
    let number = { (offset: Int) in head[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    let (format, id) = (Int(number(60)), number(68))
    guard id == Schema.applicationID else { throw .notACapture(path: path, applicationID: id) }
    guard format <= Schema.format else { throw .newerFormat(path: path, format: format, newest: Schema.format) }
    return format
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
        INSERT INTO capture (tool, version, host, clock, source, filter, command_line, started_ns)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [tool, version, host, clock, source, filter, commandLine, started.nanoseconds])
  }
}
