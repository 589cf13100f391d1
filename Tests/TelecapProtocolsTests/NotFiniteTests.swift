import TelecapConformance
import TelecapProtocols
import TelecapWire
import Testing

@Suite("NaN and ∞ in a stream") struct NotFiniteTests {
  /// How the messages are ordered: what arrived last, serial arithmetic, a window, and numbers that do not count.
  private static let orders = [
    "", "order: number, ", "order: {field: number, rule: {window: 20}}, ", "order: {field: number, rule: none}, ",
  ]

  private static func text(_ rules: String) -> String {
    """
    protocol: lights
    carriers:
      - {name: udp, over: udp, port: 5568}
    header:
      - {name: magic, type: u16, equals: 0x4c31, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: LEVELS, type: 1, from: client, fields: [{name: number, type: u8}, {name: level, type: f32}]}
    streams:
      - {name: levels, message: LEVELS, \(rules), values: [level]}
    """
  }

  private static func suites(_ rules: String) throws -> Suites {
    Suites([.declared(by: try ProtocolFile.read(text(rules), file: "lights.yaml"))])
  }

  /// NaN between two numbers, as one scenario.
  private static func scenario(_ requirement: String, in suites: Suites) throws -> Scenario {
    let text = """
      # NaN comes between two numbers.
      requirement: lights.levels.\(requirement)
      role: lights-host
      steps:
        - {at: 300ms, send: LEVELS, with: {number: 1, level: 0.5}}
        - {at: 500ms, send: LEVELS, with: {number: 2, level: .nan}}
        - {at: 700ms, send: LEVELS, with: {number: 3, level: 0.25}}
      """
    return try Scenario(text, path: "lights/levels/\(requirement)/nan.yaml", file: "nan.yaml", suites: suites)
  }

  /// The verdict on a receiver that drops NaN, unless it has a fault, where this is declared.
  private static func verdict(
    _ order: String, _ notFinite: String, _ requirement: String, fault: String = ""
  ) async throws -> Verdict? {
    let model = try ModelSystem(parsing: "model:lights-host\(fault)", in: suites("\(order)not-finite: dropped"))
    let scenario = try scenario(requirement, in: suites("\(order)not-finite: \(notFinite)"))
    return try await SuiteRunner(model).run([scenario]).scenarios.first?.verdict
  }

  @Test("If a protocol allows any, a receiver may apply or drop NaN and infinities", arguments: orders)
  func appliedOrDropped(_ order: String) async throws {
    for fault in ["", "+applies-not-finite"] {
      #expect(try await Self.verdict(order, "any", "latest-value-wins", fault: fault) == .pass, "\(fault)")
    }
    #expect(try await Self.verdict(order, "any", "latest-value-wins", fault: "+first-value-wins") == .fail)
  }

  @Test("If a protocol requires dropping, a receiver that applies them fails", arguments: orders)
  func dropped(_ order: String) async throws {
    #expect(try await Self.verdict(order, "dropped", "finite") == .pass)
    #expect(try await Self.verdict(order, "dropped", "finite", fault: "+applies-not-finite") == .fail)
  }

  @Test("If a protocol allows any, there is no requirement, and the right receiver passes", arguments: orders)
  func requirements(_ order: String) async throws {
    let suites = try Self.suites("\(order)not-finite: any")
    let suite = try #require(suites.all.first { $0.scenarios.contains { $0.requirement.id.hasPrefix("lights.") } })
    #expect(!suite.scenarios.contains { $0.requirement.id == "lights.levels.finite" })
    let model = try ModelSystem(parsing: "model:lights-host", in: suites)
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    #expect(!results.isEmpty && results.allSatisfy { $0.verdict == .pass })
  }

  @Test(
    "An impossible combination of rules is an error with its line and column",
    arguments: [
      ("not-finite: any, silence: 1s", "\"any\" cannot be combined with \"silence\""),
      ("not-finite: any, merge: sum", "\"any\" requires \"merge: latest\": a sum with NaN would stay NaN"),
      ("not-finite: clamped-or-dropped", "\"clamped-or-dropped\" requires \"range\", to which a value is clamped"),
    ])
  func refused(_ rules: String, _ problem: String) {
    let error = #expect(throws: YAMLFileError.self) {
      try ProtocolFile.read(Self.text(rules), file: "lights.yaml")
    }
    #expect(error?.problem == problem)
    #expect(error?.line == 10)
  }
}
