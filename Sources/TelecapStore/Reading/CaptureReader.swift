import GRDB
import TelecapRecording
import TelecapWire

/// Reads a capture, also while another program records into it. Nothing that is asked of it can change the file.
public final class CaptureReader: Sendable {
  /// Where the capture is.
  public let path: String
  /// The protocols whose messages it holds, and the tables that are derived from them.
  public let schema: CaptureSchema
  private let database: DatabaseQueue

  /// Opens the capture at `path`.
  ///
  /// - Throws: `StoreError` when it is missing, empty, no capture, of a newer format, damaged or not to be read.
  public convenience init(path: String, _ schema: CaptureSchema) throws {
    try self.init(path: path, schema, tidying: FileSystem.isWritable(path))
  }

  /// - Parameter tidying: whether files may be made and removed beside the capture.
  init(path: String, _ schema: CaptureSchema, tidying: Bool) throws {
    self.path = path
    self.schema = schema
    try CaptureFile.look(at: path)
    do {
      database = try CaptureReader.open(path, tidying: tidying)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw try CaptureFile.noDatabase(path)
    } catch {
      throw storeError(error, path)
    }
  }

  /// SQLite keeps files beside a capture while it is open, and tidies them up when it may write. Where it may not, it
  /// reads what there is; where not even its files can be made, the capture is taken as it lies.
  private static func open(_ path: String, tidying: Bool) throws -> DatabaseQueue {
    var configuration = Connection.configuration
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA query_only = 1")
      try db.execute(sql: "PRAGMA \(Connection.cache)")
      try CaptureFile.verify(db, path)
    }
    if tidying { return try DatabaseQueue(path: path, configuration: configuration) }
    configuration.readonly = true
    do {
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
      // As it lies it is without what was committed last, which would be missing untold.
      let log = "\(path)-wal"
      if FileSystem.exists(log), try FileSystem.size(of: log) > 0 {
        throw StoreError.unreadable(
          path: path,
          reason: "what was recorded last is in \(log), and the folder may not be written; copy both to one that may")
      }
      return try DatabaseQueue(path: FileSystem.immutableURI(path), configuration: configuration)
    }
  }

  /// Runs `body` on the connection; calls may be nested.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try database.unsafeReentrantRead { db in
      do { return try body(db) } catch let error as DatabaseError { throw storeError(error, path) }
    }
  }

  // MARK: - The capture itself

  /// How the capture came to be.
  public func info() throws -> CaptureInfo {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT * FROM capture") else {
        throw StoreError.damaged(path: path, reason: "its table capture is empty")
      }
      var info = CaptureInfo(
        tool: row["tool"], version: row["version"], host: row["host"], clock: row["clock"], source: row["source"],
        filter: row["filter"], commandLine: row["command_line"], started: Timestamp(nanoseconds: row["started_ns"]))
      info.ended = (row["ended_ns"] as Int64?).map { Timestamp(nanoseconds: $0) }
      info.dropped = DropCounts(
        kernel: row["dropped_kernel"], interface: row["dropped_interface"], queue: row["dropped_queue"])
      info.damage = row["damage"]
      info.ports = try CaptureReader.ports(db, row)
      info.relays = try RelayTally.all(db)
      return info
    }
  }

  /// Format 1 has a column for each port.
  private static func ports(_ db: Database, _ capture: Row) throws -> [String: UInt16] {
    var ports: [String: UInt16] = [:]
    for (column, id) in Schema.firstPorts where capture.hasColumn(column) {
      ports[id] = UInt16(clamping: capture[column] as Int64)
    }
    guard ports.isEmpty else { return ports }
    for row in try Row.fetchAll(db, sql: "SELECT id, number FROM port") {
      ports[row["id"]] = UInt16(clamping: row["number"] as Int64)
    }
    return ports
  }

  /// A protocol as a capture keeps it.
  public struct Declaration: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The fingerprint of its text.
    public var digest: String
    /// The text that it was declared by.
    public var text: String
  }

  /// The protocols that the capture was made with, in the order in which it numbers their messages; none in a capture of
  /// format 1, which was made with TELE and the mouse.
  public func declarations() throws -> [Declaration] {
    try read { db in
      guard try db.tableExists("protocol") else { return [] }
      return try Row.fetchAll(db, sql: "SELECT * FROM protocol ORDER BY rowid").map {
        Declaration(name: $0["name"], digest: $0["digest"], text: $0["declaration"])
      }
    }
  }

  /// The interfaces, in the order of their numbers.
  public func interfaces() throws -> [Interface] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM interface ORDER BY id").map { row in
        Interface(
          name: row["name"], linkType: UInt16(truncatingIfNeeded: row["link_type"] as Int64),
          snapLength: row["snap_length"], ticksPerSecond: UInt64(clamping: row["ticks_per_second"] as Int64),
          comment: row["comment"])
      }
    }
  }

  /// How many packets there are.
  public func packetCount() throws -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM packet") ?? 0 }
  }

  /// Whether messages, fields and findings have to be derived first (`DissectionWriter`): the recording was killed, or
  /// another version of telecap made them.
  public func needsDissection() throws -> Bool {
    try read { db in
      let complete = try Int64.fetchOne(db, sql: "SELECT dissection_complete FROM capture")
      return try complete != 1 || !schema.isCurrent(db)
    }
  }

  // MARK: - Packets

  /// How many packets are read at a time: between two portions a writer may tidy up.
  private static let portion = 65_536

  /// Calls `body` with each packet, or with those of `selection`, in the order of their numbers. The frame's bytes are
  /// gone when `body` returns. An error of `body` ends the reading.
  public func forEachPacket(
    in selection: PacketSelection? = nil, _ body: (PacketHeader, RawSpan) throws -> Void
  ) throws {
    var linkTypes = try interfaces().map(\.linkType)
    var last = 0
    var found = true
    while found {
      found = false
      try read { db in
        let query = try Query(
          db, path,
          """
          SELECT id, time_ns, interface, original_length, frame FROM packet
          WHERE id > ? ORDER BY id LIMIT \(CaptureReader.portion)
          """, [last])
        try query.forEach { row in
          found = true
          last = row.integer(0)
          guard selection?.contains(last) ?? true else { return }
          let interface = row.integer(2)
          // A recording may have gained an interface since.
          if interface >= linkTypes.count { linkTypes = try interfaces().map(\.linkType) }
          let linkType = linkTypes.indices.contains(interface) ? linkTypes[interface] : 0
          let header = PacketHeader(
            number: last, time: Timestamp(nanoseconds: Int64(row.integer(1))), interface: interface,
            originalLength: row.integer(3), linkType: linkType)
          try row.withBlob(4) { try body(header, $0) }
        }
      }
    }
  }
}
