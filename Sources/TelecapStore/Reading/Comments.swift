import TelecapRecording

extension CaptureReader {
  /// Like `forEachNotedPacket`, with what was found in each packet as a comment behind the others, one line a finding; not where
  /// a file said so already.
  public func forEachCommentedPacket(
    in selection: PacketSelection? = nil, _ body: (PacketHeader, RawSpan, PacketNote?) throws -> Void
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
      try forEachNotedPacket(in: selection) { header, frame, note in
        var lines: [String] = []
        while let finding = next, finding.packet <= header.number {
          if finding.packet == header.number { lines.append(finding.line) }
          next = try following()
        }
        let comment = lines.joined(separator: "\n")
        guard !lines.isEmpty, note?.comments.contains(comment) != true else { return try body(header, frame, note) }
        try body(header, frame, PacketNote(comments: (note?.comments ?? []) + [comment], flags: note?.flags))
      }
    }
  }
}
