import GRDB
import TelecapRecording
import TelecapWire

/// What is known of a message beside its bytes and its kind.
public struct MessageEntry: Hashable, Sendable {
  /// The packet that brought it; for TCP the one that brought its last byte.
  public var packet: Int
  /// Where it begins in the packet's frame, in bytes; nil when it began in an earlier packet.
  public var offset: Int?
  /// How it was carried.
  public var dialect: Dialect
  /// Which way it travelled.
  public var direction: Direction
  /// The id of its session, 0 for none (`SessionTracker.receive`).
  public var session: Int
  /// Who sent it to whom; nil where nobody knows.
  public var flow: Flow?

  /// A message that came so.
  @inlinable
  public init(
    packet: Int, offset: Int? = nil, dialect: Dialect, direction: Direction, session: Int = 0, flow: Flow? = nil
  ) {
    self.packet = packet
    self.offset = offset
    self.dialect = dialect
    self.direction = direction
    self.session = session
    self.flow = flow
  }
}

/// Writes what the dissector makes of a capture's packets: messages, their fields, findings, sessions.
///
/// Used by one thread or task at a time.
public final class DissectionWriter {
  private let writer: BatchWriter
  private var messages: Int64 = 0
  private var flows: [Flow: Int] = [:]
  /// The two flows of the conversation that is going on, the latest first.
  private var recent: [(flow: Flow, id: Int)] = []

  /// Begins the dissection of the capture at `path` anew: whatever was derived before is dropped.
  ///
  /// - Throws: `StoreError` when it is no capture, or may not be written.
  public convenience init(rebuilding path: String) throws {
    try CaptureFile.check(path)
    let file = try OpenFile(path, named: path, Connection.deriving)
    try file.run { db in
      try Migration.run(on: db)
      try db.inTransaction(.immediate) {
        try DerivedSchema.rebuild(db)
        return .commit
      }
    }
    self.init(BatchWriter(file, batches: 3))
  }

  init(_ writer: BatchWriter) { self.writer = writer }

  /// Adds a message, whose bytes are as they stood on the wire, without a frame around them, with what was found.
  ///
  /// - Returns: the message's id, counted from 1.
  /// - Throws: what went wrong with an earlier message: `StoreError.full`, `.sqlite`.
  @discardableResult
  public func add(
    _ kind: MessageKind, _ bytes: RawSpan, _ entry: MessageEntry, findings: [Finding] = []
  ) throws -> Int {
    messages += 1
    var severity: Int8 = -1
    for finding in findings {
      severity = max(severity, Int8(finding.severity.rawValue))
      writer.batch.findings.append(FindingRow(packet: Int64(entry.packet), message: messages, finding: finding))
    }
    writer.batch.add(
      MessageRow(
        id: messages, packet: Int64(entry.packet), offset: Int64(entry.offset ?? -1), session: Int64(entry.session),
        flow: entry.flow.map { Int64(id(of: $0)) } ?? 0, kind: kind.rawValue, dialect: entry.dialect.rawValue,
        direction: entry.direction.rawValue, severity: severity),
      bytes)
    try writer.submitIfFull()
    return Int(messages)
  }

  /// Adds something that was found about a packet, not about one of its messages.
  public func add(_ finding: Finding, packet: Int) throws {
    writer.batch.findings.append(FindingRow(packet: Int64(packet), message: 0, finding: finding))
    try writer.submitIfFull()
  }

  /// Ends the dissection: stores the sessions, marks it complete and closes the file.
  public func finish(sessions: [Session]) throws {
    try writer.finish { try DissectionWriter.complete($0, sessions) }
  }

  static func complete(_ db: Database, _ sessions: [Session]) throws {
    try db.inTransaction(.immediate) {
      for session in sessions { try session.insert(db) }
      try db.execute(sql: "UPDATE capture SET dissection_complete = 1")
      return .commit
    }
  }

  private func id(of flow: Flow) -> Int {
    if let first = recent.first, first.flow == flow { return first.id }
    if recent.count == 2, recent[1].flow == flow {
      recent.swapAt(0, 1)
      return recent[0].id
    }
    let id = flows[flow] ?? newID(of: flow)
    recent = [(flow, id)] + recent.prefix(1)
    return id
  }

  private func newID(of flow: Flow) -> Int {
    let id = flows.count + 1
    flows[flow] = id
    writer.batch.flows.append((id, flow))
    return id
  }
}

extension Session {
  fileprivate func insert(_ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        id, protocolName, carrier.name, phone.description, host.description, sessionID, opened.nanoseconds,
        lastSeen.nanoseconds, end.rawValue, messages,
      ])
  }
}
