import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("The suite that follows from a protocol file") struct DeclaredSuiteTests {
  /// A protocol of one float that is clamped and turned off by silence, without a number, and one of numbers of 16 bits.
  private static let toy = """
    protocol: toy
    title: A toy
    source: nowhere
    byte-order: big
    carriers:
      - {name: udp, over: udp, port: 4000}
    header:
      - {name: magic, type: u16, equals: 0x7479, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - name: FORCE
        type: 1
        from: host
        fields:
          - {name: strength, type: f32}
      - name: PLACE
        type: 2
        from: client
        fields:
          - {name: number, type: u16}
          - {name: x, type: i16}
          - {name: y, type: i16}
    streams:
      - {name: force, message: FORCE, values: [strength], range: [0, 1], silence: 2s}
      - {name: place, message: PLACE, order: number, values: [x, y]}
    """

  @Test("Each value is sent beyond its range and at its limits, in a message with its own number")
  func clamping() throws {
    let text = Self.toy.replacing("values: [x, y]}", with: "values: [x, y], range: [-9, 9]}")
    let suite = Suite.declared(by: try ProtocolFile.read(text, file: "toy.yaml"))
    let scenario = try #require(suite.scenarios.first { $0.id == "toy.place.values.clamp" })
    let messages = scenario.steps.flatMap { step -> [[UInt8]] in
      if case .send(let messages, _) = step.work { messages } else { [] }
    }
    func numbers(at offset: Int) -> [Int16] { messages.map { Int16($0[offset]) << 8 | Int16($0[offset + 1]) } }
    #expect(numbers(at: 3) == Array(1...8))
    for offset in [5, 7] { #expect(Set([-10, 10, -9, 9]).isSubset(of: Set(numbers(at: offset)))) }
  }

  @Test("A protocol without requirements has a reason that names what to declare")
  func untested() throws {
    func reason(_ text: String) throws -> String? {
      let owner = try ProtocolFile.read(text, file: "toy.yaml")
      let reason = Suite.untested(owner)
      #expect(Suite.declared(by: owner).requirements.isEmpty == (reason != nil))
      #expect(
        reason?.hasPrefix("no scenario tests toy: ") != false
          && reason?.hasSuffix(" (see Documentation/reference/protocol-file.md)") != false)
      return reason.map { String($0.dropFirst(23).dropLast(47)) }
    }
    let streams = try #require(Self.toy.firstRange(of: "streams:")?.lowerBound)
    #expect(try reason(Self.toy) == nil)
    #expect(
      try reason(String(Self.toy[..<streams]))
        == "it declares no stream; declare one, as streams: [{name: …, message: …, order: …, values: […]}]")
    #expect(try reason(Self.toy.replacing("over: udp", with: "over: tcp")) == nil)
    #expect(
      try reason(Self.toy.replacing("over: udp, port: 4000", with: "over: tcp, port: 4000, framing: none")) == nil)
    for merge in ["sum", "event"] {
      let stream = "streams: [{name: place, message: PLACE, order: number, values: [x, y], merge: \(merge)}]"
      #expect(try reason(String(Self.toy[..<streams]) + stream) == nil)
    }
  }

  private static func suite(_ text: String, _ file: String) throws -> Suite {
    Suite.declared(by: try ProtocolFile.read(text, file: file))
  }

  /// The requirements that a model of a part does not keep.
  private static func failed(_ system: String, _ suite: Suite) async throws -> Set<String> {
    let model = try ModelSystem(parsing: "model:\(system)", in: Suites([suite]))
    let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
    let results = try await SuiteRunner(model).run(scenarios).scenarios
    #expect(!results.isEmpty)
    // A message that a wrong peer never sends makes its requirement inconclusive.
    #expect(system.contains("+") || !results.contains { $0.verdict == .inconclusive })
    return Set(results.filter { $0.verdict != .pass }.map(\.scenario.requirement.id))
  }

  @Test("The right receivers pass", arguments: ["dsu-client", "dsu-host"]) func right(_ part: String)
    async throws
  {
    #expect(try await Self.failed(part, Self.suite(DSU.text, "dsu.yaml")) == [])
  }

  @Test(
    "Each wrong client of DSU fails just the requirement of its fault",
    arguments: [
      ("order-of-arrival", ["dsu.pad.latest-value-wins"]),
      ("applies-duplicates", ["dsu.pad.duplicate"]),
      ("wrap-is-old", ["dsu.pad.latest-value-wins"]),
      ("applies-not-finite", ["dsu.pad.finite"]),
      ("confuses-values", ["dsu.pad.values"]),
      ("crashes-on-short", ["dsu.header.truncated"]),
      (
        "header-unchecked",
        [
          "dsu.header.crc32", "dsu.header.length", "dsu.header.magic", "dsu.header.type", "dsu.header.version",
          "dsu.robust.mutations",
        ]
      ),
    ])
  func wrongClient(fault: String, breaks: [String]) async throws {
    let failed = try await Self.failed("dsu-client+\(fault)", Self.suite(DSU.text, "dsu.yaml"))
    #expect(failed.isSuperset(of: breaks))
    // A mutation may cut a message short.
    #expect(failed.subtracting(breaks).subtracting(["dsu.robust.mutations"]) == [])
  }

  @Test(
    "Each wrong client of a stream without numbers fails just the requirement of its fault",
    arguments: [
      ("no-clamp", ["toy.force.latest-value-wins"]),
      ("stays-on", ["toy.force.safe-on-loss"]),
      ("applies-not-finite", ["toy.force.finite"]),
      ("header-unchecked", ["toy.header.magic", "toy.header.type"]),
    ])
  func wrongToy(fault: String, breaks: [String]) async throws {
    let failed = try await Self.failed("toy-client+\(fault)", Self.suite(Self.toy, "toy.yaml"))
    #expect(failed.isSuperset(of: breaks))
    #expect(failed.subtracting(breaks).subtracting(["toy.robust.mutations"]) == [])
  }

  @Test("The right receivers of the toy pass", arguments: ["toy-client", "toy-host"])
  func rightToy(_ part: String) async throws {
    #expect(try await Self.failed(part, Self.suite(Self.toy, "toy.yaml")) == [])
  }

  @Test(
    "The messages of a stream have right values in fields of one value and at the ends of 64 bits",
    arguments: [
      "u64, codes: {18446744073709551614: on}", "u64, range: [0, 18446744073709551615]",
      "i64, range: [-9223372036854775808, 9223372036854775807]", "f64, range: [5e-324, 5e-324]",
      "f64, range: [-1e308, 1e308]", "f64, range: [0.3, 0.3]",
    ])
  func extremeFields(_ type: String) throws {
    let text = """
      protocol: toy
      carriers: [{name: udp, over: udp, port: 7000}]
      messages: [{name: SET, from: client, fields: [{name: number, type: u8}, {name: value, type: \(type)}]}]
      session: {opens: with-any-message}
      streams: [{name: value, message: SET, order: number, values: [value]}]
      """
    let suite = try Self.suite(text, "toy.yaml")
    let scenario = try #require(suite.scenarios.first { $0.id == "toy.value.latest-value-wins" })
    let owner = try #require(scenario.setup.part.role?.owner)
    for step in scenario.steps {
      guard case .send(let messages, _) = step.work else { continue }
      for message in messages {
        #expect(Message.decode(message.span.bytes, as: owner.dialects[0]).findings.map(\.description) == [])
      }
    }
  }

  @Test("Every requirement has a scenario, and every fault breaks one") func complete() async throws {
    for (text, file) in [(DSU.text, "dsu.yaml"), (Self.toy, "toy.yaml")] {
      let suite = try Self.suite(text, file)
      #expect(Set(Suites([suite]).scenarios.map(\.requirement.id)) == Set(suite.requirements.map(\.id)))
      for model in suite.models {
        for fault in model.faults {
          #expect(try await Self.failed("\(model.part)+\(fault)", suite) != [], "\(model) \(fault)")
        }
      }
    }
  }

  @Test("A protocol without streams has no requirement on shown values") func none() throws {
    let text = Self.toy.split(separator: "streams:")[0]
    let suite = try Self.suite(String(text), "toy.yaml")
    #expect(suite.requirements.isEmpty && suite.models.isEmpty && suite.scenarios.isEmpty)
  }

  // MARK: - System files

  @Test(
    "An event of a system file that names an unknown stream or field is an error",
    arguments: [
      ("is: applied", #"s.yaml:5:17: "is: applied" names no stream; there is pad"#),
      ("is: applied, stream: pda", #"s.yaml:5:34: a dsu-client applies no stream "pda"; there is pad"#),
      ("is: session-opened, stream: pad", #"s.yaml:5:41: only "is: applied" has a stream"#),
      // The names of streams are those of the protocols that there are.
      ("is: pose", #"s.yaml:5:17: "is": expected one of session-opened, session-closed, applied, found "pose""#),
      (
        "is: applied, stream: pad, fields: {pich: p}",
        #"s.yaml:5:48: the stream pad has no field "pich"; did you mean "pitch"?"#
      ),
    ])
  func mistakes(event: String, says: String) throws {
    let suites = Suites([try Self.suite(DSU.text, "dsu.yaml")])
    let text = "role: dsu-client\ncommand: [a]\naddresses: {udp: free}\nshows: {events: [\n           {\(event)}]}\n"
    let error = #expect(throws: YAMLFileError.self) { try SystemFile(text, file: "s.yaml", suites: suites) }
    #expect(error?.description == says)
  }
}
