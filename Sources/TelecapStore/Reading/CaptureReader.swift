import CSQLite
import TelecapRecording
import TelecapWire

/// Reads a capture, also while another program records into it. Nothing that is asked of it can change the file.
public final class CaptureReader: Sendable {
  /// Where the capture is.
  public let path: String
  /// The protocols whose messages it holds, and the tables that are derived from them.
  public let schema: CaptureSchema
  /// The Bluetooth handles that were named for nothing when this program made it: no file says so.
  public let idle: [UInt16]
  /// The window of the recording whose packets this program put into it; nil for the whole recording: no file says so.
  public let filter: WindowFilter?
  /// The state of its checks; nil if no other program had the file, so nothing is checked.
  let checked: CheckedState?
  /// The clock steps of the capture.
  let knownSteps = KnownClockSteps()
  private let database: SharedDatabase

  /// Opens the capture at `path`.
  ///
  /// - Throws: `StoreError` when it is missing, empty, no capture, of a newer format, damaged or not to be read.
  public convenience init(path: String, _ schema: CaptureSchema) throws {
    try self.init(path: path, schema, tidying: FileSystem.isWritable(path))
  }

  /// Opens a capture that this program has just created for itself: its tables are valid, and are not checked.
  ///
  /// - Parameters:
  ///   - idle: the Bluetooth handles that were named for nothing when it was made.
  ///   - filter: the window of the recording whose packets it has; nil for all.
  /// - Throws: as above.
  public convenience init(
    made path: String, _ schema: CaptureSchema, idle: [UInt16] = [], filter: WindowFilter? = nil
  ) throws {
    try self.init(path: path, schema, tidying: true, isOwn: true, idle: idle, filter: filter)
  }

  /// A connection of its own to the same capture: what is asked of one does not wait for the other.
  ///
  /// - Throws: as above.
  public func another() throws -> CaptureReader {
    try CaptureReader(
      path: path, schema, tidying: FileSystem.isWritable(path), isOwn: checked == nil, idle: idle, filter: filter)
  }

  /// - Parameters:
  ///   - tidying: whether files may be created and removed next to the capture.
  ///   - isOwn: whether nobody but this program had the file in hand.
  init(
    path: String, _ schema: CaptureSchema, tidying: Bool, isOwn: Bool = false, idle: [UInt16] = [],
    filter: WindowFilter? = nil
  ) throws {
    self.path = path
    self.idle = idle
    self.filter = filter
    self.schema = schema
    checked = isOwn ? nil : CheckedState()
    try CaptureFile.look(at: path)
    do {
      database = try CaptureReader.open(path, schema, tidying: tidying)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_NOTADB {
      throw try CaptureFile.noDatabase(path)
    } catch {
      throw storeError(error, path)
    }
  }

  /// SQLite keeps files next to a capture while it is open, and removes them if it may write. Otherwise it
  /// reads what there is; where not even its files can be made, the capture is taken as it lies.
  private static func open(_ path: String, _ schema: CaptureSchema, tidying: Bool) throws -> SharedDatabase {
    func opened(_ access: Database.Access) throws -> SharedDatabase {
      try SharedDatabase(path, access) { db in
        try Connection.defend(db)
        try db.limitConditions()
        try db.execute(sql: "PRAGMA query_only = 1")
        try db.execute(sql: "PRAGMA \(Connection.cache)")
        try CaptureFile.verify(db, path, schema)
      }
    }
    if tidying { return try opened(.writing) }
    do {
      return try opened(.reading)
    } catch let error as SQLiteError where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.primaryCode) {
      // As it lies it is without what was committed last, which would be missing untold.
      let log = "\(path)-wal"
      if FileSystem.exists(log), try FileSystem.size(of: log) > 0 {
        throw StoreError.unreadable(
          path: path,
          reason: "the last packets are in \(log), and the folder is not writable; copy both files to a writable folder"
        )
      }
      return try opened(.asItLies)
    }
  }

