import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

/// Captures with more rows than one keeps in memory: a reader keeps some, and says how many it left out.
@Suite("A capture of very many rows") struct ManyRowsTests {
  private let capture: ExampleCapture

  init() throws { capture = try ExampleCapture() }

  /// Adds rows, each made of a number `n`, from 1.
  private func add(_ count: Int, _ table: String, _ columns: String, _ values: String) throws {
    try capture.alter(
      """
      INSERT INTO \(table) (\(columns))
      WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT \(count)) SELECT \(values) FROM c
      """)
  }

  private func addSessions(_ count: Int) throws {
    try capture.alter("UPDATE message SET session = NULL; DELETE FROM session")
    try add(
      count, "session", "id, protocol, carrier, client, server, opened_ns, last_seen_ns, ended, messages",
      "n, 'tele', 'udp', '192.0.2.1:1', '192.0.2.2:2', n, n, 'bye', n % 7")
  }

  @Test("A summary lists sessions up to a limit, and leaves out those with the fewest messages")
  func sessions() throws {
    try addSessions(CaptureSummary.maxSessions)
    let all = try CaptureReader(path: capture.path, .standard).summary()
    #expect(all.sessions.count == 10_000 && all.sessionsLeftOut == 0 && all.notes.isEmpty)
    try capture.alter(
      "INSERT INTO session SELECT 10001, protocol, carrier, client, server, NULL, 1, 1, ended, 99 FROM session LIMIT 1")
    let most = try CaptureReader(path: capture.path, .standard).summary()
    #expect(most.sessions.count == 10_000 && most.sessionsLeftOut == 1)
    #expect(most.sessions.last?.session.id == 10_001)
    // The last of those without a message.
    #expect(!most.sessions.contains { $0.session.id == 9_996 } && most.sessions.contains { $0.session.id == 9_989 })
    #expect(most.notes == ["10001 sessions: only the 10000 with the most messages are shown"])
  }

  @Test("Rules beyond the limit of a summary are counted, and all findings are read")
  func rules() throws {
    try capture.alter("DELETE FROM finding")
    try add(
      1_003, "finding", "packet, rule, severity, offset, length, text", "1, 'r' || n, 'note', 0, 1, 'text ' || n")
    let reader = try CaptureReader(path: capture.path, .standard)
    let summary = try reader.summary()
    #expect(summary.findings.count == 1_000 && summary.rulesLeftOut == 3)
    #expect(summary.notes == ["1003 rules have findings: only 1000 are shown"])
    var texts: [String] = []
    try reader.forEachFinding { texts.append($0.text) }
    #expect(texts == (1...1_003).map { "text \($0)" })
    var first: [Int] = []
    try reader.forEachFinding(while: {
      first.append($0.packet)
      return first.count < 3
    })
    #expect(first == [1, 1, 1])
  }

  @Test("Findings beyond the lines of a packet's comment are counted")
  func comments() throws {
    try capture.alter("DELETE FROM finding")
    try add(1_001, "finding", "packet, rule, severity, offset, length, text", "2, 'r', 'note', 0, 1, 'x'")
    var comments: [[String]] = []
    try CaptureReader(path: capture.path, .standard).forEachCommentedPacket { header, _, note in
      if header.number == 2 { comments.append(note?.comments ?? []) }
    }
    let lines = try #require(comments.first?.first).split(separator: "\n")
    #expect(lines.count == 1_001 && lines.first == "note r: x" && lines.last == "and 1 more findings")
  }

  @Test("More interfaces than any capture has are damage, and not read into memory")
  func interfaces() throws {
    try add(
      CaptureReader.maxRows - 1, "interface", "id, name, link_type, snap_length, ticks_per_second, comment",
      "n, '', 1, 0, 1, ''")
    #expect(try CaptureReader(path: capture.path, .standard).interfaces().count == 65_536)
    try capture.alter("INSERT INTO interface VALUES (65536, '', 1, 0, 1, '')")
    #expect(throws: StoreError.damaged(path: capture.path, reason: "its table interface has more than 65536 rows")) {
      try CaptureReader(path: capture.path, .standard).interfaces()
    }
  }
}
