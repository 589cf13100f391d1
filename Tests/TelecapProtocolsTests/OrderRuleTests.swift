import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("The rule of an order decides which message is newer") struct OrderRuleTests {
  /// A protocol like E1.31: a source numbers its frames with eight bits.
  private static func text(_ order: String) -> String {
    """
    protocol: lights
    carriers:
      - {name: udp, over: udp, port: 5568}
    header:
      - {name: magic, type: u16, equals: 0x4c31, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: LEVELS, type: 1, from: client, fields: [{name: number, type: u8}, {name: level, type: u16}]}
    streams:
      - {name: levels, message: LEVELS, order: \(order), values: [level]}
    """
  }

  /// The rule of WLED.
  private static let restarting = "{field: number, rule: greater, restarts: {from: 250, to: 20}, duplicates: applied}"

  private static func read(_ order: String) throws -> WireProtocol {
    try ProtocolFile.read(text(order), file: "lights.yaml")
  }

  private static func order(_ text: String) throws -> NumberOrder {
    let owner = try read(text)
    return try #require(owner["LEVELS"]?.numbering?.numbers)
  }

  // MARK: - Numbers

  @Test("A number that is older by less than the window is stale, also across 0")
  func window() throws {
    let order = try Self.order("{field: number, rule: {window: 20}}")
    #expect(!order.isNewer(100, than: 100) && !order.isNewer(99, than: 100) && !order.isNewer(81, than: 100))
    #expect(order.isNewer(80, than: 100) && order.isNewer(101, than: 100) && order.isNewer(228, than: 100))
    #expect(!order.isNewer(255, than: 0) && !order.isNewer(242, than: 5) && order.isNewer(241, than: 5))
    let plain = try Self.order("{field: number, rule: {window: 20, wraps: false}}")
    #expect(plain.isNewer(255, than: 0) && plain.isNewer(242, than: 5) && !plain.isNewer(0, than: 19))
    #expect(plain.isNewer(0, than: 20))
  }

  @Test("Serial arithmetic needs two bits; without an order one bit is enough")
  func oneBit() throws {
    func read(_ bits: Int, _ order: String) throws {
      let fields = "{name: number, type: bits \(bits)}, {name: rest, type: bits \(8 - bits)}"
      let text = Self.text(order).replacing("{name: number, type: u8}", with: fields)
      _ = try ProtocolFile.read(text, file: "lights.yaml")
    }
    for order in ["number", "{field: number}", "{field: number, rule: serial, unused: 0}"] {
      let error = #expect(throws: YAMLFileError.self) { try read(1, order) }
      #expect(error?.description.contains("10:44: one bit does not show") == true, "\(error.debugDescription)")
      try read(2, order)
    }
    try read(1, "{field: number, rule: none}")
  }

  @Test("Of all pairs of eight bits the rules differ in as many as the real receivers do")
  func pairs() throws {
    let orders = try [
      "{field: number, rule: {window: 20}}", "{field: number, rule: {window: 20, wraps: false}}", "number",
      Self.restarting,
    ].map(Self.order)
    func differences(_ one: NumberOrder, _ other: NumberOrder) -> Int {
      (0...255).reduce(0) { sum, old in
        sum + (0...255).count { one.isNewer($0, than: old) != other.isNewer($0, than: old) }
      }
    }
    #expect(differences(orders[0], orders[1]) == 190)
    #expect(differences(orders[0], orders[2]) == 27_904)
    #expect(differences(orders[0], orders[3]) == 22_904)
  }

  @Test("Only a greater number is newer, at any distance")
  func greater() throws {
    let order = try Self.order("{field: number, rule: greater}")
    #expect(order.isNewer(255, than: 0) && order.isNewer(1, than: 0))
    #expect(!order.isNewer(0, than: 255) && !order.isNewer(7, than: 7))
  }

  @Test("A smaller number is newer only near a restart: after 250 or more, or if it is 20 or less")
  func restarts() throws {
    let order = try Self.order(Self.restarting)
    #expect(order.isNewer(101, than: 100) && order.isNewer(255, than: 0))
    #expect(!order.isNewer(99, than: 100) && !order.isNewer(21, than: 249) && !order.isNewer(21, than: 22))
    #expect(order.isNewer(20, than: 249) && order.isNewer(20, than: 21) && order.isNewer(0, than: 1))
    #expect(order.isNewer(249, than: 250) && order.isNewer(21, than: 250) && order.isNewer(0, than: 255))
    #expect(order.isNewer(7, than: 7))
    let once = try Self.order("{field: number, rule: greater, restarts: {from: 250, to: 20}}")
    #expect(!once.isNewer(7, than: 7) && !once.isNewer(255, than: 255) && once.isNewer(6, than: 7))
  }

  @Test("Counting skips the unused number, and a message with it is applied", arguments: [UInt64(0), 7, 255])
  func unused(_ unused: UInt64) throws {
    let order = try Self.order("{field: number, unused: \(unused)}")
    let (before, after) = ((unused &- 1) & 255, (unused + 1) & 255)
    #expect(order.number(1, after: before) == after && order.number(1, before: after) == before)
    #expect(order.number(255, after: 100) == 100 && order.number(254, before: 100) == order.number(1, after: 100))
    #expect(order.isNewer(unused, than: 200) && order.isNewer(200, than: unused))
    // 255 numbers: 127 are ahead, and as many are older.
    #expect((0...255).count { $0 != unused && order.isNewer($0, than: 100) } == 127)
    var numbers: Set<UInt64> = []
    for count in 1...255 { numbers.insert(order.number(UInt64(count))) }
    #expect(numbers.count == 255 && !numbers.contains(unused))
  }

  @Test("A duplicate is newer if the rule applies duplicates")
  func duplicates() throws {
    let order = try Self.order("{field: number, rule: {window: 20}, duplicates: applied}")
    #expect(order.isNewer(9, than: 9) && !order.isNewer(8, than: 9))
  }

  @Test("Numbers of 64 bits are compared and counted without a trap")
  func wide() {
    for rule in [OrderRule(), OrderRule(unused: 0), OrderRule(.greater), OrderRule(.window(size: 20, wraps: true))] {
      let order = NumberOrder(rule, bits: 64)
      #expect(order.isNewer(.max, than: .max - 1))
      #expect(!order.isNewer(.max - 1, than: .max))
      #expect(order.number(1, after: .max) == (rule.unused == 0 ? 1 : 0))
      #expect(order.isNewer(1, than: .max) == (rule.comparison != .greater))
    }
  }

  // MARK: - Gaps

  private static func arrivals(_ order: String, _ numbers: [UInt64]) throws -> [SequenceTracker.Arrival] {
    var tracker = SequenceTracker(try Self.order(order))
    return numbers.map { tracker.receive($0) }
  }

  @Test("Gaps follow the rule: a restart, the unused number and a message without one are none")
  func gaps() throws {
    #expect(
      try Self.arrivals("{field: number, rule: {window: 20}}", [100, 81, 80, 81, 83])
        == [.next, .late, .next, .next, .gap(missing: 1)])
    #expect(
      try Self.arrivals("{field: number, unused: 0}", [253, 255, 0, 1, 0, 3])
        == [.next, .gap(missing: 1), .next, .next, .next, .gap(missing: 1)])
    #expect(
      try Self.arrivals("{field: number, rule: greater}", [1, 200, 2, 200])
        == [.next, .gap(missing: 198), .late, .duplicate])
    let restarting = "{field: number, rule: greater, restarts: {from: 250, to: 20}}"
    #expect(try Self.arrivals(restarting, [251, 200, 202, 100]) == [.next, .next, .gap(missing: 1), .late])
    #expect(
      try Self.arrivals(restarting, [100, 99, 20, 22, 22]) == [.next, .late, .next, .gap(missing: 1), .duplicate])
    #expect(try Self.arrivals(restarting, [254, 255, 0, 1]) == [.next, .next, .next, .next])
    #expect(try Self.arrivals("{field: number, rule: none}", [1, 3, 3]) == [.next, .gap(missing: 1), .duplicate])
  }

  @Test("The findings of a conversation follow the rule")
  func findings() throws {
    func found(_ order: String, _ numbers: [UInt64]) throws -> [String] {
      let kind = try #require(try Self.read(order)["LEVELS"])
      var tracker = SessionTracker()
      var findings: [Finding] = []
      let flow = Flow(.udp, from: Endpoint(.loopback, port: 9), to: Endpoint(.loopback, port: 5_568))
      for (index, number) in numbers.enumerated() {
        let bytes = try Message(kind, fields: ["number": .unsigned(number)]).bytes
        let datagram = Datagram(packet: index + 1, time: Timestamp(nanoseconds: Int64(index)), flow: flow)
        _ = tracker.receive(
          kind, bytes.span.bytes, in: datagram, going: .clientToServer, isValid: true, findings: &findings)
      }
      return findings.map(\.rule.id)
    }
    #expect(try found("{field: number, rule: {window: 20}}", [100, 80, 81, 81, 90]) == ["seq.duplicate", "seq.gap"])
    #expect(try found("number", [100, 80, 81, 101]) == ["seq.reordered", "seq.reordered"])
    #expect(try found("{field: number, unused: 0}", [254, 255, 1, 0, 0, 2]) == [])
    #expect(try found("{field: number, rule: greater}", [254, 255, 0, 1]) == ["seq.reordered", "seq.reordered"])
  }

  @Test("A sender that ends early counts on by the rule, and adds no number where it had none")
  func teardown() throws {
    func owed(_ order: String, _ numbers: [UInt64]) throws -> FieldValue? {
      let text = Self.text(order).replacing("values: [level]}", with: "values: [level], neutral: {level: 0}}")
      let owner = try ProtocolFile.read(text, file: "lights.yaml")
      var teardown = Teardown(owner.dialect("udp"), over: .udp)
      for number in numbers {
        let fields: [String: FieldValue] = ["number": .unsigned(number), "level": .unsigned(5)]
        let bytes = try Message(try #require(owner["LEVELS"]), fields: fields).bytes
        teardown.sent(bytes.span.bytes)
      }
      return teardown.owed().first?.value(of: "number")
    }
    #expect(try owed("number", [255]) == .unsigned(0))
    #expect(try owed("{field: number, unused: 0}", [255]) == .unsigned(1))
    #expect(try owed("{field: number, unused: 0}", [0]) == .unsigned(0))
    // 80 is a new count for a window of 20, and stale otherwise.
    #expect(try owed("{field: number, rule: {window: 20}}", [100, 80]) == .unsigned(81))
    #expect(try owed("number", [100, 80]) == .unsigned(101))
  }

  // MARK: - Receivers

  private static let rules = [
    "number", "{field: number, rule: {window: 20}}", "{field: number, rule: {window: 20, wraps: false}}",
    "{field: number, rule: greater}", "{field: number, rule: {window: 20}, duplicates: applied}",
    "{field: number, rule: {window: 20}, unused: 0}", restarting,
  ]

  /// The requirements that a correct receiver by one rule does not keep where another one is declared.
  ///
  /// - Parameter only: the one scenario that counts; all unless given.
  private static func failed(
    _ system: String, by rule: String, under declared: String, only: String? = nil
  ) async throws -> Set<String> {
    let own = Suite.declared(by: try read(rule))
    let suite = Suite.declared(by: try read(declared))
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([own]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) && (only ?? $0.id) == $0.id }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    #expect(!results.isEmpty)
    return Set(results.filter { $0.verdict != .pass }.map(\.scenario.requirement.id))
  }

  @Test("A receiver passes under its own rule only", arguments: rules)
  func receivers(_ rule: String) async throws {
    for declared in Self.rules {
      let failed = try await Self.failed("lights-host", by: rule, under: declared)
      #expect(failed.isEmpty == (rule == declared), "by \(rule), declared \(declared): \(failed)")
      // A mutation may change the number.
      let expected = ["latest-value-wins", "duplicate"].map { "lights.levels.\($0)" } + ["lights.robust.mutations"]
      #expect(failed.isSubset(of: expected), "by \(rule), declared \(declared)")
    }
  }

  @Test(
    "If the order of arrival counts, a receiver with any other rule fails by what it drops",
    arguments: rules)
  func arrival(_ rule: String) async throws {
    let none = "{field: number, rule: none}"
    #expect(try await Self.failed("lights-host", by: none, under: none).isEmpty)
    let id = "lights.levels.latest-value-wins"
    #expect(try await Self.failed("lights-host", by: rule, under: none, only: id).isEmpty)
    #expect(try await Self.failed("lights-host", by: rule, under: none, only: "\(id).late") == [id])
  }

  @Test("A sender that skips the unused number passes")
  func unusedOfSender() async throws {
    let rule = "{field: number, unused: 0}"
    #expect(try await Self.failed("lights-client", by: rule, under: rule).isEmpty)
  }

  @Test(
    "Each receiver that is wrong at one limit of its rule fails",
    arguments: [
      ("{field: number, rule: {window: 20}}", "wide-window"), ("{field: number, rule: {window: 20}}", "narrow-window"),
      ("{field: number, rule: {window: 20}}", "ignores-window"), ("{field: number, rule: {window: 20}}", "wrap-is-old"),
      ("{field: number, rule: {window: 20}}", "order-of-arrival"),
      ("{field: number, rule: {window: 20}}", "applies-duplicates"),
      ("{field: number, rule: {window: 20}, duplicates: applied}", "drops-duplicates"),
      ("{field: number, rule: greater}", "wrap-is-newer"), ("{field: number, unused: 0}", "counts-unused"),
      ("number", "wrap-is-old"), (restarting, "wrap-is-old"), (restarting, "order-of-arrival"),
      (restarting, "drops-duplicates"),
    ])
  func mutants(_ rule: String, _ fault: String) async throws {
    #expect(try await !Self.failed("lights-host+\(fault)", by: rule, under: rule).isEmpty)
  }

  // MARK: - Files

  @Test(
    "An impossible rule is an error with its line and column",
    arguments: [
      ("{field: number, rule: {window: 0}}", "a window of numbers of 8 bits has 1 to 128"),
      ("{field: number, rule: {window: 129}}", "a window of numbers of 8 bits has 1 to 128"),
      ("{field: number, unused: 256}", "\"number\" is uint8: expected a number from 0 to 255"),
      (
        "{field: number, rule: none, duplicates: applied}",
        "with \"rule: none\" every message is applied as it comes: leave out \"duplicates\""
      ),
      (
        "{field: number, restarts: {from: 250, to: 20}}", "\"restarts\" requires \"rule: greater\""
      ),
      (
        "{field: number, rule: greater, restarts: {from: 20, to: 20}}",
        "numbers of 8 bits restart from one of 1 to 255 to a smaller one: {from: 255, to: 0}"
      ),
      (
        "{field: number, rule: greater, restarts: {from: 256, to: 20}}",
        "numbers of 8 bits restart from one of 1 to 255 to a smaller one: {from: 255, to: 0}"
      ),
      (
        "{field: number, rule: newest}",
        "\"rule\": expected one of serial, greater, none, or a mapping (rule), found \"newest\"; for example rule: {window: 20}"
      ),
      (
        "{field: number, rule: greater}, merge: sum",
        "a stream with \"merge: sum\" counts each number once: it has \"rule: serial\" or \"rule: none\", and no \"unused\" or \"duplicates\""
      ),
    ])
  func refused(_ order: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) { try Self.read(order) }
    #expect(error?.problem == problem)
    #expect(error?.line == 10)
  }

  @Test(
    "The right receiver passes with the largest windows and numbers of every width",
    arguments: [24, 64])
  func widths(_ bits: Int) async throws {
    // A file has whole numbers of 63 bits here.
    let half = min(UInt64(1) << UInt64(bits - 1), UInt64(Int64.max))
    let last = min(UInt64.max >> UInt64(64 - bits), UInt64(Int64.max))
    for rule in ["rule: {window: \(half)}", "rule: greater", "unused: \(last)", "rule: {window: 1}"] {
      let text = Self.text("{field: number, \(rule)}").replacing(
        "name: number, type: u8", with: "name: number, type: u\(bits)")
      let suite = Suite.declared(by: try ProtocolFile.read(text, file: "lights.yaml"))
      for system in ["lights-host", "lights-client"] {
        let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
        let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
        let results = try await SuiteRunner(model).run(scenarios).scenarios
        #expect(!results.isEmpty && results.allSatisfy { $0.verdict == .pass }, "\(system), \(rule)")
      }
    }
  }

  @Test("The right receiver does not fail with numbers of one to three bits", arguments: 1...3)
  func narrow(_ bits: Int) async throws {
    for rule in ["greater", "greater, restarts: {from: 1, to: 0}", "none", "{window: 1}"] {
      let text = Self.text("{field: number, rule: \(rule)}").replacing(
        "{name: number, type: u8}", with: "{name: number, type: bits \(bits)}, {name: rest, type: bits \(8 - bits)}")
      let suite = Suite.declared(by: try ProtocolFile.read(text, file: "lights.yaml"))
      let model = try ModelSystem(parsing: "model:lights-host", in: Suites([suite]))
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      #expect(!results.isEmpty && !results.contains { ![.pass, .inconclusive].contains($0.verdict) }, "\(rule)")
    }
  }

  @Test("The greatest window and the greatest unused number are accepted")
  func greatest() throws {
    #expect(try Self.order("{field: number, rule: {window: 128}}").rule.comparison == .window(size: 128, wraps: true))
    #expect(try Self.order("{field: number, unused: 255}").rule.unused == 255)
    #expect(
      try Self.order("{field: number, rule: greater, restarts: {from: 255, to: 254}}").rule.comparison
        == .restarting(from: 255, to: 254))
    #expect(
      try Self.order("{field: number, rule: greater, restarts: {from: 1, to: 0}}").rule.comparison
        == .restarting(from: 1, to: 0))
    #expect(try Self.order("{field: number}") == Self.order("number"))
    #expect(try Self.order("{field: number, rule: serial, duplicates: dropped}") == Self.order("number"))
  }
}