  /// Runs `body` on the connection; calls may be nested.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try database.use { db in
      do { return try body(db) } catch let error as SQLiteError { throw storeError(error, path) }
    }
  }

  /// Breaks off what is being asked at this moment, from whatever thread.
  public func interrupt() { database.interrupt() }

  // MARK: - The capture itself

  /// How the capture came to be.
  public func info() throws -> CaptureInfo {
    try read { db in
      guard let row = try rows(of: "capture", db).first else {
        throw StoreError.damaged(path: path, reason: "its table capture is empty")
      }
      var info = CaptureInfo(
        tool: try row.text("tool"), version: try row.text("version"), host: try row.text("host"),
        clock: try row.text("clock"), source: try row.text("source"), filter: try row.text("filter"),
        commandLine: try row.text("command_line"), started: Timestamp(nanoseconds: try row.integer("started_ns")))
      info.ended = try row.integerIfAny("ended_ns").map { Timestamp(nanoseconds: $0) }
      info.dropped = DropCounts(
        kernel: try row.count("dropped_kernel"), interface: try row.count("dropped_interface"),
        queue: try row.count("dropped_queue"))
      info.damage = try row.textIfAny("damage")
      info.ports = try ports(db, row)
      if try RelayTally.areStored(db) { info.relays = try rows(of: "relay", db).map { try RelayTally($0) } }
      return info
    }
  }

  /// The maximum number of rows of a table that is read into memory: of interfaces, ports, protocols, relays.
  static let maxRows = 65_536

  /// The rows of a table, in the order of their numbers.
  ///
  /// - Throws: `StoreError.damaged` where there are more than `maxRows`.
  func rows(of table: String, _ db: Database) throws -> [StoredRow] {
    let rows = try db.rows(sql: "SELECT * FROM \(table) ORDER BY rowid LIMIT \(Self.maxRows + 1)")
    guard rows.count <= Self.maxRows else {
      throw StoreError.damaged(path: path, reason: "its table \(table) has more than \(Self.maxRows) rows")
    }
    return rows.enumerated().map { place, row in StoredRow(row, of: table, at: Int64(place + 1), path) }
  }

  /// Format 1 has a column for each port.
  private func ports(_ db: Database, _ capture: StoredRow) throws -> [String: UInt16] {
    var ports: [String: UInt16] = [:]
    for (column, id) in Schema.firstPorts where capture.has(column) { ports[id] = try capture.integer(column) }
    guard ports.isEmpty else { return ports }
    for row in try rows(of: "port", db) { ports[try row.text("id")] = try row.integer("number") }
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
      guard try db.hasTable("protocol") else { return [] }
      return try rows(of: "protocol", db).map { row in
        Declaration(name: try row.text("name"), digest: try row.text("digest"), text: try row.text("declaration"))
      }
    }
  }

  /// The interfaces, in the order of their numbers.
  public func interfaces() throws -> [Interface] {
    try read { db in
      let descriptions = try interfaceDescriptions(db)
      return try rows(of: "interface", db).enumerated().map { place, row in
        // Packets name them by these numbers.
        guard row.number == Int64(place) else { throw row.wrong("id", "\(place)") }
        return Interface(
          name: try row.text("name"), linkType: try row.integer("link_type"), snapLength: try row.count("snap_length"),
          ticksPerSecond: UInt64(try row.count("ticks_per_second")), comment: try row.text("comment"),
          description: descriptions[place] ?? "")
      }
    }
  }

  /// How many packets there are.
  public func packetCount() throws -> Int {
    try read { try $0.integer(sql: "SELECT COUNT(*) FROM packet") ?? 0 }
  }

  /// From the earliest to the latest packet; nil where there is none.
  public func packetTimes() throws -> ClosedRange<Timestamp>? {
    try read { db in
      guard let first = try db.integer(sql: "SELECT MIN(time_ns) FROM packet"),
        let last = try db.integer(sql: "SELECT MAX(time_ns) FROM packet")
      else { return nil }
      return Timestamp(
        nanoseconds: Int64(first))...max(Timestamp(nanoseconds: Int64(first)), Timestamp(nanoseconds: Int64(last)))
    }
  }

  /// Whether there is a message in it.
  public func hasMessages() throws -> Bool {
    try read { db in
      try schema.isCurrent(db) && db.boolean(sql: "SELECT EXISTS (SELECT 1 FROM message)") == true
    }
  }

  /// Whether messages, fields and findings have to be derived first (`DissectionWriter`): the recording was killed, or
  /// another version of telecap made them.
  public func needsDissection() throws -> Bool {
    try read { db in
      let complete = try db.boolean(sql: "SELECT dissection_complete IS 1 FROM capture") ?? false
      return try !complete || !schema.isCurrent(db)
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
    // A number below 1 is damage, which is reported and not ignored.
    var place = Int.min
    var found = true
    while found {
      found = false
      try read { db in
        let query = try Query(
          db, path,
          """
          SELECT id, time_ns, interface, original_length, frame FROM packet
          WHERE id >= ? ORDER BY id LIMIT \(CaptureReader.portion)
          """, [place])
        do {
          try query.forEach { row in
            found = true
            let packet = try StoredPacket(row, after: last, path)
            (last, place) = (packet.number, packet.number + 1)
            guard selection?.contains(last) ?? true else { return }
            // A recording may have gained an interface since.
            if packet.interface >= linkTypes.count { linkTypes = try interfaces().map(\.linkType) }
            guard packet.interface < linkTypes.count else {
              throw packet.wrong("interface is \(packet.interface), and table interface has no such row", path)
            }
            try body(packet.header(linkTypes[packet.interface]), packet.frame.bytes)
          }
        } catch let error as StoreError where error == Connection.tooLong(path) {
          throw StoreError.wrongValue(
            path: path, table: "packet",
            row: try db.integer(sql: "SELECT min(id) FROM packet WHERE id >= ?", arguments: [place]).map(Int64.init),
            "a value is longer than \(Connection.longestValue) bytes, and no frame is longer than \(PacketHeader.largestFrame)"
          )
        }
      }
    }
  }
}

