import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// One stream of numbers is distinguished from another by the kind of message and the whole key.
@Suite("Streams of numbers") struct StreamsOfNumbersTests {
  private static let text = """
    protocol: duo
    carriers: [{name: udp, over: udp, port: 4000}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - {name: INPUT, type: 1, from: client, fields: [{name: n, type: u16}]}
      - {name: AIM, type: 2, from: client, fields: [{name: n, type: u16}, {name: m, type: u32}, {name: x, type: u8}]}
      - name: KEYED
        type: 3
        from: client
        fields:
          - {name: n, type: u16}
          - {name: a, type: u64}
          - {name: b, type: u32}
          - {name: c, type: u8}
          - {name: d, type: u8}
          - {name: e, type: u8}
      - {name: ASK, type: 4, from: client}
      - {name: YES, type: 5, from: host}
    session: {asked-by: ASK, answered-by: [YES]}
    streams:
      - {name: value, message: AIM, values: [x]}
      - {name: input, message: INPUT, order: n}
      - {name: aim, message: AIM, order: n}
      - {name: again, message: AIM, order: n}
      - {name: acks, message: AIM, order: m}
      - {name: keyed, message: KEYED, order: n, key: [a, b, c, d, e]}
    """

  /// A client and a host; each line is one message.
  private struct Talk {
    let wire: WireProtocol
    var tracker = SessionTracker()

    init(_ text: String = StreamsOfNumbersTests.text) throws { wire = try ProtocolFile.read(text, file: "duo.yaml") }

    /// The findings on a message of the fields with these numbers.
    mutating func take(_ name: String, _ fields: [String: UInt64] = [:]) throws -> [Finding] {
      let kind = try #require(wire[name])
      let message = try Message(kind, fields: fields.mapValues { .unsigned($0) })
      let flow = Flow(.udp, from: Endpoint(.loopback, port: 9), to: Endpoint(.loopback, port: 4_000))
      let isHost = kind.layoutDirection == .serverToClient
      let datagram = Datagram(packet: 1, time: .zero, flow: isHost ? flow.reversed : flow)
      var findings: [Finding] = []
      _ = tracker.receive(
        kind, message.bytes.span.bytes, in: datagram, going: kind.layoutDirection, isValid: true, findings: &findings)
      return findings
    }
  }

  @Test("Streams of two messages are separate")
  func ofTwoMessagesDoNotMix() throws {
    var talk = try Talk()
    for step in 1...3 as ClosedRange<UInt64> {
      #expect(try talk.take("INPUT", ["n": step]) == [])
      #expect(try talk.take("AIM", ["n": 1_000 + step, "m": 70_000 + step]) == [])
    }
    #expect(try talk.take("INPUT", ["n": 5]).map(\.description) == ["seq 5 after 3: 1 missing"])
  }

  @Test("Both orders of one message are checked")
  func ofOneMessageThatIsInTwoOrdersAreBothLookedAt() throws {
    var talk = try Talk()
    _ = try talk.take("AIM", ["n": 1, "m": 1])
    let found = try talk.take("AIM", ["n": 1, "m": 3])
    #expect(
      found.map(\.description) == [
        "seq 1 came before; a receiver drops the duplicate", "seq 3 after 1: 1 missing",
      ])
    #expect(found.map(\.range) == [1..<3, 3..<7])
  }

  @Test(
    "Keys that differ in any bit of any field are separate",
    arguments: [
      ["a": 1 << 16], ["a": 1 << 48], ["a": 1 << 63], ["b": 1], ["b": 1 << 31], ["c": 1], ["d": 1], ["e": 1],
      ["d": 1, "b": 1 << 16],
    ] as [[String: UInt64]])
  func keys(_ key: [String: UInt64]) throws {
    var talk = try Talk()
    _ = try talk.take("KEYED", ["n": 1])
    #expect(try talk.take("KEYED", key.merging(["n": 500]) { $1 }) == [])
    #expect(try talk.take("KEYED", ["n": 2]) == [])
    #expect(try talk.take("KEYED", key.merging(["n": 502]) { $1 }).map(\.rule.id) == ["seq.gap"])
  }

  @Test("Of more than 256 keys the others are not followed, which is reported once")
  func ofMoreThan256KeysAreNotJudgedWhichIsSaidOnce() throws {
    var talk = try Talk()
    var found: [Finding] = []
    for round in 0..<3 as Range<UInt64> {
      for who in 0..<260 as Range<UInt64> { found += try talk.take("KEYED", ["n": 100 * who + round, "a": who]) }
      found += try talk.take("INPUT", ["n": round])
    }
    #expect(
      found.map(\.description) == [
        "KEYED has more than 256 streams here; gaps, duplicates and late arrivals of the others are not found"
      ])
    #expect(found.map(\.severity) == [.note])
    #expect(try talk.take("KEYED", ["n": 4, "a": 0]).map(\.rule) == [.seqGap])
  }

  @Test("Streams of a protocol without sessions are checked as well")
  func ofAProtocolWithoutSessionsAreLookedAtAsWell() throws {
    var talk = try Talk(Self.text.replacing("session: {asked-by: ASK, answered-by: [YES]}\n", with: ""))
    _ = try talk.take("INPUT", ["n": 1])
    #expect(try talk.take("INPUT", ["n": 3]).map(\.rule) == [.seqGap])
    _ = try talk.take("KEYED", ["n": 1, "a": 7])
    #expect(try talk.take("KEYED", ["n": 1, "a": 7]).map(\.rule) == [.seqDuplicate])
    #expect(talk.tracker.sessions.isEmpty)
  }

  @Test("Streams restart with a session, with room for new keys")
  func beginAfreshWithASessionWithRoomForNewKeys() throws {
    var talk = try Talk()
    for who in 0..<260 as Range<UInt64> { _ = try talk.take("KEYED", ["n": 9, "a": who]) }
    _ = try talk.take("ASK")
    _ = try talk.take("YES")
    #expect(try talk.take("KEYED", ["n": 1, "a": 300]) == [])
    #expect(try talk.take("KEYED", ["n": 3, "a": 300]).map(\.rule) == [.seqGap])
  }
}
