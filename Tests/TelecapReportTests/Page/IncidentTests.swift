import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapReport

/// What stands out of sessions that were made by hand, message by message.
@Suite struct IncidentTests {
  /// What a session was heard to say: a kind with the milliseconds at which it came.
  private struct Heard {
    var kind: MessageKind
    var milliseconds: [Int64]
  }

  private static func every(_ step: Int64, _ from: Int64, _ until: Int64) -> [Int64] {
    Array(stride(from: from, to: until, by: Int64.Stride(step)))
  }

  /// A capture of 20 s with one session that ended so.
  private static func picture(
    _ end: Session.End, _ heard: [Heard], answers: [(milliseconds: Int64, code: UInt64)] = [], outside: [Int64] = [],
    later: [Int64] = [], notes: String = ""
  ) -> CapturePicture {
    let all = heard.flatMap { one in
      one.milliseconds.map { (kind: one.kind, time: Timestamp(nanoseconds: $0 * 1_000_000)) }
    }
    .sorted { $0.time < $1.time }
    var session = Session(
      id: 1, protocolName: "tele", carrier: .udp, client: Endpoint(.loopback, port: 1),
      server: Endpoint(.loopback, port: 2), sessionID: 1, opened: .zero)
    session.end = end
    session.lastSeen = all.last?.time ?? .zero
    var entry = SessionSummary(session: session)
    var timeline = CaptureTimeline(TimeGrid(start: .zero, length: 20_000_000_000, columns: 1_000), [Tele.wire])
    for (number, one) in all.enumerated() {
      if one.kind.layoutDirection == .serverToClient {
        entry.fromServer.add(one.time)
      } else {
        entry.fromClient.add(one.time)
      }
      entry.add(one.kind, one.time, number: nil)
      timeline.add(message(one.kind, one.time, number + 1), id: number + 1)
      for stream in timeline.streams where stream.kind == one.kind {
        var values = [Double](repeating: 0, count: stream.fields.count)
        if let place = stream.fields.firstIndex(where: { $0.name == "seq" }) { values[place] = Double(number) }
        timeline.add(message(one.kind, one.time, number + 1), to: stream) { place, _ in values[place] }
      }
    }
    for stream in timeline.streams where stream.kind == .haptic {
      for (session, milliseconds) in outside.map({ (0, $0) }) + later.map({ (2, $0) }) {
        let time = Timestamp(nanoseconds: milliseconds * 1_000_000)
        timeline.add(message(.haptic, time, 1, session: session), to: stream) { _, _ in 0.5 }
      }
    }
    for one in answers {
      timeline.add(message(.ack, Timestamp(nanoseconds: one.milliseconds * 1_000_000), 1), answering: one.code)
    }
    timeline.finish(sessions: [1: session.lastSeen], end: Timestamp(nanoseconds: 20_000_000_000))
    var summary = CaptureSummary(info: CaptureInfo(version: "", started: .zero))
    (summary.sessions, summary.protocols) = ([entry], [Tele.wire])
    let interface = Interface(name: "lo", linkType: 1, comment: notes)
    summary.interfaces = [InterfaceSummary(interface: interface, packets: 0, bytes: 0)]
    return CapturePicture(name: "made", summary, timeline)
  }

  private static func message(
    _ kind: MessageKind, _ time: Timestamp, _ packet: Int, session: Int = 1
  ) -> TimelineMessage {
    TimelineMessage(
      packet: packet, time: time, kind: kind, direction: kind.layoutDirection, isValid: true, session: session,
      conversation: 0)
  }

  private static func words(_ picture: CapturePicture) -> [String] {
    picture.incidents.map { "\($0.kind): \($0.words(since: .zero))" }
  }

  private static func host(until end: Int64, hapticUntil stop: Int64) -> [Heard] {
    [Heard(kind: .ack, milliseconds: every(1_000, 5, end)), Heard(kind: .haptic, milliseconds: every(50, 10, stop))]
  }

