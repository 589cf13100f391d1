import CSQLite
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// The kind of a file, and the creation of a new capture.
public enum CaptureFile {
  /// Whether the file begins as a SQLite database does: what a command asks before it takes a file for a pcap. Ask before
  /// this process opens the capture: closing a file takes away the locks that SQLite holds on it
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
  public static func isSQLite(_ path: String) throws(StoreError) -> Bool {
    try FileSystem.head(of: path, magic.count) == magic
  }

  /// Whether something is at `path` that is neither a file nor a folder: a pipe, a socket, a device. It holds no database.
  public static func isStream(_ path: String) -> Bool { FileSystem.isStream(path) }

  /// Where an output of this path goes that is not there yet: its path, and of a link to what is not there the path that it leads
  /// to; nil where links lead to one another.
  public static func newPlace(_ path: String) -> String? { FileSystem.newPlace(path) }

  /// Checks the file at `path` without opening it as a database: it exists, and it is not too short.
  static func look(at path: String) throws(StoreError) {
    let size = try FileSystem.size(of: path)
    if size == 0 { throw .empty(path: path) }
    // The smallest page of SQLite: no database is shorter.
    if size < 512 { throw try noDatabase(path) }
  }

  /// Whether an open database is a capture that this telecap reads.
  static func verify(_ db: Database, _ path: String, _ schema: CaptureSchema) throws {
    let id = UInt32(truncatingIfNeeded: try db.integer(sql: "PRAGMA application_id") ?? 0)
    guard id == Schema.applicationID else { throw StoreError.notACapture(path: path, applicationID: id) }
    let format = try db.integer(sql: "PRAGMA user_version") ?? 0
    guard format <= Schema.format else {
      throw StoreError.newerFormat(path: path, format: format, newest: Schema.format)
    }
    // 0: SQLite's own number, in a file whose making was cut off; there is nothing to be read then.
    guard format > 0 else { throw StoreError.damaged(path: path, reason: "it has no format") }
    try SchemaCheck.verify(db, path, format: format, schema)
  }

  /// That nothing else happens when telecap writes its tables: what a file brings along is not run.
  ///
  /// - Throws: `StoreError.trigger`; `nameTaken` where something is in the way of a table of ours.
  static func verifyNothingAdded(_ db: Database, _ path: String, _ schema: CaptureSchema) throws {
    let ours = Set((Schema.rawTables + schema.all.map(\.name)).map { $0.lowercased() })
    for row in try db.rows(
      sql:
        "SELECT CAST(name AS TEXT) AS name, CAST(tbl_name AS TEXT) AS tbl_name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1"
    ) {
      guard let name = row.text("name"), let table = row.text("tbl_name"), ours.contains(table.lowercased()) else {
        continue
      }
      throw StoreError.trigger(path: path, name: name, table: table)
    }
    if let (kind, name) = try schema.taken(db) { throw StoreError.nameTaken(path: path, kind: kind, name: name) }
  }

  /// The error for a file that SQLite does not accept as a database.
  static func noDatabase(_ path: String) throws(StoreError) -> StoreError {
    let head = try FileSystem.head(of: path, 512)
    guard head.starts(with: magic) else { return .notSQLite(path: path, beginsWith: Array(head.prefix(8))) }
    return .damaged(path: path, reason: "it ends after \(head.count) bytes")
  }

  private static let magic = Array("SQLite format 3\0".utf8)

  /// Makes an empty capture with all its tables, or nothing: it is made under another name and then moved, so that
  /// other programs see only a whole capture.
  ///
  /// - Returns: which file it is.
  /// - Throws: `StoreError.exists` when something is at `path` and `force` is false; `busy` when somebody has it open.
  static func create(
    _ path: String, _ info: CaptureInfo, _ schema: CaptureSchema, force: Bool
  ) throws -> FileIdentity? {
    try refuse(path, unless: force)
    let working = WorkingFiles.name(beside: try FileSystem.target(of: path))
    WorkingFiles.begin(database: working)
    defer {
      FileSystem.removeDatabase(working)
      WorkingFiles.end(database: working)
    }
    try prepare(working, named: path, info, schema, isPrivate: FileSystem.exists(path))
    let identity = FileIdentity(working)
    try move(working, to: path, force: force, isWritten: true)
    return identity
  }

  /// Whether an output may be made at `path`.
  ///
  /// - Throws: `StoreError.exists` or `leftLog` when something is there and `force` is false; `busy` when it is a capture that
  ///   somebody has open.
  static func refuse(_ path: String, unless force: Bool) throws {
    // Only a regular file is replaced, even with --force.
    let target = try FileSystem.target(of: path)
    try refuseLog(target, named: path)
    if !force { try FileSystem.refuseLeftLog(target) }
    guard FileSystem.exists(path) else { return }
    guard force else { throw StoreError.exists(path: path) }
    try alone(with: path) {}
  }

