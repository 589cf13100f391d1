import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing
import TelecapText

private let ownEvents: [PeerEvent] = [
  .poseApplied(
    PoseSample(seq: 3, timestampMicroseconds: 5, movementStart: true, position: SIMD3<Float>(1, Float.nan, 3))),
  .command(type: 2, value: 1, changed: false), .hapticApplied(0.5), .hapticImpact(.medium),
  .pointer(PointerPosition(x: 3, y: -4)), .buttons(5), .scroll(-7), .refused(.notConnected),
  .clamped(deltaX: 5, deltaY: -6, scroll: 127), .sessionOpened(Endpoint(.loopback, port: 4_001), sessionID: 7),
  .sessionClosed(Endpoint(.loopback, port: 4_002), sessionID: 7, .teardown),
]

@Suite("The output of a program as events")
struct ObservationTests {
  private static let peers: PeerAddresses = {
    var peers = PeerAddresses()
    peers.put("a", at: Endpoint(.loopback, port: 4_001))
    peers.put("b", at: Endpoint(.loopback, port: 4_002))
    return peers
  }()

  private func line(_ text: String) throws -> JSONNode { try #require(JSONNode.objects(printed: text.utf8).first) }

  private func pose(_ seq: UInt16, x: Float) throws -> [UInt8] {
    try Message.pose(
      seq: seq, timestampMicroseconds: UInt64(seq) * 1_000, movementStart: false, position: [x, 0.25, -1],
      orientation: [0, 0, 0, 1]
    ).bytes
  }

  /// The same with this x, whatever it is.
  private func pose(_ seq: UInt16, x: Float, set other: Float) throws -> [UInt8] {
    var bytes = try pose(seq, x: x)
    withUnsafeBytes(of: other.bitPattern.littleEndian) { bytes.replaceSubrange(18..<22, with: $0) }
    return bytes
  }

  @Test("Only the JSON objects of a line are events")
  func json() throws {
    let nested = try line(#" {"a": [1, -2.5e3, {"b": "\ud83e\udd16\n"}], "c": null} "#)
    #expect(nested[["a", "2", "b"]]?.meantText == "🤖\n")
    #expect(nested[["a", "1"]]?.meantNumber == -2_500)
    let bare = try line(#"{"x": NaN, "y": -Infinity}"#)
    #expect(bare[["x"]]?.meantNumber?.isNaN == true)
    #expect(bare[["y"]]?.meantNumber == -.infinity)
    for text in [
      "", "listening: 50000", "[1]", "{", "{\"a\":1} trailing", "{\"a\":01}", "{a:1}", "{\"a\":1,}", "{\"a\" 1}",
      "{\"a\":\"\\x\"}", "{\"a\":.5}", String(repeating: "{\"a\":", count: 100_000),
    ] {
      #expect(JSONNode.objects(printed: text.utf8).isEmpty, "\(text.prefix(20))")
    }
    for text in ["{\"a\":1}{\"b\":2}", "{\"a\":1} \t{\"b\":2}", "[{\"a\":1}, 7, {\"b\":2}]"] {
      #expect(JSONNode.objects(printed: text.utf8) == [try line("{\"a\":1}"), try line("{\"b\":2}")], "\(text)")
    }
  }

  /// A strength that is rounded to three decimals matches the requested one; a strength that differs by more stays as
  /// it is.
  @Test(
    "A strength is compared within the decimals that are printed",
    arguments: [
      ("0.05", 0.050034944), ("0.050", 0.050034944), ("0.0500349", 0.0500349), ("0.051", 0.051), ("0.0505", 0.0505),
      ("1", 1), ("1.5", 1.5), ("5e-2", 0.050034944), ("0.25", 0.25),
    ] as [(String, Float)])
  func rounded(printed: String, strength: Float) throws {
    var observations = EventDecoder(rules: [EventRule(.strength)], peers: ObservationTests.peers, Tele.wire)
    for intensity: Float in [0.050034944, 7] {
      observations.delivered(try haptic(intensity), from: "a", over: .udp, at: .zero)
    }
    #expect(observations.events(printed: "{\"intensity\": \(printed)}".utf8) == [.hapticApplied(strength)])
  }

  @Test(
    "A number in text with an exponent is compared within its digits",
    arguments: [("+5.003e-02", 0.050034944), ("5.0034944E-2", 0.050034944), ("5.1e-02", 0.051), ("6e-02", 0.06)]
      as [(String, Float)])
  func roundedWithAnExponent(printed: String, strength: Float) throws {
    var rule = EventRule(.strength)
    rule.pattern = try LinePattern(#"^motor (?<intensity>\S+)$"#)
    var observations = EventDecoder(rules: [rule], peers: ObservationTests.peers, Tele.wire)
    observations.delivered(try haptic(0.050034944), from: "a", over: .udp, at: .zero)
    #expect(observations.events(printed: "motor \(printed)".utf8) == [.hapticApplied(strength)])
  }

  /// 0.000019 is 0.000 there, and was asked for; the 0 that follows the end of a session is none.
  @Test("A rounded strength is matched to the latest intensity, not to an older one that is equal")
  func roundedToAnOlderOne() throws {
    let rules = [
      EventRule(.strength, when: [.init(["is"], ["motor"])]),
      EventRule(.sessionClosed, when: [.init(["is"], ["down"])]),
    ]
    var observations = EventDecoder(rules: rules, peers: ObservationTests.peers, Tele.wire)
    observations.delivered(try haptic(1.9e-05), from: "a", over: .udp, at: .zero)
    let off = #"{"is": "motor", "intensity": 0.000}"#
    #expect(observations.events(printed: off.utf8) == [.hapticApplied(1.9e-05)])
    _ = observations.events(printed: #"{"is": "down"}"#.utf8)
    #expect(observations.events(printed: off.utf8) == [.hapticApplied(0)])
  }

  @Test(
    "A text rule reads NaN and infinities in the forms that programs print",
    arguments: [
      ("nan", Float.nan), ("NaN", .nan), ("-nan", .nan), ("NAN", .nan), ("inf", .infinity), ("-inf", -.infinity),
      ("+Inf", .infinity), ("Infinity", .infinity), ("-Infinity", -.infinity), ("1e-3", 0.001),
    ])
  func notFinite(printed: String, value: Float) throws {
    var rule = EventRule(.pose)
    rule.pattern = try LinePattern(#"^pose #(?<seq>\d+) (?<x>\S+)$"#)
    var observations = EventDecoder(rules: [rule], peers: ObservationTests.peers, Tele.wire)
    observations.delivered(try pose(7, x: 0.5, set: value), from: "a", over: .udp, at: .zero)
    guard let shown = observations.events(printed: "pose #7 \(printed)".utf8).first?.appliedPose else {
      Issue.record("it is no pose: \(observations.mapping.notices)")
      return
    }
    #expect(shown.position.x.bitPattern == value.bitPattern || (shown.position.x.isNaN && value.isNaN))
    #expect(observations.mapping.rules[0].unread.count == 0)
  }

  @Test("A pose without seq is matched by its values, and gets its other fields from the sent one")
  func recognised() throws {
    let rule = EventRule(
      .pose, when: [.init(["e"], ["moved"])],
      fields: ["x": FieldSource(path: ["mm", "0"], times: 0.001), "y": FieldSource(path: ["mm", "1"], times: 0.001)])
    var observations = EventDecoder(rules: [rule], peers: ObservationTests.peers, Tele.wire)
    for seq in UInt16(1)...5 {
      observations.delivered(try pose(seq, x: Float(seq) / 10), from: "a", over: .udp, at: .zero)
    }
    let events = observations.events(printed: #"{"e": "moved", "mm": [300.00001, 250]}"#.utf8)
    let sent = PoseSample(seq: 3, timestampMicroseconds: 3_000, position: SIMD3<Float>(0.3, 0.25, -1))
    let expected = [PeerEvent.poseApplied(sent)]
    #expect(events == expected)
    let unknown = observations.events(printed: #"{"e": "other", "mm": [300, 250]}"#.utf8)
    let unsent = observations.events(printed: #"{"e": "moved", "mm": [999, 250]}"#.utf8)
    #expect(unknown.isEmpty)
    // It was never sent: it is passed on as it was shown, as if it were the newest.
    let stranger = PoseSample(seq: 5, timestampMicroseconds: 5_000, position: SIMD3<Float>(0.999, 0.25, -1))
    #expect(unsent == [.poseApplied(stranger)])
    #expect(observations.mapping.rules[0].unmatchedValues.count == 1)
  }

  @Test("Half a pose on one connection does not begin a pose on the next")
  func connections() throws {
    func frame(_ message: [UInt8]) -> [UInt8] { [UInt8(message.count), 0] + message }
    var observations = EventDecoder(rules: [EventRule(.pose)], peers: ObservationTests.peers, Tele.wire)
    var log = RunLog(shows: [])
    let half = Array(frame(try pose(6, x: 0.25)).prefix(20))
    log.note(.delivered(half, packet: 1, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    log.note(.opened("a"), at: .zero)
    log.note(.delivered(frame(try pose(7, x: 0.5)), packet: 2, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    for message in DecodedLog(log, Tele.wire).delivered { observations.delivered(message) }
    let events = observations.events(printed: #"{"seq": 7}"#.utf8)
    guard let shown = events.first?.appliedPose else {
      Issue.record("it is no pose: \(events)")
      return
    }
    #expect(shown.position == SIMD3<Float>(0.5, 0.25, -1))
  }

  @Test("A pose that is shown with other values than were sent is passed on as it was shown")
  func half() throws {
    var observations = EventDecoder(rules: [EventRule(.pose)], peers: ObservationTests.peers, Tele.wire)
    observations.delivered(try pose(7, x: 0.5), from: "a", over: .udp, at: .zero)
    let events = observations.events(printed: #"{"seq": 7, "x": 0.75}"#.utf8)
    guard let shown = events.first?.appliedPose else {
      Issue.record("no pose")
      return
    }
    let expected = SIMD3<Float>(0.75, 0.25, -1)
    #expect(shown.seq == 7)
    #expect(shown.position == expected)
  }

  @Test("Commands by words, a strength in 255 steps, single buttons and a client by its port are read")
  func others() throws {
    let rules = [
      EventRule(
        .command, when: [.init(["b"], ["record"])],
        fields: [
          "cmd_type": FieldSource(path: ["b"], words: ["record": .number(1)]), "value": FieldSource(path: ["on"]),
        ]),
      EventRule(
        .strength, when: [.init(["e"], ["motor"])], fields: ["intensity": FieldSource(path: ["v"], times: 1 / 255)]),
      EventRule(.buttons, when: [.init(["e"], ["mouse"])]),
      EventRule(.sessionOpened, when: [.init(["e"], ["client"])], fields: ["port": FieldSource(path: ["from", "1"])]),
    ]
    var observations = EventDecoder(rules: rules, peers: ObservationTests.peers, Tele.wire)
    observations.delivered(try Message.hello(sessionID: 9, code: "ABC123").bytes, from: "a", over: .udp, at: .zero)
    let printed = [
      #"{"b": "record", "on": true}"#, #"{"b": "record", "on": true}"#, #"{"e": "motor", "v": 255}"#,
      #"{"e": "mouse", "left": true, "right": false, "middle": true}"#,
      #"{"e": "client", "from": ["127.0.0.1", 4002]}"#,
    ]
    var events: [PeerEvent] = []
    for text in printed { events += observations.events(printed: text.utf8) }
    let expected: [PeerEvent] = [
      .command(type: 1, value: 1, changed: true), .command(type: 1, value: 1, changed: false), .hapticApplied(1),
      .buttons(5), .sessionOpened(Endpoint(.loopback, port: 4_002), sessionID: 9),
    ]
    #expect(events == expected)
  }

  @Test("The output of our own peers is read unchanged", arguments: ownEvents)
  func own(event: PeerEvent) throws {
    let kinds: [String: EventRule.Kind] = [
      "pose-applied": .pose, "cmd": .command, "haptic-applied": .strength, "haptic-impact": .impact,
      "pointer": .pointer, "buttons": .buttons, "session-opened": .sessionOpened, "session-closed": .sessionClosed,
      "scroll": .scroll, "refused": .refused, "clamped": .clamped,
    ]
    let kind = try #require(kinds[event.name])
    var observations = EventDecoder(
      rules: [EventRule(kind, when: [.init(["event"], [event.name])])], peers: ObservationTests.peers, Tele.wire)
    let read = observations.events(printed: event.jsonLine(at: .zero).utf8)
    // NaN is not equal to itself: the text is.
    #expect(read.map { $0.jsonLine(at: .zero) } == [event.jsonLine(at: .zero)])
  }
}

extension EventDecoder {
  /// A message of TELE reached the system, whole.
  mutating func delivered(_ bytes: [UInt8], from peer: PeerName, over carrier: Carrier, at time: Timestamp) {
    var log = RunLog(shows: [])
    log.note(.delivered(bytes, packet: 1, from: peer, over: carrier, sentAt: time), at: time)
    for message in DecodedLog(log, Tele.wire).delivered { delivered(message) }
  }
}