/// A row of the table `packet`, its values held to what they may be.
private struct StoredPacket {
  let number: Int
  let interface: Int
  /// Its bytes, gone when the query goes on.
  let frame: UnsafeRawBufferPointer
  private let time: Int64
  private let originalLength: Int

  /// - Parameter last: the number of the packet before: numbers grow.
  @inline(__always)
  init(_ row: QueryRow, after last: Int, _ path: String) throws(StoreError) {
    number = row.integer(0)
    let (when, origin, original, blob) = (row.cell(1), row.cell(2), row.cell(3), row.cell(4).blob)
    let isWhole = when.isInteger && origin.isInteger && original.isInteger && blob != nil
    (time, interface, originalLength) = (Int64(when.integer), origin.integer, original.integer)
    frame = blob ?? UnsafeRawBufferPointer(start: nil, count: 0)
    let isPossible =
      number > last && number <= PacketHeader.largestNumber && interface >= 0
      && frame.count <= PacketHeader.largestFrame && originalLength >= frame.count
      && originalLength <= PacketHeader.largestOriginal
    guard isWhole && isPossible else { throw problem(row, after: last, path) }
  }

  func header(_ linkType: UInt16) -> PacketHeader {
    PacketHeader(
      number: number, time: Timestamp(nanoseconds: time), interface: interface, originalLength: originalLength,
      linkType: linkType)
  }

  func wrong(_ reason: String, _ path: String) -> StoreError {
    .wrongValue(path: path, table: "packet", row: Int64(number), reason)
  }

  @inline(never)
  private func problem(_ row: QueryRow, after last: Int, _ path: String) -> StoreError {
    if number < 1 { return wrong("id is \(number), and numbers begin at 1", path) }
    if number <= last { return wrong("it follows row \(last), and numbers increase", path) }
    if number > PacketHeader.largestNumber {
      return wrong("id is \(number), and the largest is \(PacketHeader.largestNumber)", path)
    }
    for (column, name) in [(1, "time_ns"), (2, "interface"), (3, "original_length")] as [(Int32, String)]
    where !row.isInteger(column) {
      return wrong("\(name) is no whole number", path)
    }
    if row.cell(4).blob == nil { return wrong("frame is no blob", path) }
    let count = frame.count
    if count > PacketHeader.largestFrame {
      return wrong("frame has \(count) bytes, and no frame is longer than \(PacketHeader.largestFrame)", path)
    }
    if interface < 0 { return wrong("interface is \(interface); expected a number from 0", path) }
    return wrong(
      "original_length is \(originalLength); expected a number from \(count), the length of frame, to "
        + "\(PacketHeader.largestOriginal)", path)
  }
}
