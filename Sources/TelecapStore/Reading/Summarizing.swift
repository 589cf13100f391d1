import GRDB
import TelecapRecording
import TelecapWire

extension CaptureReader {
  /// The capture in numbers, in one pass over its packets and one over its messages.
  ///
  /// - Parameter progress: is told from time to time how many messages have been counted.
  public func summary(progress: (Int) -> Void = { _ in }) throws -> CaptureSummary {
    try read { db in
      var summary = CaptureSummary(info: try info())
      // One state of the file: a recording may go on meanwhile.
      try db.inTransaction(.deferred) {
        try sum(db, &summary, progress)
        return .commit
      }
      return summary
    }
  }

  private func sum(_ db: Database, _ summary: inout CaptureSummary, _ progress: (Int) -> Void) throws {
    summary.protocols = schema.protocols
    try countPackets(db, &summary)
    summary.isDissected = try !needsDissection()
    guard summary.isDissected else { return }
    try checkTables(db)
    try countMessages(db, &summary, progress)
    summary.findings = try findings(db)
  }

  private func countPackets(_ db: Database, _ summary: inout CaptureSummary) throws {
    summary.interfaces = try interfaces().map { InterfaceSummary(interface: $0, packets: 0, bytes: 0) }
    let query = try Query(
      db, path,
      """
      SELECT interface, COUNT(*), CAST(TOTAL(original_length) AS INTEGER), MIN(time_ns), MAX(time_ns), MIN(id), MAX(id),
        MIN(original_length), MAX(original_length)
      FROM packet GROUP BY interface
      """)
    try query.forEach { row in
      guard row.integer(5) >= 1, row.integer(6) <= PacketHeader.largestNumber,
        summary.interfaces.indices.contains(row.integer(0)),
        row.integer(7) >= 0, row.integer(8) <= PacketHeader.largestOriginal, row.isInteger(8), row.isInteger(4)
      else {
        // Reading them tells which one it is.
        try forEachPacket { _, _ in }
        throw StoreError.damaged(path: path, reason: "its table packet holds values that none of its packets has")
      }
      summary.packets += row.integer(1)
      summary.bytes += row.integer(2)
      let (first, last) = (Timestamp(nanoseconds: Int64(row.integer(3))), Timestamp(nanoseconds: Int64(row.integer(4))))
      summary.span = min(summary.span?.lowerBound ?? first, first)...max(summary.span?.upperBound ?? last, last)
      summary.interfaces[row.integer(0)].packets = row.integer(1)
      summary.interfaces[row.integer(0)].bytes = row.integer(2)
    }
  }

  private func countMessages(_ db: Database, _ summary: inout CaptureSummary, _ progress: (Int) -> Void) throws {
    var types = TypeCounts(kinds: schema.kinds.count)
    var sessions = try sessions(db).map { SessionSummary(session: $0) }
    let places = Dictionary(sessions.enumerated().map { ($1.session.id, $0) }, uniquingKeysWith: { first, _ in first })
    let numbers = NumberColumns(schema)
    let query = try Query(
      db, path,
      """
      SELECT message.kind_code, message.direction_code, message.length, packet.time_ns, message.session, message.id\(numbers.columns)
      FROM message JOIN packet ON packet.id = message.packet\(numbers.joins)
      ORDER BY message.id
      """)
    try query.forEach { row in
      let (code, length) = (row.integer(0), row.integer(2))
      if row.integer(5) % 10_000 == 0 { progress(row.integer(5)) }
      guard schema.kinds.indices.contains(code), let direction = UInt8(exactly: row.integer(1)).flatMap(Direction.init),
        0...PacketHeader.largestOriginal ~= length
      else { throw wrongMessage(row) }
      let kind = schema.kinds[code]
      let time = Timestamp(nanoseconds: Int64(row.integer(3)))
      types.add(code, kind, direction, time, bytes: length)
      guard let place = places[row.integer(4)] else { return }
      if direction == .hostToPhone { sessions[place].fromHost.add(time) } else { sessions[place].fromPhone.add(time) }
      // What travels the wrong way is of no stream.
      guard direction == kind.layoutDirection, let (number, key) = numbers.values(of: code, row, from: 6) else {
        return sessions[place].add(kind, time, number: nil)
      }
      sessions[place].add(kind, time, number: number, key: key)
    }
    summary.types = types.summaries
    summary.sessions = sessions
  }

