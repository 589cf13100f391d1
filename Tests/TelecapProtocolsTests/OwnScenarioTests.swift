import TelecapConformance
import TelecapProtocols
import TelecapWire
import Testing

@Suite("Scenarios of one's own for a protocol of one's own")
struct OwnScenarioTests {
  private let suites: Suites

  init() throws { suites = Suites([.declared(by: try ProtocolFile.read(DSU.text, file: "dsu.yaml"))]) }

  private func scenario(_ text: String) throws -> Scenario {
    try Scenario(text, path: "dsu/pad/duplicate/late.yaml", file: "late.yaml", suites: suites)
  }

  private func verdict(_ scenario: Scenario, _ system: String) async throws -> Verdict? {
    try await SuiteRunner(try ModelSystem(parsing: system, in: suites)).run([scenario]).scenarios.first?.verdict
  }

  private static let late = """
    # A PAD that comes again after newer ones is not applied again.
    requirement: dsu.pad.duplicate
    role: dsu-client
    steps:
      - {at: 300ms, send: PAD, count: 5}
      - {at: 400ms, send: PAD, with: {packet_number: 5}}
    """

  @Test("Its messages are right, numbered, and differ in their values")
  func messages() throws {
    let scenario = try scenario(Self.late)
    guard case .send(let pads, _) = scenario.steps[0].work else {
      throw YAMLFileError(file: "", line: 0, column: 0, "")
    }
    let read = pads.map { Message.decode($0.span.bytes, as: scenario.setup.part.role!.owner.dialect("udp")) }
    #expect(read.allSatisfy { $0.message != nil && $0.findings.isEmpty })
    #expect(read.map { $0.message?.value(of: "packet_number") } == (1...5).map { .unsigned($0) })
    #expect(Set(read.map { $0.message?.value(of: "accel_x") }).count == 5)
    // What a PAD_REQUEST is answered with is the stream itself: nobody sends it but the steps.
    #expect(scenario.acknowledges == .never && scenario.steps[0].peer == "host")
  }

  @Test("The right model passes, the one that is wrong in this way fails")
  func verdicts() async throws {
    let scenario = try scenario(Self.late)
    #expect(try await verdict(scenario, "model:dsu-client") == .pass)
    #expect(try await verdict(scenario, "model:dsu-client+applies-duplicates") == .fail)
  }

  @Test("What answers is a protocol's own")
  func answers() async throws {
    let host = """
      # An intensity is applied.
      requirement: dsu.rumble.latest-value-wins
      role: dsu-host
      steps:
        - {at: 300ms, from: a, send: RUMBLE, with: {intensity: 40}}
        - {at: 400ms, from: a, send: PAD_REQUEST, answer: PAD}
      """
    func read(_ text: String) throws -> Scenario {
      try Scenario(text, path: "dsu/rumble/latest-value-wins/pad.yaml", file: "pad.yaml", suites: suites)
    }
    // The model of a host applies what comes, and answers nothing.
    #expect(try await verdict(try read(host), "model:dsu-host") == .fail)
    let silent = host.replacing("answer: PAD", with: "answer: nothing")
    #expect(try await verdict(try read(silent), "model:dsu-host") == .pass)
  }

  @Test(
    "What the protocol has not is refused where it stands",
    arguments: [
      ("send: PAD, count", "send: POSE, count", 5, "expected one of VERSION_REQUEST"),
      ("{packet_number: 5}", "{seq: 5}", 6, #"PAD has no field "seq""#),
      ("{packet_number: 5}}", "{packet_number: 5}, over: tcp}", 6, "dsu does not go over tcp"),
      ("role: dsu-client", "role: dsu-client\nacknowledge: true", 4, "asks for nothing that is acknowledged"),
      ("count: 5", "count: 5, answer: OK", 5, "expected one of PAD, nothing"),
    ])
  func refused(_ old: String, _ new: String, _ line: Int, _ words: String) throws {
    let error = #expect(throws: YAMLFileError.self) { try scenario(Self.late.replacing(old, with: new)) }
    #expect(error?.line == line && error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }
}
