import TelecapRecording
import TelecapTele
import TelecapText
import TelecapWire
import Testing

@testable import TelecapReport

/// What pages say to somebody who sees them first.
@Suite struct PlainWordsTests {
  private static func arrivals(_ seconds: [Double]) -> Arrivals {
    var arrivals = Arrivals()
    for time in seconds { arrivals.add(Timestamp(nanoseconds: Int64(time * 1e9))) }
    return arrivals
  }

  private static func words(_ seconds: [Double], until end: Double) -> String {
    arrivals(seconds).gapWords(until: Timestamp(nanoseconds: Int64(end * 1e9)))
  }

  @Test("The longest gap does not hide that nothing came at the end")
  func gaps() {
    let steady = (0..<100).map { Double($0) * 0.1 }
    #expect(Self.words(steady, until: 10) == "100.00 ms")
    #expect(Self.words(steady, until: 84.1) == "100.00 ms, then none for 74.200 s")
    // A gap that is longer than what is missing at the end says enough; one message has none.
    #expect(Self.words(steady + [20], until: 25) == "10.100 s")
    #expect(Self.words([1], until: 25) == "")
  }

  private static func session(_ end: Session.End, answers: [AckStatus]) -> SessionSummary {
    var session = Session(
      id: 1, protocolName: "tele", carrier: .udp, client: Endpoint(.loopback, port: 1),
      server: Endpoint(.loopback, port: 2), sessionID: 1, opened: .zero)
    session.end = end
    var entry = SessionSummary(session: session)
    for (second, status) in answers.enumerated() {
      entry.answer(.ack, UInt64(status.rawValue), at: Timestamp(nanoseconds: Int64(second) * 1_000_000_000))
    }
    return entry
  }

  @Test("A session that is refused at the end is refused, not open")
  func refused() {
    func ending(_ end: Session.End, _ answers: [AckStatus]) -> String {
      SessionWords.ending(of: Self.session(end, answers: answers), Tele.wire, stillOpen: "open")
    }
    #expect(ending(.open, [.ok, .ok]) == "open")
    #expect(ending(.open, [.ok, .busy, .busy]) == "refused (BUSY)")
    #expect(ending(.open, [.ok, .busy, .ok]) == "open")
    #expect(ending(.timeout, [.ok, .badCode]) == "refused (BAD_CODE), then silent")
    #expect(ending(.bye, [.ok, .busy]) == "ended by BYE")
    let entry = Self.session(.open, answers: [.ok, .busy, .busy])
    #expect(entry.refusal?.since == Timestamp(nanoseconds: 1_000_000_000) && entry.endKind == "refused")
    #expect(Self.session(.bye, answers: [.busy]).endKind == "bye")
    var summary = CaptureSummary(info: CaptureInfo(version: "", started: .zero))
    summary.sessions = [entry]
    var json = JSONWriter()
    SummaryJSON.write(summary, to: &json)
    #expect(json.text.contains("\"ended\":\"open\",\"refused\":\"BUSY\""), "\(json.text)")
  }

  private static func detail(_ ranges: [(Range<Int>, Severity)]) -> MessageDetail {
    var bytes = [UInt8]("TELE".utf8)
    bytes += [7, 1, 0, 0, 128, 62, 0, 0]
    let findings = ranges.map { MessageDetail.Found(rule: "r", severity: $0.1, text: "t", range: $0.0) }
    return MessageDetail(.haptic, Tele.wire.dialect("udp-v1"), bytes, findings)
  }

  @Test("What was found about a whole message marks the message, and none of its fields and bytes")
  func whole() {
    let whole = Self.detail([(0..<12, .note), (0..<12, .warning)])
    #expect(whole.severity == "warning" && whole.rows.count == 6 && whole.rows.allSatisfy { $0.severity == nil })
    #expect(whole.lines.flatMap(\.bytes).allSatisfy { !$0.isWrong } && whole.findings.count == 2)
    let text = MessageMarkup.tree(whole).text
    #expect(text.contains("<b>TELE HAPTIC</b> <span class=\"severity warning\">warning</span>"))
    let part = Self.detail([(0..<12, .note), (6..<10, .warning)])
    #expect(part.severity == "note" && part.rows.filter { $0.severity == "warning" }.map(\.name) == ["intensity"])
    #expect(part.lines.flatMap(\.bytes).filter(\.isWrong).count == 4)
  }

  @Test("What is wrong with a filter is said in the words of the page")
  func filter() {
    let column = PacketList.problem("no such column: intensitty")
    #expect(column.contains("intensitty") && column.contains("buttons below") && !column.contains("--"))
    #expect(PacketList.problem("more than one statement") == "This filter does not work: more than one statement")
  }

  @Test("Every badge of what stands out can be read, and is explained")
  func badges() {
    let missing = Incident.Missing(side: .serverToClient, name: "haptic", from: .zero, until: Timestamp(nanoseconds: 9))
    func incident(_ cause: Incident.Cause, isLast: Bool = false, messages: Int = 0) -> Incident {
      var missing = missing
      missing.messages = messages
      return Incident(session: nil, owner: nil, missing: [missing], isLast: isLast, cause: cause)
    }
    let next = Self.session(.open, answers: []).session
    let all = [
      incident(.silence), incident(.silence, isLast: true), incident(.silence, messages: 1),
      incident(.rest(.zero, messages: 1)), incident(.rest(.notANumber, messages: 1)),
      incident(.rest(.outOfRange, messages: 1)), incident(.refused("BUSY", times: 1)), incident(.closed(next: next)),
      incident(.outside(messages: 1)),
    ]
    #expect(
      all.map(\.badge) == [
        "pause", "outage", "slow", "only 0", "not a number", "out of range", "refused", "closed", "outside",
      ])
    let outs = (all.map { ($0.kind, $0.badge) } + [("dropped", "dropped"), ("error", "error")]).map {
      StandOut(kind: $0.0, badge: $0.1, text: "")
    }
    #expect(Glossary.badges(outs + outs).map(\.word) == outs.map(\.badge))
  }

  @Test("The number of an axis stands beside its curves; one that is too long begins there")
  func axis() {
    func panel(_ most: Double) -> PlotPanel {
      let grid = TimeGrid(start: .zero, length: 2, columns: 2)
      var curve = TimelineTrack.Curve(name: "x", unit: "rad/s", shape: .step, reduced: ReducedCurve(grid), range: nil)
      curve.add(most, at: .zero)
      curve.add(-most, at: Timestamp(nanoseconds: 1))
      return PlotPanel("x", unit: "rad/s", [curve])
    }
    #expect(panel(2).ticks.allSatisfy { $0.anchor == "end" })
    #expect(panel(3e38).ticks.contains { $0.anchor == "start" && $0.x == "0" })
  }
}
