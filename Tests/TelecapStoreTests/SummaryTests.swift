import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("A summary") struct SummaryTests {
  @Test("A summary counts packets, messages, sessions and findings")
  func countsPacketsMessagesSessionsAndFindings() throws {
    let folder = try Folder()
    let example = try Example()
    try example.import(to: folder["a"], .test)
    let summary = try CaptureReader(path: folder["a"], .standard).summary()
    #expect(summary.packets == example.pieces.count)
    #expect(summary.bytes == example.pieces.reduce(0) { $0 + 42 + $1.bytes.count })
    #expect(summary.span?.lowerBound == example.pieces.first?.time)
    #expect(summary.span?.upperBound == example.pieces.last?.time)
    #expect(summary.interfaces.map(\.packets) == [summary.packets])
    #expect(
      summary.types.map { "\($0.protocolName) \($0.type) \($0.direction.name) \($0.arrivals.count)" } == [
        "tele HELLO client-to-server 10", "tele ACK server-to-client 10", "tele POSE client-to-server 466",
        "tele BYE client-to-server 1", "tele CMD client-to-server 3", "tele HAPTIC server-to-client 22",
        "mouse MOVEMENT client-to-server 40",
      ])
    let haptic = try #require(summary.types.first { $0.type == "HAPTIC" })
    #expect(haptic.arrivals.perSecond == 20)
    #expect(haptic.arrivals.largestGap == 50_000_000)
    #expect(haptic.bytes == 22 * 12)
    #expect(summary.findings.map(\.rule).first == "value.out-of-range")
    #expect(summary.findings.first { $0.rule == "seq.gap" }?.count == 4)
  }

  @Test("The summary of a session has rates, gaps and losses by seq, across 65535")
  func ofASessionTellsRatesGapsAndWhatWasLostBySeqAcross65535() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let sessions = try CaptureReader(path: folder["a"], .standard).summary().sessions
    #expect(sessions.map(\.session.protocolName) == ["tele", "mouse"])
    let tele = try #require(sessions.first)
    #expect(tele.session.sessionID == 7)
    #expect(tele.session.end == .bye)
    #expect(tele.session.client == Example.phone)
    #expect(tele.stream("POSE").missing == 4)
    #expect(tele.stream("POSE").arrivals.count == 466)
    #expect(abs((tele.stream("POSE").arrivals.perSecond ?? 0) - 59.5) < 0.2)
    #expect(tele.stream("HAPTIC").arrivals.count == 22)
    #expect(tele.fromClient.count + tele.fromServer.count == tele.session.messages)
  }

  @Test("The summary of a recording without messages has its packets only")
  func ofABareRecordingTellsItsPacketsOnly() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try Example().addPackets(to: writer)
    try writer.finish(ended: .zero)
    let summary = try CaptureReader(path: folder["a"], .standard).summary()
    #expect(!summary.isDissected)
    #expect(summary.packets > 0)
    #expect(summary.types.isEmpty && summary.sessions.isEmpty)
  }

  @Test("A summary of an empty capture has no rates and no span")
  func ofNothingHasNoRatesAndNoSpan() throws {
    let folder = try Folder()
    let writer = try ImportWriter(creating: folder["a"], .test, .standard)
    try writer.finish(ended: .zero, sessions: [])
    let summary = try CaptureReader(path: folder["a"], .standard).summary()
    #expect(summary.isDissected && summary.span == nil && summary.packets == 0)
    #expect(Arrivals().perSecond == nil)
  }
}
