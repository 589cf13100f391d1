import TelecapRecording

extension CaptureReader {
  private static let maxLines = 1_000

  /// Like `forEachNotedPacket`, with the findings of each packet as a comment after the others, one line per finding; not where
  /// a file said so already. Of more than `maxLines` findings in a packet the others are counted.
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
        var (lines, more) = ([String](), 0)
        while let finding = next, finding.packet <= header.number {
          if finding.packet == header.number {
            if lines.count < Self.maxLines { lines.append(finding.line) } else { more += 1 }
          }
          next = try following()
        }
        if more > 0 { lines.append("and \(more) more findings") }
        let comment = lines.joined(separator: "\n")
        guard !lines.isEmpty, note?.comments.contains(comment) != true else { return try body(header, frame, note) }
        try body(header, frame, PacketNote(comments: (note?.comments ?? []) + [comment], flags: note?.flags))
      }
    }
  }
}
