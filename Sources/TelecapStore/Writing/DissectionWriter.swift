import TelecapRecording
import TelecapWire

/// Writes what the dissector makes of a capture's packets: messages, their fields, findings, sessions.
///
/// It is the sink of a dissection. Used by one thread or task at a time; each call throws what went wrong with an
/// earlier one: `StoreError.full`, `.sqlite`.
public final class DissectionWriter: DissectionSink {
  private let writer: BatchWriter
  private var messages: Int64 = 0
  /// The rows of the latest flows; at most `mostFlows`.
  private var flows: [Flow: Int] = [:]
  private var lastFlow = 0
  /// The two flows of the conversation that is going on, the latest first.
  private var recent: [(flow: Flow, id: Int)] = []

  /// Begins the dissection of the capture at `path` anew: whatever was derived before is dropped.
  ///
  /// Open the `CaptureReader` that gives the packets after this: a capture that was not ended may still be written by
  /// a recording, which this detects: a program has it open.
  /// - Throws: `StoreError`: it is no capture, or may not be written; `busy` while it is being recorded; `trigger`, `nameTaken`.
  public convenience init(rebuilding path: String, _ schema: CaptureSchema) throws {
    try CaptureFile.look(at: path)
    let file = try OpenFile(path, named: path, schema, [])
    do {
      try file.run { db in
        try CaptureFile.verifyNothingAdded(db, path, schema)
        if try db.boolean(sql: "SELECT ended_ns IS NULL FROM capture") ?? true {
          // Leaving write-ahead mode needs the file for oneself; a killed recording holds nothing any more.
          try db.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        for pragma in Connection.deriving { try db.execute(sql: "PRAGMA \(pragma)") }
        try Migration.run(on: db)
        try db.inTransaction(.immediate) {
          try schema.rebuild(db)
          try file.claim(db)
        }
      }
    } catch {
      file.close()
      throw error
    }
    self.init(BatchWriter(file, batches: 3))
  }

  private let schema: CaptureSchema
  /// So many flows are known at once, so that memory does not grow with their number: one that goes on after so many others
  /// gets another row, which says the same.
  static let mostFlows = 65_536

  init(_ writer: BatchWriter) {
    self.writer = writer
    schema = writer.file.schema
  }

  /// Adds a message with its findings; its bytes are as they were on the wire, without a frame around them.
  ///
  /// - Throws: also `StoreError.foreign` when its protocol is none of the capture's.
  public func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    guard let codes = schema.codes(of: message.kind, over: message.dialect) else {
      throw StoreError.foreign(path: writer.file.path, protocolName: message.kind.owner.name)
    }
    messages += 1
    let packet = Int64(message.datagram.packet)
    var severity: Int8 = -1
    for finding in findings {
      severity = max(severity, Int8(finding.severity.rawValue))
      writer.batch.findings.append(FindingRow(packet: packet, message: messages, finding: finding))
    }
    writer.batch.add(
      MessageRow(
        id: messages, packet: packet, offset: Int64(message.offset ?? -1), session: Int64(message.session),
        flow: Int64(id(of: message.datagram.flow)), kind: codes.kind, dialect: codes.dialect,
        direction: message.direction.rawValue, severity: severity),
      bytes)
    try writer.submitIfFull()
  }

  /// Adds something that was found about a packet, not about one of its messages.
  public func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {
    try add(finding, packet: header.number)
  }

  /// Adds something that was found about an earlier packet's message.
  public func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {
    try add(finding, packet: datagram.packet)
  }

  private func add(_ finding: Finding, packet: Int) throws {
    writer.batch.findings.append(FindingRow(packet: Int64(packet), message: 0, finding: finding))
    try writer.submitIfFull()
  }

  /// Ends the dissection: stores the sessions, marks it complete and closes the file.
  public func finish(sessions: [Session]) throws {
    let file = writer.file
    try writer.finish { db in
      try db.inTransaction(.immediate) {
        // Asked for again: another may have begun anew while this waited for its turn.
        try file.verifyClaim(db)
        try DissectionWriter.complete(db, sessions)
      }
    }
  }

  static func complete(_ db: Database, _ sessions: [Session]) throws {
    for session in sessions { try session.insert(db) }
    try db.execute(sql: "UPDATE capture SET dissection_complete = 1")
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
    if flows.count >= DissectionWriter.mostFlows { flows.removeAll(keepingCapacity: true) }
    lastFlow += 1
    flows[flow] = lastFlow
    writer.batch.flows.append((lastFlow, flow))
    return lastFlow
  }
}

extension Session {
  fileprivate func insert(_ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        id, protocolName, carrier.name, client.description, server.description,
        // SQLite's integers are signed, as in the tables of messages.
        sessionID.map { Int64(bitPattern: $0) }, opened.nanoseconds, lastSeen.nanoseconds, end.rawValue, messages,
      ])
  }
}
