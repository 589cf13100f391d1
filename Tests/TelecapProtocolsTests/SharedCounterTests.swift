import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// A counter that all streams of a sender share leaves gaps in each of them that are no losses.
@Suite("Counters that streams share") struct SharedCounterTests {
  private static let text = """
    protocol: pads
    carriers: [{name: udp, over: udp, port: 4000}]
    header: [{name: kind, type: u8, is: type}, {name: n, type: u32}]
    messages:
      - {name: PAD, type: 1, from: host, fields: [{name: slot, type: u8}, {name: x, type: u8}]}
      - {name: LED, type: 2, from: host, fields: [{name: x, type: u8}]}
      - {name: TICK, type: 3, from: host, fields: [{name: small, type: u8}]}
    session: {opens: with-any-message}
    streams:
      - {name: pad, message: PAD, order: n, key: [slot], values: [x]}
      - {name: led, message: LED, order: n, values: [x]}
      - {name: tick, message: TICK, order: small}
    """

  /// The findings on messages of one sender, and the losses in the summary of its session.
  private static func watch(_ messages: [(name: String, fields: [String: UInt64])]) throws -> (
    rules: [String], lost: Int
  ) {
    let wire = try ProtocolFile.read(text, file: "pads.yaml")
    var tracker = SessionTracker()
    var findings: [Finding] = []
    var summary: SessionSummary?
    for (name, fields) in messages {
      let kind = try #require(wire[name])
      let message = try Message(kind, fields: fields.mapValues { .unsigned($0) })
      let flow = Flow(.udp, from: Endpoint(.loopback, port: 4_000), to: Endpoint(.loopback, port: 9))
      _ = tracker.receive(
        kind, message.bytes.span.bytes, in: Datagram(packet: 1, time: .zero, flow: flow), going: .serverToClient,
        isValid: true, findings: &findings)
      var entry = try summary ?? SessionSummary(session: #require(tracker.sessions.first))
      let key = kind.numbering?.key.compactMap { fields[$0.name] } ?? []
      entry.add(kind, .zero, number: fields[kind.numbering?.order.name ?? ""], key: key)
      summary = entry
    }
    return (findings.map(\.rule.id), summary?.streams.reduce(0) { $0 + $1.missing } ?? 0)
  }

  private static func pad(_ slot: UInt64, _ number: UInt64) -> (String, [String: UInt64]) {
    ("PAD", ["slot": slot, "n": number])
  }
  private static func led(_ number: UInt64) -> (String, [String: UInt64]) { ("LED", ["n": number]) }

  @Test("Two controllers with one counter lose nothing, which is reported once")
  func shared() throws {
    let (rules, lost) = try Self.watch((1...600).map { Self.pad($0 % 2, $0) })
    #expect(rules == ["seq.shared"] && lost == 0)
  }

  @Test("A number that no controller received is lost")
  func sharedLoss() throws {
    let (rules, lost) = try Self.watch((1...60).filter { $0 % 20 != 7 }.map { Self.pad($0 % 2, $0) })
    #expect(lost == 3 && rules.count { $0 == "seq.gap" } == 3)
  }

  @Test("A controller with its own counter has gaps, even if another got that number")
  func own() throws {
    let (rules, lost) = try Self.watch(
      (1...60).flatMap { number in [0, 1].filter { !(number == 30 && $0 == 1) }.map { Self.pad($0, number) } })
    #expect(rules == ["seq.gap"] && lost == 1)
    let far = try Self.watch(
      (1...60).flatMap { number in
        [(0, number), (1, 5_000 + number)].filter { $0 != (0, 30) && $0 != (1, 5_040) }.map { Self.pad($0.0, $0.1) }
      })
    #expect(far.rules == ["seq.gap", "seq.gap"] && far.lost == 2)
  }

  @Test("Two kinds of messages with one counter have no gap, unless neither got the number")
  func kinds() throws {
    let numbers = (1...90).map { $0 % 3 == 0 ? Self.led($0) : Self.pad(0, $0) }
    let right = try Self.watch(numbers)
    #expect(right.rules == ["seq.shared"] && right.lost == 0)
    let wrong = try Self.watch(numbers.filter { $0.1["n"] != 50 })
    #expect(wrong.lost == 1)
  }

  @Test("An 8-bit counter that was never 0 goes on with 1 after 255; else the missing 0 is a gap")
  func noZero() throws {
    func ticks(_ numbers: [UInt64]) throws -> ([String], Int) {
      let found = try Self.watch(numbers.map { ("TICK", ["small": $0]) })
      return (found.rules, found.lost)
    }
    #expect(try ticks(Array(250...255) + Array(1...255) + [1, 2]) == ([], 0))
    #expect(try ticks(Array(0...255) + [1, 2]) == (["seq.gap"], 1))
    #expect(try ticks([254, 255, 2]) == (["seq.gap"], 2))
  }

  @Test(
    "A number that is always 0 orders nothing; with another value before, duplicates are found")
  func onlyZero() throws {
    func found(_ numbers: [UInt64]) throws -> [String] {
      try Self.watch(numbers.map { ("TICK", ["small": $0]) }).rules
    }
    #expect(try found([0, 0, 0, 0, 0]) == [])
    // It begins to count.
    #expect(try found([0, 0, 0, 7, 8, 8]) == ["seq.duplicate"])
    #expect(try found([0, 1, 1]) == ["seq.duplicate"])
    #expect(try found([255, 0, 0]) == ["seq.duplicate"])
    #expect(try found([0, 3]) == ["seq.gap"])
    #expect(try found([7, 7]) == ["seq.duplicate"])
    // A wider number is 0 once.
    let wide = try Self.watch([0, 0].map { Self.led($0) })
    #expect(wide.rules == ["seq.duplicate"])
  }
}
