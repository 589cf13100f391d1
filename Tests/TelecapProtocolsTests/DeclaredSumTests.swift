import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@testable import TelecapConformance

/// Streams whose values add up, and streams of events, as a file declares them.
@Suite("The suite of declared sums and events") struct DeclaredSumTests {
  /// A pointer on a small screen, a gain that no border stops, a numbered wheel, numbered keys and taps.
  static let text = """
    protocol: desk
    title: A desk
    source: nowhere
    carriers:
      - {name: udp, over: udp, port: 4000}
    header:
      - {name: magic, type: u16, equals: 0x6b64, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: MOVE, type: 1, from: client, fields: [{name: dx, type: i8}, {name: dy, type: i8}]}
      - {name: GAIN, type: 2, from: client, fields: [{name: channel, type: u8}, {name: change, type: f32}]}
      - {name: WHEEL, type: 3, from: client, fields: [{name: number, type: u8}, {name: clicks, type: i16}]}
      - {name: KEY, type: 4, from: client, fields: [{name: number, type: u16}, {name: code, type: u8}]}
      - {name: TAP, type: 5, from: client, fields: [{name: strength, type: u8}]}
    streams:
      - {name: pointer, message: MOVE, values: [dx, dy], merge: sum, range: [0, 500]}
      - {name: gain, message: GAIN, key: [channel], values: [change], merge: sum}
      - {name: wheel, message: WHEEL, order: number, values: [clicks], merge: sum}
      - {name: key, message: KEY, order: number, values: [code], merge: event}
      - {name: tap, message: TAP, values: [strength], merge: event}
    """

  private let owner: WireProtocol
  private let suite: Suite

  init() throws {
    owner = try ProtocolFile.read(DeclaredSumTests.text, file: "desk.yaml")
    suite = Suite.declared(by: owner)
  }

  private func results(_ system: String) async throws -> [ScenarioResult] {
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    return try await SuiteRunner(model).run(scenarios).scenarios
  }

