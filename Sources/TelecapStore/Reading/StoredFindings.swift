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
  /// What is wrong, in words.
  public var text: String
}

extension CaptureReader {
  /// Calls `body` with each finding in packets of these numbers, or in all, in their order.
  public func forEachFinding(
    inPackets range: ClosedRange<Int>? = nil, _ body: (StoredFinding) throws -> Void
  ) throws {
    try read { db in
      let range = range ?? 0...Int.max
      let rows = try db.statement(
        sql: """
          SELECT finding.*, packet.time_ns, packet.interface FROM finding JOIN packet ON packet.id = finding.packet
          WHERE finding.packet BETWEEN ? AND ? ORDER BY finding.id
          """, arguments: [range.lowerBound, range.upperBound])
      let steps = try clockSteps(db)
      while let found = try rows.next() {
        let row = StoredRow(found, of: "finding", path)
        let name = try row.text("severity")
        guard let severity = Severity.allCases.first(where: { $0.name == name }) else {
          throw row.wrong("severity", "note, warning or error")
        }
        let start = try row.count("offset")
        let packet: Int = try row.integer("packet")
        try body(
          StoredFinding(
            packet: packet,
            time: steps.time(try row.integer("time_ns"), ofPacket: packet, interface: try row.integer("interface")),
            message: try row.integerIfAny("message").map(Int.init), rule: try row.text("rule"), severity: severity,
            range: start..<start.saturatingAdding(try row.count("length")), text: try row.text("text")))
      }
    }
  }
}
