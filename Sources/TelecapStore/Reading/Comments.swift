import TelecapRecording

extension CaptureReader {
  /// Like `forEachPacket`, with what was found in each packet, one line a finding; empty where nothing was.
  public func forEachCommentedPacket(
    in selection: PacketSelection? = nil, _ body: (PacketHeader, RawSpan, _ comment: String) throws -> Void
  ) throws {
    try read { db in
      try checkTables(db, ["finding"])
      let findings = try db.statement(
        sql: "SELECT id, packet, severity, rule, text FROM finding ORDER BY packet, id")
      func following() throws -> (packet: Int, line: String)? {
        guard let row = try findings.next().map({ StoredRow($0, of: "finding", path) }) else { return nil }
        return (
          try row.integer("packet"), "\(try row.text("severity")) \(try row.text("rule")): \(try row.text("text"))"
        )
      }
      var next = try following()
      try forEachPacket(in: selection) { header, frame in
        var lines: [String] = []
        while let finding = next, finding.packet <= header.number {
          if finding.packet == header.number { lines.append(finding.line) }
          next = try following()
        }
        try body(header, frame, lines.joined(separator: "\n"))
      }
    }
  }
}