  @Test("Each stream has its requirements, and each requirement a scenario")
  func requirements() {
    let ids = Set(suite.requirements.map(\.id)).filter {
      ![".header.", ".robust.", ".sender-", ".client."].contains(where: $0.contains)
    }
    #expect(
      ids == [
        "desk.pointer.sum", "desk.gain.sum", "desk.gain.finite", "desk.wheel.sum", "desk.wheel.duplicate",
        "desk.key.once",
        "desk.key.duplicate", "desk.key.values", "desk.tap.once",
      ])
    #expect(Set(suite.scenarios.map(\.requirement.id)) == Set(suite.requirements.map(\.id)))
    #expect(
      suite.requirements.first { $0.id == "desk.pointer.sum" }?.sentence
        == "The applied value is the sum of every MOVE received, clamped to 0.0…500.0 after each.")
  }

  @Test("The right host passes") func right() async throws {
    let results = try await results("desk-host")
    #expect(!results.isEmpty && results.allSatisfy { $0.verdict == .pass })
  }

  @Test(
    "Each wrong host fails just the requirements of its fault",
    arguments: [
      ("replaces-sum", ["desk.pointer.sum", "desk.gain.sum", "desk.wheel.sum"]),
      ("no-clamp", ["desk.pointer.sum"]),
      ("clamps-late", ["desk.pointer.sum"]),
      ("drops-late", ["desk.wheel.sum", "desk.key.once"]),
      ("applies-duplicates", ["desk.wheel.duplicate", "desk.key.duplicate"]),
      ("applies-not-finite", ["desk.gain.finite"]),
      ("drops-repeated", ["desk.tap.once"]),
      (
        "first-value-wins", ["desk.pointer.sum", "desk.gain.sum", "desk.wheel.sum", "desk.key.once", "desk.tap.once"]
      ),
      ("confuses-values", ["desk.pointer.sum"]),
    ])
  func wrong(fault: String, breaks: [String]) async throws {
    let failed = Set(
      try await results("desk-host+\(fault)").filter { $0.verdict == .fail }.map(\.scenario.requirement.id))
    #expect(failed.isSuperset(of: breaks), "\(Set(breaks).subtracting(failed))")
    // Headers, mutations and NaN are tried with messages of all streams.
    let streams = failed.filter { $0.hasSuffix(".sum") || $0.hasSuffix(".once") || $0.hasSuffix(".duplicate") }
    let own = Set(breaks.compactMap { $0.split(separator: ".").dropFirst().first })
    #expect(streams.allSatisfy { own.contains($0.split(separator: ".")[1]) }, "\(streams)")
  }

  @Test("A sum without values, or with silence, is an error")
  func refusals() {
    func problem(_ stream: String) -> String? {
      let lines = String(Self.text[..<(Self.text.firstRange(of: "streams:")?.lowerBound ?? Self.text.endIndex)])
      do throws(YAMLFileError) {
        _ = try ProtocolFile.read(lines + "streams:\n  - \(stream)", file: "desk.yaml")
        return nil
      } catch { return String(error.description.dropFirst("desk.yaml:".count)) }
    }
    #expect(problem("{name: pointer, message: MOVE, values: [dx], merge: sum}") == nil)
    #expect(problem("{name: tap, message: TAP, merge: event}") == nil)
    #expect(
      problem("{name: pointer, message: MOVE, merge: sum}")
        == "16:5: \"merge: sum\" adds up what \"values\" names")
    #expect(
      problem("{name: pointer, message: MOVE, values: [dx], merge: sum, silence: 2s}")
        == "16:71: \"silence\" resets a state to 0, and a stream with \"merge: sum\" has no state")
  }

  @Test(
    "A sum of any range is tested, however wide or narrow",
    arguments: ["[0, 0.5]", "[-1e308, 1e308]", "[-3, -2]", "[7, 7]", "[0, 1e-300]"])
  func ranges(_ range: String) async throws {
    let text = Self.text.replacing("merge: sum}", with: "merge: sum, range: \(range)}")
      .replacing("range: [0, 500]", with: "range: \(range)")
    let suite = Suite.declared(by: try ProtocolFile.read(text, file: "desk.yaml"))
    let model = try ModelSystem(parsing: "model:desk-host", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    for result in try await SuiteRunner(model).run(scenarios).scenarios {
      #expect(result.verdict == .pass, "\(result.scenario.id)")
    }
  }

  @Test("The learner recognises a sum by its differences, from any start")
  func learned() throws {
    let stream = try #require(JudgedStream(declared: owner.streams[0], by: owner))
    var log = RunLog(shows: [.tellings], settle: 0)
    var lines: [SeenLine] = []
    var sum = [100.0, 200]
    for (index, bytes) in stream.learningMessages.enumerated() {
      let time = Timestamp(nanoseconds: Int64(index + 1) * 60_000_000)
      log.entries.append(
        RunLog.Entry(time, .delivered(bytes, packet: index + 1, from: "a", over: .udp, sentAt: time)))
      let values = stream.value(in: bytes.span.bytes, 0).values
      for place in sum.indices { sum[place] += values[place] }
      lines.append(SeenLine("{\"at\":[\(Int(sum[0])),\(Int(sum[1]))]}", at: time.nanoseconds + 5_000_000))
    }
    log.end = Timestamp(nanoseconds: 2_000_000_000)
    let occasions = ExpectedEvents.of(log, part: Part(Role(owner, .host)), streams: [stream], kinds: [])
    let learned = Learner.learn(LearningLog(occasions: occasions, lines: lines))
    #expect(
      learned.rules.map(\.rule.fields) == [
        ["dx": FieldSource(path: ["at", "0"]), "dy": FieldSource(path: ["at", "1"])]
      ])
  }

  // MARK: - The oracle, fed by hand

  /// The verdict on a run in which these messages are delivered, 100 ms apart, and these values are shown 10 ms after
  /// them.
  private func verdict(
    _ requirement: String, _ steps: [(message: String, fields: [String: Int64], shown: [[Double]])],
    before: [Double]? = nil
  ) throws -> Verdict {
    var log = RunLog(shows: [.tellings], settle: 50_000_000)
    func show(_ values: [Double], of message: String, number: Int64?, at time: Timestamp) {
      let names = ["MOVE": "pointer", "WHEEL": "wheel", "KEY": "key", "TAP": "tap"]
      let number = message == "KEY" ? number.map { UInt64($0) } : nil
      let value = AppliedValue(stream: names[message] ?? "", key: [], number: number, values: StreamValues(values))
      log.entries.append(RunLog.Entry(time, .event(.applied(value))))
    }
    if let before { show(before, of: steps[0].message, number: nil, at: .zero) }
    for (index, step) in steps.enumerated() {
      let time = Timestamp(nanoseconds: Int64(index + 1) * 100_000_000)
      let kind = try #require(owner[step.message])
      var message = Message.right(kind)
      for (name, value) in step.fields {
        message.put(bits: UInt64(bitPattern: value), try #require(kind.layout[name]))
      }
      log.entries.append(
        RunLog.Entry(time, .delivered(message.bytes, packet: index + 1, from: "a", over: .udp, sentAt: time)))
      for values in step.shown {
        show(values, of: step.message, number: step.fields["number"], at: time.advanced(byNanoseconds: 10_000_000))
      }
    }
    log.end = Timestamp(nanoseconds: Int64(steps.count + 2) * 100_000_000)
    let judging = try #require(suite.models.first { "\($0.part)" == "desk-host" }).judging
    return judging.read(DecodedLog(log, owner)).oracle.checks[requirement]?.verdict ?? .inconclusive
  }

  private func moves(_ steps: [(Int64, Int64, Double, Double)], before: [Double]? = nil) throws -> Verdict {
    try verdict(
      "desk.pointer.sum", steps.map { ("MOVE", ["dx": $0.0, "dy": $0.1], [[$0.2, $0.3]]) }, before: before)
  }

  @Test("A sum starts where it was shown before the first message, or where later values imply")
  func start() throws {
    #expect(try moves([(5, 7, 5, 7), (1, -2, 6, 5)]) == .pass)
    #expect(try moves([(5, 7, 105, 27), (1, -2, 106, 25), (3, 3, 109, 28)]) == .pass)
    #expect(try moves([(5, 7, 105, 27), (1, -2, 106, 25)], before: [100, 20]) == .pass)
    #expect(try moves([(5, 7, 105, 27), (1, -2, 106, 25)], before: [100, 19]) == .fail)
    // One step is missing, wherever it began.
    #expect(try moves([(5, 7, 105, 27), (1, -2, 105, 27), (3, 3, 108, 30), (1, 1, 109, 31)]) == .fail)
  }

  @Test("The part of a movement beyond a border does not count on the way back")
  func border() throws {
    #expect(try moves([(100, 0, 500, 3), (-1, 0, 499, 3), (-9, 0, 490, 3)], before: [450, 3]) == .pass)
    #expect(try moves([(100, 0, 500, 3), (-1, 0, 500, 3), (-9, 0, 500, 3)], before: [450, 3]) == .fail)
    #expect(try moves([(100, 0, 501, 3)], before: [450, 3]) == .fail)
    #expect(try moves([(-100, 0, 0, 3), (1, 0, 1, 3)], before: [50, 3]) == .pass)
  }

  @Test("A repeated number adds nothing, also across the largest number")
  func numbers() throws {
    func wheel(_ steps: [(Int64, Int64, Double)]) throws -> Verdict {
      try verdict("desk.wheel.sum", steps.map { ("WHEEL", ["number": $0.0, "clicks": $0.1], [[$0.2]]) }, before: [0])
    }
    #expect(try wheel([(254, 1, 1), (255, 2, 3), (0, 4, 7), (255, 2, 7), (1, -8, -1)]) == .pass)
    #expect(try wheel([(254, 1, 1), (255, 2, 3), (255, 2, 5)]) == .fail)
    // A late one counts.
    #expect(try wheel([(5, 1, 1), (3, 2, 3)]) == .pass)
    #expect(try wheel([(5, 1, 1), (3, 2, 1)]) == .fail)
  }

  @Test("Each event must be shown exactly once")
  func events() throws {
    func taps(_ shown: [[Double]]) throws -> Verdict {
      try verdict("desk.tap.once", zip([7, 7, 9] as [Int64], shown).map { ("TAP", ["strength": $0], $1.map { [$0] }) })
    }
    #expect(try taps([[7], [7], [9]]) == .pass)
    #expect(try taps([[7], [], [9]]) == .fail)
    #expect(try taps([[7], [7, 7], [9]]) == .fail)
    #expect(try taps([[7], [7], [8]]) == .fail)
  }

  @Test("An event with a number may be repeated on the wire, and must be shown once")
  func numberedEvents() throws {
    func keys(_ requirement: String, _ steps: [(Int64, Int64, [Double])]) throws -> Verdict {
      try verdict(requirement, steps.map { ("KEY", ["number": $0.0, "code": $0.1], $0.2.map { [$0] }) })
    }
    let right: [(Int64, Int64, [Double])] = [(1, 30, [30]), (2, 31, [31]), (1, 30, []), (3, 30, [30])]
    for id in ["once", "duplicate", "values"] { #expect(try keys("desk.key.\(id)", right) == .pass, "\(id)") }
    #expect(try keys("desk.key.duplicate", [(1, 30, [30]), (1, 30, [30])]) == .fail)
    #expect(try keys("desk.key.once", [(1, 30, [30]), (2, 31, [])]) == .fail)
    #expect(try keys("desk.key.values", [(1, 30, [31])]) == .fail)
  }
}
