import TelecapRecording
import TelecapWire

extension CaptureReader {
  /// The capture in numbers, read once through its packets and once through its messages.
  public func summary() throws -> CaptureSummary {
    try inOneState { db in
      if try !needsDissection() { try checkTables(db) }
      var count = try SummaryCount(of: self)
      if count.isDissected { try forEachMessage(reading: count.wanted) { try count.add($0, $1) } }
      return count.summary
    }
  }

  /// Reads one state of the file, whatever is written to it meanwhile; calls may be nested.
  private func inOneState<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try read { db in
      if db.isInsideTransaction { return try body(db) }
      return try db.inTransaction(.deferred) { try body(db) }
    }
  }

  /// The part of the summary that needs no messages.
  fileprivate func summaryOfPackets() throws -> CaptureSummary {
    try inOneState { db in
      var summary = CaptureSummary(info: try info())
      summary.protocols = schema.protocols
      summary.filter = filter
      try countPackets(db, &summary)
      summary.span = try clockSteps(db).span ?? summary.span
      summary.notesOfPackets = try noteCounts()
      summary.isDissected = try !needsDissection()
      guard summary.isDissected else { return summary }
      summary.sessions = try sessions(db).map { SessionSummary(session: $0) }
      summary.sessionsLeftOut =
        max(0, try db.integer(sql: "SELECT COUNT(*) FROM session") ?? 0) - summary.sessions.count
      try addFindings(db, to: &summary)
      (summary.additions, summary.additionCount) = try SchemaCheck.additions(
        db, schema, max: CaptureSummary.maxAdditions)
      return summary
    }
  }

  private func countPackets(_ db: Database, _ summary: inout CaptureSummary) throws {
    summary.interfaces = try interfaces().map { InterfaceSummary(interface: $0, packets: 0, bytes: 0) }
    // To sort packets by their interfaces takes several times as long as to count them, and mostly there is one.
    if try countPackets(db, "", &summary) { _ = try countPackets(db, "GROUP BY interface", &summary) }
  }

  /// - Returns: whether packets of several interfaces were met in one group, and so not counted.
  private func countPackets(_ db: Database, _ grouping: String, _ summary: inout CaptureSummary) throws -> Bool {
    let query = try Query(
      db, path,
      """
      SELECT MIN(interface), COUNT(*), CAST(TOTAL(original_length) AS INTEGER), MIN(time_ns), MAX(time_ns), MIN(id), MAX(id),
        MIN(original_length), MAX(original_length), MAX(interface)
      FROM packet \(grouping)
      """)
    var isMixed = false
    try query.forEach { row in
      guard row.integer(1) > 0 else { return }
      guard row.integer(0) == row.integer(9) else { return isMixed = true }
      guard row.integer(5) >= 1, row.integer(6) <= PacketHeader.largestNumber,
        summary.interfaces.indices.contains(row.integer(0)),
        row.integer(7) >= 0, row.integer(8) <= PacketHeader.largestOriginal, row.isInteger(8), row.isInteger(4)
      else {
        // Reading them finds the damaged one.
        try forEachPacket { _, _ in }
        throw StoreError.damaged(path: path, reason: "its table packet has values that belong to none of its packets")
      }
      summary.packets += row.integer(1)
      summary.bytes += row.integer(2)
      let (first, last) = (Timestamp(nanoseconds: Int64(row.integer(3))), Timestamp(nanoseconds: Int64(row.integer(4))))
      summary.span = min(summary.span?.lowerBound ?? first, first)...max(summary.span?.upperBound ?? last, last)
      summary.interfaces[row.integer(0)].packets = row.integer(1)
      summary.interfaces[row.integer(0)].bytes = row.integer(2)
    }
    return isMixed
  }

  private func sessions(_ db: Database) throws -> [Session] {
    // Those that are left out are not even made a row of.
    let most = CaptureSummary.maxSessions
    let sql = "SELECT * FROM (SELECT * FROM session ORDER BY messages DESC, id LIMIT \(most)) ORDER BY id"
    return try db.rows(sql: sql).map { row in
      let row = StoredRow(row, of: "session", path)
      func endpoint(_ column: String) throws -> Endpoint {
        guard let endpoint = Endpoint(try row.text(column)) else { throw row.wrong(column, "an address and a port") }
        return endpoint
      }
      func word<Word>(_ column: String, _ read: (String) -> Word?) throws -> Word {
        guard let word = read(try row.text(column)) else { throw row.wrong(column, "another word") }
        return word
      }
      var session = Session(
        id: try row.integer("id"), protocolName: try row.text("protocol"),
        carrier: try word("carrier", Carrier.init(named:)),
        client: try endpoint("client"), server: try endpoint("server"),
        sessionID: try row.integerIfAny("session_id").map { UInt64(bitPattern: $0) },
        opened: Timestamp(nanoseconds: try row.integer("opened_ns")))
      session.lastSeen = Timestamp(nanoseconds: try row.integer("last_seen_ns"))
      session.end = try word("ended", Session.End.init)
      session.messages = try row.count("messages")
      return session
    }
  }

  private func addFindings(_ db: Database, to summary: inout CaptureSummary) throws {
    let order = "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END"
    let rules = try db.statement(
      sql: """
        SELECT MIN(id) AS id, rule, severity, COUNT(*) AS count, MIN(packet) AS first FROM finding GROUP BY rule, severity
        ORDER BY \(order), count DESC, rule
        """)
    while try rules.step() {
      guard summary.findings.count < CaptureSummary.maxRules else {
        summary.rulesLeftOut += 1
        continue
      }
      let row = StoredRow(try Row(rules), of: "finding", path)
      summary.findings.append(
        FindingSummary(
          rule: try row.text("rule"), severity: try row.text("severity"), count: try row.integer("count"),
          firstPacket: try row.integer("first")))
    }
  }
}

