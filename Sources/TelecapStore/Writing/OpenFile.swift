import CSQLite
import Dispatch
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// A capture file open for writing, and what went wrong with it.
///
/// @unchecked Sendable: what changes is locked, or, as `claimed`, touched on the serial queue only.
final class OpenFile: @unchecked Sendable {
  let path: String
  let queue = DispatchQueue(label: "telecap.store.writer")
  /// The tables that are derived.
  let schema: CaptureSchema
  /// Which file it is: another may be put in its place.
  let identity: FileIdentity?
  private let place: String
  private let database: SharedDatabase
  private let tables: BatchTables
  /// Packets that are in the file for good.
  var packets: Int { progress.with { $0.written } }
  /// Packets that were handed over and are not in the file.
  var unwritten: Int { progress.with { $0.handedOver } }
  /// The wait for the locks of other programs; nil where a file that is locked is an error.
  let lockWait: LockWait?
  /// Whether the file stays when writing fails.
  private let stays: Bool
  /// The error that ended the writing; it may be asked for at any time.
  private(set) var failure: StoreError? {
    get { progress.with { $0.failure } }
    set { progress.with { $0.failure = newValue } }
  }
  /// The number by which the file knows that its messages are derived by us; nil where nothing is derived.
  private var claimed: Int?
  private let progress: Locked<Progress>

  /// How far the writing is.
  private struct Progress {
    var written: Int
    var handedOver = 0
    var failure: StoreError?
  }

  /// - Parameters:
  ///   - path: where the file is.
  ///   - name: what it is called in errors, where that is another.
  ///   - pragmas: how it is written.
  ///   - stays: whether what was committed stays when writing fails.
  ///   - waits: whether batches wait for the locks of other programs for as long as it takes.
  init(
    _ path: String, named name: String, _ schema: CaptureSchema, _ pragmas: [String], stays: Bool = true,
    waits: Bool = false
  ) throws {
    self.path = name
    lockWait = waits ? LockWait() : nil
    self.stays = stays
    self.schema = schema
    place = path
    let tables = BatchTables(schema)
    self.tables = tables
    let (file, count) = try mapped(name, full: stays ? nil : .full(path: name, packets: nil)) {
      let file = try SharedDatabase(path) { db in
        try CaptureFile.verify(db, name, schema)
        for pragma in pragmas { try db.execute(sql: "PRAGMA \(pragma)") }
        try tables.register(on: db)
        try Connection.defend(db)
      }
      return (file, try file.use { try $0.integer(sql: "SELECT COUNT(*) FROM packet") ?? 0 })
    }
    database = file
    progress = Locked(Progress(written: count))
    if waits { try mapped(name) { try file.use { try $0.execute(sql: "PRAGMA busy_timeout = \(LockWait.patience)") } } }
    identity = FileIdentity(path)
  }

  var closed: StoreError { .sqlite(path: path, code: SQLITE_MISUSE, reason: "the capture is closed") }

  /// Counts packets that are going to be written.
  func expect(packets count: Int) { progress.with { $0.handedOver += count } }

  /// Runs on the queue.
  func write(_ batch: Batch) {
    guard failure == nil else { return }
    do {
      try waitingForLocks {
        try verifyPlace()
        try database.use { db in
          try db.inTransaction(.immediate) {
            try verifyClaim(db)
            try write(batch, db)
          }
        }
      }
      progress.with {
        $0.written += batch.packets.count
        $0.handedOver -= batch.packets.count
      }
    } catch {
      failure = storeError(error, path, full: .full(path: path, packets: stays ? packets : nil))
    }
  }

  private func waitingForLocks(_ body: () throws -> Void) throws {
    if let lockWait { try lockWait.retrying(body) } else { try body() }
  }

  /// Runs `body` on the connection when all batches are written.
  func run<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try queue.sync {
        try verifyPlace()
        return try database.use { db in
          try verifyClaim(db)
          return try body(db)
        }
      }
    } catch {
      throw storeError(error, path, full: .full(path: path, packets: stays ? packets : nil))
    }
  }

  /// Notes in the file that this connection derives its messages: a connection that begins later takes over, and this one stops.
  func claim(_ db: Database) throws {
    let number = -Int.random(in: 1...Int.max)
    try db.execute(sql: "UPDATE capture SET dissection_complete = ?", arguments: [number])
    claimed = number
  }

  /// Throws `StoreError.busy` when somebody else has begun to derive the messages of the file.
  func verifyClaim(_ db: Database) throws {
    guard let claimed else { return }
    let number = try db.integer(sql: "SELECT dissection_complete FROM capture")
    guard number == claimed else { throw StoreError.busy(path: path) }
  }

  func close() { database.close() }

  /// Packets that are written to a file that is no longer at its path would be reported as recorded, and be lost.
  private func verifyPlace() throws(StoreError) {
    guard identity == FileIdentity(place) else { throw .gone(path: path, packets: packets) }
  }

  private func write(_ batch: Batch, _ db: Database) throws {
    for (id, interface) in batch.interfaces { try insert(interface, id, db) }
    for (id, flow) in batch.flows { try insert(flow, id, db) }
    try tables.write(batch, to: db)
    if !batch.notes.isEmpty { try Annotations.write(batch.notes, db) }
    if !batch.findings.isEmpty { try insert(batch.findings, db) }
    if let dropped = batch.dropped { try dropped.write(db) }
    if let relays = batch.relays { try RelayTally.write(relays, db) }
    if let end = batch.end {
      try db.execute(
        sql: "UPDATE capture SET ended_ns = ?, damage = ?", arguments: [end.time.nanoseconds, end.damage])
    }
  }

  private func insert(_ interface: Interface, _ id: Int, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO interface VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET comment = excluded.comment",
      arguments: [
        id, interface.name, interface.linkType, interface.snapLength, Int64(clamping: interface.ticksPerSecond),
        interface.comment,
      ])
    try Annotations.write(interface.description, ofInterface: id, db)
  }

  private func insert(_ flow: Flow, _ id: Int, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO flow VALUES (?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        id, flow.carrier.name, flow.source.description, flow.source.port, flow.destination.description,
        flow.destination.port,
      ])
  }

  private func insert(_ findings: [FindingRow], _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO finding (packet, message, rule, severity, offset, length, text) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for row in findings {
      let finding = row.finding
      try statement.execute(arguments: [
        row.packet, row.message > 0 ? row.message : nil, finding.rule.id, finding.severity.name,
        finding.range.lowerBound, finding.range.count, finding.description,
      ])
    }
  }
}

extension DropCounts {
  func write(_ db: Database) throws {
    try db.execute(
      sql: "UPDATE capture SET dropped_kernel = ?, dropped_interface = ?, dropped_queue = ?",
      arguments: [kernel, interface, queue])
  }
}
