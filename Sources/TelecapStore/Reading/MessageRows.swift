import GRDB
import TelecapRecording
import TelecapWire

/// A message of a capture: what is known of it beside its fields.
public struct StoredMessage: Hashable, Sendable {
  /// Its number in the capture, from 1.
  public var id: Int
  /// The packet that brought it, or its last byte.
  public var packet: Int
  /// When that was captured.
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
  private static let columns = """
    message.id, message.packet, packet.time_ns, message.kind_code, message.dialect_code, message.direction_code,
    message.severity_code, message.session, message.flow, message.offset, message.length
    """
  /// How many columns those are.
  private static let columnCount: Int32 = 11

  /// Calls `body` with each message, or with those of these numbers, in their order.
  public func forEachMessage(
    in range: ClosedRange<Int>? = nil, _ body: (StoredMessage) throws -> Void
  ) throws {
    try read { db in
      let range = range ?? 0...Int.max
      let query = try Query(
        db, path,
        """
        SELECT \(CaptureReader.columns) FROM message JOIN packet ON packet.id = message.packet
        WHERE message.id BETWEEN ? AND ? ORDER BY message.id
        """, [range.lowerBound, range.upperBound])
      try query.forEach { try body(message($0)) }
    }
  }

  /// Calls `body` with each message in the table of `kind`, and with the numbers in these fields of it: NaN where there is
  /// none. Other kinds of the same table come as well.
  public func forEachMessage(
    inTableOf kind: MessageKind, numbers fields: [FieldRow], in range: ClosedRange<Int>? = nil,
    _ body: (StoredMessage, [Double]) throws -> Void
  ) throws {
    guard let code = schema.kinds.firstIndex(of: kind) else { return }
    let table = schema.tables[schema.tableOfKind[code]]
    let columns = fields.map { field in
      table.fields.contains { $0.name == field.name } ? ", typed.\"\(field.name)\"" : ", NULL"
    }
    try read { db in
      let range = range ?? 0...Int.max
      let query = try Query(
        db, path,
        """
        SELECT \(CaptureReader.columns)\(columns.joined())
        FROM "\(table.name)" AS typed JOIN message ON message.id = typed.message JOIN packet ON packet.id = message.packet
        WHERE typed.message BETWEEN ? AND ? ORDER BY typed.message
        """, [range.lowerBound, range.upperBound])
      var values = [Double](repeating: .nan, count: fields.count)
      try query.forEach { row in
        for (place, field) in fields.enumerated() {
          values[place] = CaptureReader.number(row, CaptureReader.columnCount + Int32(place), field.type)
        }
        try body(message(row), values)
      }
    }
  }

  /// The message of this number; nil where there is none.
  public func message(_ id: Int) throws -> StoredMessage? {
    var found: StoredMessage?
    try forEachMessage(in: id...id) { found = $0 }
    return found
  }

  private func message(_ row: QueryRow) throws -> StoredMessage {
    func index<Item>(_ column: Int32, _ items: [Item], _ name: String) throws -> Item {
      let code = row.integer(column)
      guard row.isInteger(column), items.indices.contains(code) else {
        throw StoreError.wrongValue(
          path: path, table: "message", row: Int64(row.integer(0)),
          "\(name) is \(row.text(column)), and a number 0…\(items.count - 1) belongs there")
      }
      return items[code]
    }
    return StoredMessage(
      id: row.integer(0), packet: row.integer(1), time: Timestamp(nanoseconds: Int64(row.integer(2))),
      kind: try index(3, schema.kinds, "kind_code"), dialect: try index(4, schema.dialects, "dialect_code"),
      direction: try index(5, Direction.allCases, "direction_code"),
      severity: row.isNull(6) ? nil : try index(6, Severity.allCases, "severity_code"), session: row.integer(7),
      flow: row.integer(8), offset: row.isNull(9) ? nil : row.integer(9), length: row.integer(10))
  }

  private static func number(_ row: QueryRow, _ column: Int32, _ type: FieldType) -> Double {
    switch row.value(column) {
    // A uint64 of 2⁶³ or more is stored as the negative number of the same bits.
    case .integer(let value): type == .u64 ? Double(UInt64(bitPattern: value)) : Double(value)
    case .real(let value): value
    default: .nan
    }
  }
}