/// Counts the messages of a capture as they pass.
public struct SummaryCount {
  /// The indices of the number of a message and of its key among its numbers.
  private struct Place {
    let number: Int
    let key: [Int]
  }

  /// The fields with which messages must be read.
  public private(set) var wanted: WantedNumbers
  /// The numbering of messages by their kinds.
  private var places = SmallTable<MessageKind, Place>()
  /// The index of the field that accepts or rejects a session among the numbers of an answer.
  private var answers = SmallTable<MessageKind, Int>()
  private var counted: CaptureSummary
  private var types = TypeCounts()
  /// For each session its place in the summary.
  private let sessions: [Int: Int]
  private let path: String

  /// Packets, sessions and findings are counted, and no message yet.
  ///
  /// - Throws: `StoreError`
  public init(of reader: CaptureReader) throws {
    path = reader.path
    counted = try reader.summaryOfPackets()
    sessions = Dictionary(counted.sessions.enumerated().map { ($1.session.id, $0) }) { first, _ in first }
    wanted = WantedNumbers()
    for kind in reader.schema.kinds {
      if let field = kind.answerField { answers[kind] = wanted.add([field], of: kind)[0] }
      guard let numbering = kind.numbering else { continue }
      let all = wanted.add([numbering.order] + numbering.key, of: kind)
      places[kind] = Place(number: all[0], key: Array(all.dropFirst()))
    }
  }

  /// Whether it is known which messages there are.
  public var isDissected: Bool { counted.isDissected }

  /// All that has been counted.
  public var summary: CaptureSummary {
    var summary = counted
    summary.types = types.summaries(inOrderOf: counted.protocols)
    return summary
  }

  /// One more message.
  ///
  /// - Parameter numbers: those of `wanted`.
  /// - Throws: `StoreError` if a capture cannot contain it.
  public mutating func add(_ message: StoredMessage, _ numbers: Span<StoredNumber>) throws {
    let (kind, direction, time) = (message.kind, message.direction, message.time)
    guard 0...PacketHeader.largestOriginal ~= message.length else {
      throw StoreError.wrongValue(
        path: path, table: "message", row: Int64(message.id), "length is \(message.length), which no message has")
    }
    types.add(kind, direction, time, bytes: message.length)
    guard let session = sessions[message.session] else { return }
    if direction == .serverToClient {
      counted.sessions[session].fromServer.add(time)
    } else {
      counted.sessions[session].fromClient.add(time)
    }
    if let place = answers[kind], message.severity != .error, let code = numbers[place].bits {
      counted.sessions[session].answer(kind, code, at: time)
    }
    // A message in the wrong direction belongs to no stream.
    guard direction == kind.layoutDirection, let place = places[kind], let number = numbers[place.number].bits else {
      return counted.sessions[session].add(kind, time, number: nil)
    }
    let key = place.key.isEmpty ? [] : place.key.map { numbers[$0].bits ?? 0 }
    counted.sessions[session].add(kind, time, number: number, key: key)
  }
}

/// Counts messages by type and direction; two kinds of one name, such as both ACKs, are one type.
private struct TypeCounts {
  private struct Key: Equatable {
    let kind: MessageKind
    let direction: Direction
  }

  private var all: [TypeSummary] = []
  /// For each kind and direction its place in `all`.
  private var places = SmallTable<Key, Int>()
  /// The kind and direction by which each of `all` was first met.
  private var met: [Key] = []

  mutating func add(_ kind: MessageKind, _ direction: Direction, _ time: Timestamp, bytes: Int) {
    let key = Key(kind: kind, direction: direction)
    let place = places[key] ?? place(key)
    all[place].arrivals.add(time)
    all[place].bytes += bytes
  }

  private mutating func place(_ key: Key) -> Int {
    let (owner, name) = (key.kind.owner.name, key.kind.name)
    let known = all.firstIndex { $0.protocolName == owner && $0.type == name && $0.direction == key.direction }
    if known == nil {
      all.append(TypeSummary(protocolName: owner, type: name, direction: key.direction))
      met.append(key)
    }
    places[key] = known ?? all.count - 1
    return known ?? all.count - 1
  }

  /// In the order of the wire tables.
  func summaries(inOrderOf protocols: [WireProtocol]) -> [TypeSummary] {
    let kinds = protocols.flatMap(\.messages)
    func order(_ key: Key) -> (Int, UInt8) { (kinds.firstIndex(of: key.kind) ?? kinds.count, key.direction.rawValue) }
    return zip(met, all).sorted { order($0.0) < order($1.0) }.map(\.1)
  }
}