  private func wrongMessage(_ row: QueryRow) -> StoreError {
    .wrongValue(
      path: path, table: "message", row: Int64(row.integer(5)),
      "kind_code \(row.integer(0)), direction_code \(row.integer(1)) and length \(row.integer(2)) are of no message; "
        + "kinds are 0…\(schema.kinds.count - 1), directions 0…\(Direction.allCases.count - 1)")
  }

  private func sessions(_ db: Database) throws -> [Session] {
    try rows(of: "session", db).map { row in
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
        phone: try endpoint("phone"), host: try endpoint("host"),
        sessionID: try row.integerIfAny("session_id").map { UInt64(bitPattern: $0) },
        opened: Timestamp(nanoseconds: try row.integer("opened_ns")))
      session.lastSeen = Timestamp(nanoseconds: try row.integer("last_seen_ns"))
      session.end = try word("ended", Session.End.init)
      session.messages = try row.count("messages")
      return session
    }
  }

  private func findings(_ db: Database) throws -> [FindingSummary] {
    let order = "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END"
    return try Row.fetchAll(
      db,
      sql: """
        SELECT MIN(id) AS id, rule, severity, COUNT(*) AS count, MIN(packet) AS first FROM finding GROUP BY rule, severity
        ORDER BY \(order), count DESC, rule
        """
    ).map {
      let row = StoredRow($0, of: "finding", path)
      return FindingSummary(
        rule: try row.text("rule"), severity: try row.text("severity"), count: try row.integer("count"),
        firstPacket: try row.integer("first"))
    }
  }
}

/// The numbers of messages and their keys, as columns of a query: of each message those of its own typed table.
private struct NumberColumns {
  /// Further columns and joins, each behind the separator that it needs.
  let columns: String
  let joins: String
  /// For each kind, by its code, how many fields its key has; nil where its messages have no number.
  private let keySizes: [Int?]

  init(_ schema: CaptureSchema) {
    keySizes = schema.kinds.map { $0.numbering?.key.count }
    let fields = schema.tables.compactMap { table in
      table.kinds.lazy.compactMap(\.numbering).first.map { numbering in
        (table: table.name, columns: ([numbering.order] + numbering.key).map { NumberColumns.column($0, table) })
      }
    }
    columns = (0..<(fields.map(\.columns.count).max() ?? 0)).map { place in
      let all = fields.compactMap { $0.columns.indices.contains(place) ? $0.columns[place] : nil }
      return ", COALESCE(\((all + ["NULL", "NULL"]).joined(separator: ", ")))"
    }.joined()
    joins = fields.map { " LEFT JOIN \($0.table) ON \($0.table).message = message.id" }.joined()
  }

  /// A field of a table; one that is always the same in its messages is no column of it.
  private static func column(_ field: FieldRow, _ table: TypedTable) -> String {
    table.fields.contains { $0.name == field.name }
      ? "\(table.name).\(field.name)" : "CASE WHEN \(table.name).message IS NOT NULL THEN 0 END"
  }

  /// The number and the key of the message in a row; nil where it has none.
  func values(of code: Int, _ row: QueryRow, from first: Int32) -> (number: UInt64, key: [UInt64])? {
    guard let size = keySizes[code], !row.isNull(first) else { return nil }
    let key = (0..<Int32(size)).map { UInt64(truncatingIfNeeded: row.integer(first + 1 + $0)) }
    return (UInt64(truncatingIfNeeded: row.integer(first)), key)
  }
}

/// Counts messages by type and direction; two kinds of one name, such as both ACKs, are one type.
private struct TypeCounts {
  private(set) var all: [TypeSummary] = []
  /// For each kind and direction: its place in `all`, or −1.
  private var places: [Int]
  private var order: [Int] = []

  init(kinds: Int) { places = [Int](repeating: -1, count: kinds * Direction.allCases.count) }

  mutating func add(
    _ code: Int, _ kind: MessageKind, _ direction: Direction, _ time: Timestamp, bytes: Int
  ) {
    let key = code * Direction.allCases.count + Int(direction.rawValue)
    if places[key] < 0 { places[key] = place(key, kind, direction) }
    all[places[key]].arrivals.add(time)
    all[places[key]].bytes += bytes
  }

  private mutating func place(_ key: Int, _ kind: MessageKind, _ direction: Direction) -> Int {
    let name = kind.owner.name
    let known = all.firstIndex { $0.protocolName == name && $0.type == kind.name && $0.direction == direction }
    if let known { return known }
    all.append(TypeSummary(protocolName: name, type: kind.name, direction: direction))
    order.append(key)
    return all.count - 1
  }

  /// In the order of the wire tables.
  var summaries: [TypeSummary] { zip(order, all).sorted { $0.0 < $1.0 }.map(\.1) }
}
