import TelecapRecording

/// Something that was found, as a capture keeps it.
public struct StoredFinding: Hashable, Sendable {
  /// The packet that it was found in.
  public var packet: Int
  /// When that was captured; times go on where the clock was set back (`SteadyTimes`).
  public var time: Timestamp
  /// The message that it is about; nil where it is about the packet.
  public var message: Int?
  /// The rule's id: `seq.gap`.
  public var rule: String
  /// How bad it is.
  public var severity: Severity
  /// The bytes that it is about, from the start of its message.
  public var range: Range<Int>
  /// The problem, in words.
  public var text: String
}

extension CaptureReader {
  /// Calls `body` with each finding in packets of these numbers, or in all, in their order, until it returns false. A capture may
  /// hold millions: no row is made of those that are right.
  public func forEachFinding(
    inPackets range: ClosedRange<Int>? = nil, while body: (StoredFinding) throws -> Bool
  ) throws {
    try read { db in
      let range = range ?? 0...Int.max
      let rows = try db.statement(
        sql: """
          SELECT finding.packet, packet.time_ns, finding.message, finding.offset, finding.length, finding.rule,
            finding.severity, finding.text, packet.interface, finding.id
          FROM finding JOIN packet ON packet.id = finding.packet
          WHERE finding.packet BETWEEN ? AND ? ORDER BY finding.id
          """, arguments: [range.lowerBound, range.upperBound])
      let steps = try clockSteps(db)
      while try rows.step() {
        let row = QueryRow(statement: rows.handle)
        let found = try StoredFinding(row, steps) ?? finding(StoredRow(Row(rows), of: "finding", path), steps)
        guard try body(found) else { break }
      }
    }
  }

  /// The same with all of them.
  public func forEachFinding(inPackets range: ClosedRange<Int>? = nil, _ body: (StoredFinding) throws -> Void) throws {
    try forEachFinding(
      inPackets: range,
      while: {
        try body($0)
        return true
      })
  }

  /// A finding that is not right in every case, or why it is not.
  private func finding(_ row: StoredRow, _ steps: ClockSteps) throws -> StoredFinding {
    let name = try row.text("severity")
    guard let severity = Severity.allCases.first(where: { $0.name == name }) else {
      throw row.wrong("severity", "note, warning or error")
    }
    let start = try row.count("offset")
    let packet: Int = try row.integer("packet")
    return StoredFinding(
      packet: packet,
      time: steps.time(try row.integer("time_ns"), ofPacket: packet, interface: try row.integer("interface")),
      message: try row.integerIfAny("message").map(Int.init), rule: try row.text("rule"), severity: severity,
      range: start..<start.saturatingAdding(try row.count("length")), text: try row.text("text"))
  }
}

extension StoredFinding {
  /// Reads a row of the query above; nil where a column has a wrong type or value.
  fileprivate init?(_ row: QueryRow, _ steps: ClockSteps) {
    let (offset, length) = (row.integer(3), row.integer(4))
    let isMessage = row.isInteger(2)
    let name = row.text(6)
    guard row.isInteger(0), row.isInteger(1), isMessage || row.cell(2).isNull, row.isInteger(3), row.isInteger(4),
      row.isText(5), row.isText(6), row.isText(7), row.isInteger(8), offset >= 0, length >= 0,
      let severity = Severity.allCases.first(where: { $0.name == name })
    else { return nil }
    self.init(
      packet: row.integer(0),
      time: steps.time(row.integer(1), ofPacket: row.integer(0), interface: row.integer(8)),
      message: isMessage ? row.integer(2) : nil, rule: row.text(5), severity: severity,
      range: offset..<offset.saturatingAdding(length), text: row.text(7))
  }
}