  private static func phone(until end: Int64) -> [Heard] {
    [Heard(kind: .hello, milliseconds: every(1_000, 0, end)), Heard(kind: .pose, milliseconds: every(20, 2, end))]
  }

  @Test("A host that falls silent is one outage, with the stream that it stopped before")
  func silentHost() {
    #expect(
      Self.words(Self.picture(.timeout, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 5_000))) == [
        "outage: session 1 (tele) ended by silence: the host sent no haptic for 8.022 s, from 4.960 s to 12.982 s "
          + "(usually every 50.00 ms) and nothing for 3.977 s, from 9.005 s to 12.982 s"
      ])
  }

  @Test("A host that does not answer any more, and sends on, is told by what answers")
  func unanswered() {
    #expect(
      Self.words(Self.picture(.timeout, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 13_000))) == [
        "outage: session 1 (tele) ended by silence: the host sent no ACK for 3.977 s, from 9.005 s to 12.982 s"
      ])
  }

  @Test("A phone that does not ask any more, and sends on, is told by what asks")
  func asksNoMore() {
    let heard = [
      Heard(kind: .hello, milliseconds: Self.every(1_000, 0, 10_000)),
      Heard(kind: .pose, milliseconds: Self.every(20, 2, 12_000)),
      Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 10_000)),
      Heard(kind: .haptic, milliseconds: Self.every(50, 10, 12_000)),
    ]
    #expect(
      Self.words(Self.picture(.timeout, heard)) == [
        "outage: session 1 (tele) ended by silence: the phone sent no HELLO for 3.000 s, from 9.000 s to 12.000 s"
      ])
  }

  @Test("A phone that falls silent is not the host's silence, and its session is over 3 s later")
  func silentPhone() {
    #expect(
      Self.words(Self.picture(.timeout, Self.phone(until: 10_000) + Self.host(until: 12_000, hapticUntil: 12_000))) == [
        "outage: session 1 (tele) ended by silence: the phone sent no pose for 1.978 s, from 9.982 s to 11.960 s "
          + "(usually every 20.00 ms) and nothing for 3.000 s, from 9.982 s to 12.982 s"
      ])
  }

  @Test("Where both fall silent, both are named")
  func bothSilent() {
    #expect(
      Self.words(Self.picture(.timeout, Self.phone(until: 10_020) + Self.host(until: 10_020, hapticUntil: 10_020))) == [
        "outage: session 1 (tele) ended by silence: both sides sent nothing for 3.000 s, from 10.002 s to 13.002 s"
      ])
  }

  /// Both fall silent at 10.002 s, and a recording notes a step of an hour so many ms after it by the new time.
  private static func stepped(_ milliseconds: Int64, movesPackets: Bool = true, back: Bool = false) -> [Incident] {
    let hour: Nanoseconds = 3_600_000_000_000
    let note = ClockNote(step: back ? -hour : hour, movesPackets: movesPackets).text
    let noted = Timestamp(nanoseconds: hour + (10_002 + milliseconds) * 1_000_000)
    let notes = "desk\nit rained: much\n\(CalendarTime.exact(noted)): \(note)"
    let heard = phone(until: 10_020) + host(until: 10_020, hapticUntil: 10_020)
    return picture(.timeout, heard, notes: notes).incidents
  }

  @Test("Silence from where the clock was set forward is no outage, where the recording notes the step")
  func clockSetForward() throws {
    let explained = try #require(Self.stepped(15).first)
    #expect(explained.kind == "clock" && explained.badge == "clock set")
    #expect(
      explained.words(since: .zero)
        == "the recording notes that the system clock was set forward by 3600.000 s at this time: session 1 (tele) ended by "
        + "silence: both sides sent nothing for 3.000 s, from 10.002 s to 13.002 s")
    for milliseconds: Int64 in [0, 2_000] { #expect(Self.stepped(milliseconds).map(\.kind) == ["clock"]) }
    for milliseconds: Int64 in [-50, 2_100, 60_000] { #expect(Self.stepped(milliseconds).map(\.kind) == ["outage"]) }
    #expect(Self.stepped(15, movesPackets: false).map(\.kind) == ["outage"])
    #expect(Self.stepped(15, back: true).map(\.kind) == ["outage"])
  }

  @Test("A line that only looks like a note of the clock says nothing")
  func otherNotes() {
    let text = ClockNote(step: 1_500_000_000, movesPackets: true).text
    #expect(text == "the system clock was set forward by 1.500 s; later packets have the new time")
    #expect(NotedStep.all(in: "2026-01-01: \(text)").map(\.step) == [1_500_000_000])
    for line in [
      text, ": ", "a: \(text) x", "a: \(text.replacing("1.500", with: "nan"))",
      "a: \(text.replacing("1.500", with: "1e300"))",
      "a: \(text.replacing("1.500", with: "-1.500"))", "a: \(text.replacing(" s;", with: " h;"))",
      "a: the system clock was set forward by",
    ] { #expect(NotedStep.all(in: line) == [], "\(line)") }
  }

  @Test("A phone that falls silent between two HELLOs is not the host's fault: it owed no ACK")
  func silentPhoneWithoutQuestion() {
    let heard = [
      Heard(kind: .hello, milliseconds: Self.every(1_000, 0, 10_000)),
      Heard(kind: .pose, milliseconds: Self.every(20, 2, 10_000)),
      Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 10_000)),
      Heard(kind: .haptic, milliseconds: Self.every(50, 10, 12_950)),
    ]
    let told = Self.words(Self.picture(.timeout, heard))
    #expect(told.count == 1 && told[0].contains("the phone sent"), "\(told)")
    #expect(!told[0].contains("ACK") && told[0].contains("nothing for 3.000 s, from 9.982 s to 12.982 s"))
  }

  @Test("Five equal pauses are told five times, and the usual interval does not count them")
  func equalPauses() {
    let starts: [Int64] = [2_000, 4_000, 6_000, 8_000, 10_000]
    let haptic = Self.every(50, 0, 13_000).filter { time in !starts.contains { $0 < time && time < $0 + 700 } }
    let heard =
      Self.phone(until: 13_000) + [
        Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 13_000)), Heard(kind: .haptic, milliseconds: haptic),
      ]
    let told = Self.words(Self.picture(.bye, heard))
    #expect(told.count == 5 && told.allSatisfy { $0.hasSuffix("(usually every 50.00 ms)") }, "\(told)")
    #expect(
      told[1] == "pause: session 1 (tele): the host sent no haptic for 0.700 s, from 4.000 s to 4.700 s "
        + "(usually every 50.00 ms)")
  }

  @Test("A stream of which hardly anything comes for as long as a session lasts is an outage")
  func hardlyAnything() {
    let haptic = Self.every(50, 0, 5_000) + [7_400] + Self.every(50, 10_000, 13_000)
    let heard =
      Self.phone(until: 13_000) + [
        Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 13_000)), Heard(kind: .haptic, milliseconds: haptic),
      ]
    #expect(
      Self.words(Self.picture(.bye, heard)) == [
        "outage: session 1 (tele): the host sent haptic only once in 5.050 s, from 4.950 s to 10.000 s "
          + "(usually every 50.00 ms)"
      ])
  }

  @Test("What came outside any session for a while is told, and what came before the first is not")
  func outside() {
    func words(from start: Int64) -> [String] {
      let heard = Self.phone(until: 10_000) + Self.host(until: 10_000, hapticUntil: 10_000)
      var picture = Self.picture(.bye, heard, outside: Self.every(50, start, start + 1_000))
      picture.summary.sessions[0].session.opened = Timestamp(nanoseconds: 3_000_000_000)
      return Self.words(picture)
    }
    #expect(
      words(from: 12_000) == [
        "outside: haptic of tele came 20 times outside any session, from 12.000 s to 12.950 s"
      ])
    #expect(words(from: 1_000) == [])
  }

  @Test("A stream at a tenth of its rate is slow, once, and its end is none")
  func slow() {
    let haptic = Self.every(50, 0, 8_000) + Self.every(500, 8_000, 13_000)
    let heard =
      Self.phone(until: 13_000) + [
        Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 13_000)), Heard(kind: .haptic, milliseconds: haptic),
      ]
    #expect(
      Self.words(Self.picture(.bye, heard)) == [
        "slow: session 1 (tele): the host sent haptic only 8 times in 4.982 s, from 8.000 s to 12.982 s "
          + "(usually every 50.00 ms)"
      ])
  }

  @Test("A session without a single haptic is an outage, a short one is none")
  func never() {
    func heard(_ end: Int64) -> [Heard] {
      Self.phone(until: end) + [Heard(kind: .ack, milliseconds: Self.every(1_000, 5, end))]
    }
    #expect(
      Self.words(Self.picture(.bye, heard(13_000))) == [
        "outage: session 1 (tele): the host never sent haptic, from 0.000 s to 12.982 s, though pose came"
      ])
    #expect(Self.words(Self.picture(.bye, heard(2_000))) == [])
  }

  @Test("Answers that refuse are told with their words; what is accepted is none")
  func refused() {
    let heard = Self.phone(until: 13_000) + Self.host(until: 13_000, hapticUntil: 13_000)
    let codes = Self.every(1_000, 5, 13_000).map { ($0, $0 < 8_000 ? UInt64(0) : 2) }
    #expect(
      Self.words(Self.picture(.bye, heard, answers: codes)) == [
        "refused: the host refused a session of tele: BUSY 5 times, from 8.005 s to 12.005 s"
      ])
    #expect(Self.words(Self.picture(.bye, heard, answers: codes.map { ($0.0, 0) })) == [])
  }

  @Test("HELLOs that nobody answers are told; one that was lost is none")
  func noAnswer() {
    var picture = Self.picture(.bye, [Heard(kind: .hello, milliseconds: Self.every(1_000, 2, 10_000))])
    picture.summary.sessions = []
    #expect(
      Self.words(picture) == [
        "outage: nobody answered HELLO of tele, which came 10 times, from 0.002 s to 9.002 s"
      ])
    picture = Self.picture(.bye, [Heard(kind: .hello, milliseconds: [2, 700])])
    picture.summary.sessions = []
    #expect(Self.words(picture) == [])
  }

  @Test("Where no message was understood, that stands out, with the ports of the traffic")
  func nothingUnderstood() {
    var picture = Self.picture(.bye, [])
    (picture.summary.sessions, picture.summary.packets, picture.summary.isDissected) = ([], 3, true)
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 4_000), to: Endpoint(.loopback, port: 9_999))
    for _ in 0..<3 { picture.summary.unread.count(flow) }
    let told = StandOuts(picture, LivePage.links).shown
    #expect(told.count == 1 && told[0].kind == "error")
    #expect(told[0].text.contains("no message was understood") && told[0].text.contains("udp 9999"), "\(told[0].text)")
    #expect(told[0].link == "#unread" && UnreadView(picture.summary, name: "x")?.ports.map(\.packets) == ["3", "3"])
  }

  @Test("Beyond a dozen the longest are told, by time, and the others are listed behind them with their places")
  func many() {
    // The pose goes on; every 7 s the haptics pause, each time 50 ms longer, and the first pause is the longest.
    let starts = Self.every(7_000, 1_000, 700_000)
    let lengths: [Int64] = [6_000] + (1..<100).map { 500 + $0 * 50 }
    let pauses = Array(zip(starts, lengths))
    let haptic = Self.every(50, 0, 702_000).filter { time in
      !pauses.contains { $0.0 < time && time < $0.0 + $0.1 }
    }
    let heard = [
      Heard(kind: .pose, milliseconds: Self.every(50, 0, 702_000)), Heard(kind: .haptic, milliseconds: haptic),
    ]
    let all = StandOuts(Self.picture(.bye, heard), LivePage.links)
    #expect(all.shown.count == 12 && all.folded.count == 88 && all.more == nil)
    #expect(all.foldedWords == "88 lesser outages and pauses")
    let expected = [1] + (89..<100).map { 1 + $0 * 7 }
    #expect(all.shown.map { $0.time } == expected.map { "\($0).000 s" })
    #expect(all.shown[0].timeLink == "timeline?from=0.000000&until=10.200000&at=1.000000")
    #expect(all.shown[0].packets == "packets?at=1.000000000")
    #expect(all.folded[0].time == "8.000 s" && all.folded[87].timeLink.hasSuffix("at=617.000000"))
  }

  @Test("What nothing came back from is told among a hundred longer pauses, and what is whole tells nothing")
  func ending() {
    let pauses = Self.every(2_000, 1_000, 200_000)
    let haptic = Self.every(50, 0, 200_800).filter { time in !pauses.contains { $0 < time && time < $0 + 1_500 } }
    let heard = [
      Heard(kind: .pose, milliseconds: Self.every(20, 0, 201_500)), Heard(kind: .haptic, milliseconds: haptic),
    ]
    let told = StandOuts(Self.picture(.bye, heard), LivePage.links).shown
    #expect(told.count == 12 && told.filter { $0.kind == "outage" }.map(\.time) == ["200.750 s"], "\(told.map(\.text))")
    let whole = [
      Heard(kind: .pose, milliseconds: Self.every(20, 0, 20_000)),
      Heard(kind: .haptic, milliseconds: Self.every(50, 0, 20_000)),
    ]
    let nothing = StandOuts(Self.picture(.bye, whole), LivePage.links)
    #expect(nothing.shown.isEmpty && nothing.folded.isEmpty && nothing.foldedWords == nil)
  }

  @Test("Errors lead to their place on the timeline and to their packet, and leave room for outages")
  func errors() {
    var picture = Self.picture(.bye, Self.phone(until: 13_000) + Self.host(until: 13_000, hapticUntil: 5_000))
    picture.summary.findings = (1...20).map {
      FindingSummary(rule: "rule.\($0)", severity: "error", count: 30 - $0, firstPacket: 100 + $0)
    }
    let time = Timestamp(nanoseconds: 2_000_000_000)
    picture.places = [
      FoundPlaces(
        rule: "rule.1", severity: .error, count: 29, places: [.init(packet: 101, time: time, text: "wrong")])
    ]
    let told = StandOuts(picture, LivePage.links).shown
    #expect(told.count == 8 && told[7].kind == "outage")
    #expect(told[0].time == "2.000 s" && told[0].timeLink == "timeline?from=1.500000&until=2.500000&at=2.000000")
    #expect(told[0].packets == "packets?packet=101" && told[0].packetWords == "packet 101")
    #expect(told[6].text == "14 more rules were broken, which the findings name" && told[6].link == "#findings")
  }

  @Test("Outages that overlap have rows of their own, and shade what is of their session")
  func rows() {
    func incident(_ session: Int, _ from: Int64, _ until: Int64) -> Incident {
      let owner = Tele.wire
      let part = Session(
        id: session, protocolName: "tele", carrier: .udp, client: Endpoint(.loopback, port: 1),
        server: Endpoint(.loopback, port: 2), sessionID: nil, opened: .zero)
      return Incident(
        session: part, owner: owner,
        missing: [
          .init(side: .serverToClient, from: Timestamp(nanoseconds: from), until: Timestamp(nanoseconds: until))
        ], isLast: true)
    }
    let grid = TimeGrid(start: .zero, length: 100, columns: 100)
    let shades = TimelineShade.all(
      [incident(1, 0, 50), incident(2, 20, 60), incident(1, 70, 90)], in: grid, since: .zero, LivePage.links
    ).shades
    #expect(shades.flatMap(\.bars).map(\.y) == [2, 20, 2])
    #expect(TimelineShade.height(shades) == 36)
    #expect(shades[0].isOf("tele", session: 1) && !shades[0].isOf("tele", session: 2))
  }

  @Test("Of many outages the longest are shaded, and it is said how many there are")
  func manyShades() {
    let incidents = (0..<60).map { place in
      let from = Timestamp(nanoseconds: Int64(place) * 100)
      let until = from.advanced(byNanoseconds: place < 10 ? 1 : 50)
      return Incident(
        session: nil, owner: Tele.wire, missing: [.init(side: .serverToClient, from: from, until: until)], isLast: false
      )
    }
    let grid = TimeGrid(start: .zero, length: 6_000, columns: 100)
    let (shades, count) = TimelineShade.all(incidents, in: grid, since: .zero, LivePage.links)
    #expect(count == 60 && shades.count == 50 && shades[0].at == PlotCurve.place(1_000 / 60))
  }

  @Test("A pause is told beside the end of its session, and what one side lacked at once is one pause")
  func pauses() {
    let pose = Self.every(20, 2, 4_000) + Self.every(20, 6_000, 13_000)
    let haptic = Self.every(50, 10, 2_000) + Self.every(50, 3_000, 10_000)
    let heard = [
      Heard(kind: .hello, milliseconds: Self.every(1_000, 0, 13_000)), Heard(kind: .pose, milliseconds: pose),
      Heard(kind: .ack, milliseconds: Self.every(1_000, 5, 10_000)), Heard(kind: .haptic, milliseconds: haptic),
    ]
    let told = Self.words(Self.picture(.timeout, heard))
    #expect(told.map { $0.prefix(7) } == ["pause: ", "pause: ", "outage:"])
    #expect(told[0].contains("session 1 (tele): the host sent no haptic for 1.040 s, from 1.960 s to 3.000 s"))
    #expect(told[1].contains("the phone sent no pose for 2.018 s, from 3.982 s to 6.000 s"))
  }

  @Test(
    "A stream that stops while its session goes on is an outage of its own, and the end of a session by BYE is none")
  func stopped() {
    let heard = Self.phone(until: 13_000) + Self.host(until: 13_000, hapticUntil: 5_000)
    #expect(
      Self.words(Self.picture(.bye, heard)) == [
        "outage: session 1 (tele) went on without a stream: the host sent no haptic for 8.022 s, from 4.960 s to 12.982 s "
          + "(usually every 50.00 ms), its end"
      ])
    #expect(
      Self.words(Self.picture(.bye, Self.phone(until: 13_000) + Self.host(until: 13_000, hapticUntil: 13_000))) == [])
  }

  @Test("A session that was closed, and whose client opens another one soon, is told; one that comes later is not")
  func closed() {
    func words(later: Nanoseconds) -> [String] {
      var picture = Self.picture(
        .bye, Self.phone(until: 10_000) + Self.host(until: 10_000, hapticUntil: 10_000))
      var next = picture.summary.sessions[0].session
      (next.id, next.opened, next.end) = (2, next.lastSeen.advanced(byNanoseconds: later), .open)
      (next.lastSeen, next.client.port) = (next.opened, 9)
      picture.summary.sessions.append(SessionSummary(session: next))
      return Self.words(picture)
    }
    #expect(
      words(later: 440_000_000) == [
        "closed: session 1 (tele) was closed by BYE at 9.982 s; its client opened session 2, of the same name, 0.440 s later"
      ])
    #expect(words(later: 60_000_000_000) == [])
  }

  @Test("A session that was lost, and whose client opens another one, is told with how long its streams were away")
  func lost() {
    func words(later haptic: [Int64] = [], opened: Int64 = 15_000_000_000, ofAnother: Bool = false) -> [String] {
      var picture = Self.picture(
        .timeout, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 10_000), later: haptic)
      var next = picture.summary.sessions[0].session
      (next.id, next.opened, next.end) = (2, Timestamp(nanoseconds: opened), .open)
      next.lastSeen = next.opened
      next.client = Endpoint(ofAnother ? IPAddress(v4: 0x0a00_0001) : .loopback, port: 9)
      picture.summary.sessions.append(SessionSummary(session: next))
      return Self.words(picture)
    }
    let told = "outage: no session (tele) for 2.018 s, from 12.982 s to 15.000 s, when the phone opened session 2"
    #expect(words().last == told)
    #expect(words(later: [15_010]).last == told + ", in all no haptic for 5.050 s, from 9.960 s to 15.010 s")
    #expect(words(ofAnother: true).allSatisfy { !$0.contains("no session") })
    #expect(words(opened: 13_000_000_000).allSatisfy { !$0.contains("no session") }, "it followed at once")
  }

  @Test("A session that another one replaced takes with it what had stopped in it")
  func replaced() {
    let heard = Self.phone(until: 10_000) + Self.host(until: 12_000, hapticUntil: 12_000)
    #expect(
      Self.words(Self.picture(.replaced, heard)) == [
        "outage: session 1 (tele) replaced by another: its last message came at 11.960 s; "
          + "the phone sent no pose for 1.978 s, from 9.982 s to 11.960 s (usually every 20.00 ms)"
      ])
  }

  @Test("An outage is shaded where it lies in what is shown, and its link puts the cursor at its beginning")
  func shades() throws {
    let picture = Self.picture(.timeout, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 5_000))
    func shades(_ from: Int64, _ length: Int64) -> [TimelineShade] {
      let grid = TimeGrid(start: Timestamp(nanoseconds: from), length: length, columns: 100)
      return TimelineShade.all(picture.incidents, in: grid, since: .zero, LivePage.links).shades
    }
    let whole = try #require(shades(0, 20_000_000_000).first)
    #expect((whole.at, whole.width) == ("24.8", "40.1"))
    #expect(whole.link == "timeline?from=0.749000&until=17.193000&at=4.960000")
    #expect(whole.bars.map(\.text) == ["no haptic for 8.022 s", "nothing for 3.977 s"], "a row each")
    #expect(whole.bars.map(\.y) == [2, 20])
    let part = try #require(shades(6_000_000_000, 1_000_000_000).first)
    #expect((part.at, part.width) == ("0", "100"))
    #expect(part.bars.map(\.text) == ["no haptic for 8.022 s"], "the silence of everything lies behind it")
    let far = try #require(shades(0, 200_000_000_000).first)
    #expect(far.bars.map(\.text) == ["", ""])
    let beside = far.bars.map(\.beside)
    #expect(beside.map { $0?.text } == ["no haptic for 8.022 s", "nothing for 3.977 s"], "words that do not fit")
    #expect(beside.map { $0?.at } == ["6.5", "6.5"] && beside[0]?.anchor == "start")
    let last = try #require(shades(-180_000_000_000, 193_000_000_000).first)
    #expect(last.bars[0].beside?.anchor == "end")
    #expect(shades(0, 4_000_000_000).isEmpty && shades(14_000_000_000, 1_000_000_000).isEmpty)
  }

  @Test("The table of a session says of a stream when it ended, where that was before its session")
  func ended() {
    var picture = Self.picture(.timeout, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 5_000))
    let rows = SessionsView(picture.summary, LivePage.links).bars[0].rows
    #expect(rows.map(\.name) == ["from the phone", "from the host", "POSE", "HAPTIC"])
    #expect(rows.map(\.ended) == [nil, "9.005 s, for 3.977 s", nil, "4.960 s, for 8.022 s"])
    picture.summary.span = .zero...Timestamp(nanoseconds: 20_000_000_000)
    let silent = SessionsView(picture.summary, LivePage.links).bars[0].silent
    #expect(silent.map { [$0.at, $0.width] } == ["45", "19.9"], "from 9.005 s to 12.982 s, of 20 s")
    let closed = Self.picture(.bye, Self.phone(until: 13_000) + Self.host(until: 10_000, hapticUntil: 5_000))
    #expect(SessionsView(closed.summary, LivePage.links).bars[0].silent == nil)
  }
}