  /// Refuses an output at the place where SQLite keeps the log of a capture: the capture would lose what the log holds, or take
  /// what is written for a log.
  ///
  /// - Throws: `StoreError.cannotCreate`
  public static func refuseLog(_ place: String, named path: String) throws(StoreError) {
    for suffix in FileSystem.sideFiles where place.hasSuffix(suffix) {
      let capture = String(place.dropLast(suffix.count))
      guard let isDatabase = try? isSQLite(capture), isDatabase else { continue }
      throw .cannotCreate(path: path, reason: "SQLite keeps the log of the capture \(capture) there; give another name")
    }
  }

  /// Moves a closed capture to `path`; with `force` over one that is there and nobody has open, whose rights it gets.
  ///
  /// - Parameter isWritten: whether we go on writing it there, which its owner may then in any case.
  static func move(_ working: String, to path: String, force: Bool, isWritten: Bool = false) throws {
    let target = try FileSystem.target(of: path)
    guard force, FileSystem.exists(path) else { return try FileSystem.placeDatabase(working, at: target, force: force) }
    try alone(with: path) {
      FileSystem.keepRights(of: target, on: working, isWritten: isWritten)
      try FileSystem.moveDatabase(working, to: target)
    }
  }

  /// Runs `body`, which puts something in the place of the file at `path`, while nobody else has that one open as a database, or
  /// can open it. A file that is not a database is not in use.
  ///
  /// - Throws: `StoreError.busy` when somebody has it open, `cannotCreate` if that cannot be checked; the errors of `body`.
  public static func alone(with path: String, _ body: () throws -> Void) throws {
    guard let isCapture = try? isSQLite(path), isCapture, let before = FileIdentity(path) else {
      return try body()
    }
    var isDone = false
    do {
      let database = try SharedDatabase(path, patience: 500)
      defer { database.close() }
      try database.use { db in
        let mode = try db.text(sql: "PRAGMA journal_mode")
        // Leaving write-ahead mode needs the file for oneself; its log would be taken away by name, whosever it is then.
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
        let result = Result {
          try db.inTransaction(.exclusive, keeps: false) {
            isDone = true
            try body()
          }
        }
        if mode == "wal", FileIdentity(path) == before {
          try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try result.get()
      }
    } catch let error as SQLiteError where !isDone {
      if error.isLocked { throw StoreError.busy(path: path) }
      // One that may not be written cannot be asked for: somebody else may be recording into it.
      if FileSystem.hasLog(path) {
        let reason = "it is not writable, so telecap cannot check whether it is being recorded; give another name"
        throw StoreError.cannotCreate(
          path: path, reason: FileSystem.isWritable(path) ? error.message : reason)
      }
      try body()
    }
  }

  /// Checkpoints the write-ahead log of a finished capture and leaves WAL mode. Retries for 200 ms while another connection reads;
  /// after that the log stays, and the capture is still complete.
  public static func checkpointLog(of path: String) {
    guard FileSystem.isWritable(path), let database = try? SharedDatabase(path) else { return }
    defer { database.close() }
    for _ in 0..<10 {
      if (try? database.use { Connection.leaveLog($0) }) != false { return }
      FileSystem.pause(milliseconds: 20)
    }
  }

  /// Makes an empty capture at `path`, over whatever is there.
  ///
  /// - Parameter isPrivate: whether nobody else may read it until it has its rights.
  static func prepare(
    _ path: String, named name: String, _ info: CaptureInfo, _ schema: CaptureSchema, isPrivate: Bool = false
  ) throws {
    FileSystem.removeDatabase(path)
    FileSystem.makeEmpty(path, isPrivate: isPrivate)
    do {
      try mapped(name, full: .full(path: name, packets: nil)) {
        let database = try SharedDatabase(path)
        try database.use { db in
          try Migration.run(on: db)
          try db.inTransaction(.immediate) {
            try info.insert(db)
            try info.insertPorts(db)
            try RelayTally.write(info.relays, db)
            try schema.rebuild(db)
          }
        }
        database.close()
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

  fileprivate func insertPorts(_ db: Database) throws {
    for port in ports.sorted(by: { $0.key < $1.key }) {
      try db.execute(sql: "INSERT INTO port VALUES (?, ?)", arguments: [port.key, port.value])
    }
  }
}
