import GRDB
import TelecapRecording

extension CaptureReader {
  /// Like `forEachPacket`, with what was found in each packet, one line a finding; empty where nothing was.
  public func forEachCommentedPacket(
    in selection: PacketSelection? = nil, _ body: (PacketHeader, RawSpan, _ comment: String) throws -> Void
  ) throws {
    try read { db in
      let findings = try Row.fetchCursor(
        db, sql: "SELECT packet, severity || ' ' || rule || ': ' || text AS line FROM finding ORDER BY packet, id")
      var next = try findings.next()?.comment
      try forEachPacket(in: selection) { header, frame in
        var lines: [String] = []
        while let finding = next, finding.packet <= header.number {
          if finding.packet == header.number { lines.append(finding.line) }
          next = try findings.next()?.comment
        }
        try body(header, frame, lines.joined(separator: "\n"))
      }
    }
  }
}

extension Row {
  fileprivate var comment: (packet: Int, line: String) { (self["packet"], self["line"]) }
}
