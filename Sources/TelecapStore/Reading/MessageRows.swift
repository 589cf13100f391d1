import TelecapRecording
import TelecapText
import TelecapWire

/// A message of a capture, without its fields.
public struct StoredMessage: Hashable, Sendable {
  /// Its number in the capture, from 1.
  public var id: Int
  /// The packet that brought it, or its last byte.
  public var packet: Int
  /// When that was captured; times go on where the clock was set back (`SteadyTimes`).
  public var time: Timestamp
  /// Which message it is.
  public var kind: MessageKind
  /// How it was carried.
  public var dialect: Dialect
  /// Which way it travelled.
  public var direction: Direction
  /// How bad the worst finding about it is; nil where there is none.
  public var severity: Severity?
  /// The session that it belongs to; 0 where it belongs to none.
  public var session: Int
  /// The flow that it came in.
  public var flow: Int
  /// Where it begins in its packet's frame; nil where it began in an earlier one.
  public var offset: Int?
  /// Its length in bytes.
  public var length: Int
}

extension CaptureReader {
  /// Calls `body` with each message, or with those of these numbers, in their order, and with the numbers in those fields of it
  /// that are wanted. Each table is read once, from its beginning to its end.
  public func forEachMessage(
    in range: ClosedRange<Int>? = nil, reading wanted: WantedNumbers = WantedNumbers(),
    _ body: (StoredMessage, Span<StoredNumber>) throws -> Void
  ) throws {
    try read { db in
      let range = range ?? 0...Int.max
      let query = try Query(
        db, path,
        """
        SELECT message.id, message.packet, packet.time_ns, message.kind_code, message.dialect_code, message.direction_code,
          message.severity_code, message.session, message.flow, message.offset, message.length, packet.interface
        FROM message JOIN packet ON packet.id = message.packet
        WHERE message.id BETWEEN ? AND ? ORDER BY message.id
        """, [range.lowerBound, range.upperBound])
      let fields = try WantedFields(wanted, schema) { table, columns in
        try Query(
          db, path,
          "SELECT message, \(columns.joined(separator: ", ")) FROM \(Escaping.sqlName(table)) WHERE message BETWEEN ? AND ? ORDER BY message",
          [range.lowerBound, range.upperBound])
      }
      defer { fields.reset() }
      let steps = try clockSteps(db)
      var numbers: [StoredNumber] = []
      try query.forEach { row in
        let code = try kindCode(row)
        var message = try message(row, schema.kinds[code])
        if !steps.isEmpty {
          message.time = steps.time(row.integer(2), ofPacket: message.packet, interface: row.integer(11))
        }
        numbers.removeAll(keepingCapacity: true)
        try fields.read(ofMessage: message.id, code, into: &numbers)
        try body(message, numbers.span)
      }
    }
  }

  /// The message of this number; nil where there is none.
  public func message(_ id: Int) throws -> StoredMessage? {
    var found: StoredMessage?
    try forEachMessage(in: id...id) { message, _ in found = message }
    return found
  }

  @inline(__always)
  private func kindCode(_ row: QueryRow) throws -> Int {
    let cell = row.cell(3)
    guard cell.isInteger, schema.kinds.indices.contains(cell.integer) else {
      throw wrong("kind_code", 3, most: schema.kinds.count, row)
    }
    return cell.integer
  }

  @inline(__always)
  private func message(_ row: QueryRow, _ kind: MessageKind) throws -> StoredMessage {
    let (dialect, direction, severity, offset) = (row.cell(4), row.cell(5), row.cell(6), row.cell(9))
    guard dialect.isInteger, schema.dialects.indices.contains(dialect.integer) else {
      throw wrong("dialect_code", 4, most: schema.dialects.count, row)
    }
    guard direction.isInteger, let way = UInt8(exactly: direction.integer).flatMap(Direction.init) else {
      throw wrong("direction_code", 5, most: Direction.allCases.count, row)
    }
    let worst = severity.isInteger ? UInt8(exactly: severity.integer).flatMap(Severity.init) : nil
    guard worst != nil || severity.isNull else {
      throw wrong("severity_code", 6, most: Severity.allCases.count, row)
    }
    return StoredMessage(
      id: row.integer(0), packet: row.integer(1), time: Timestamp(nanoseconds: Int64(row.integer(2))), kind: kind,
      dialect: schema.dialects[dialect.integer], direction: way, severity: worst, session: row.integer(7),
      flow: row.integer(8), offset: offset.isNull ? nil : offset.integer, length: row.integer(10))
  }

  @inline(never)
  private func wrong(_ name: String, _ column: Int32, most: Int, _ row: QueryRow) -> StoreError {
    .wrongValue(
      path: path, table: "message", row: Int64(row.integer(0)),
      "\(name) is \(row.text(column)); expected a number 0…\(most - 1)")
  }
}
