import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

@Suite("Scenario files for a declared protocol")
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
    # A PAD that comes again, later, is not applied again.
    requirement: dsu.pad.duplicate
    role: dsu-client
    steps:
      - {at: 300ms, send: PAD, count: 5}
      - {at: 400ms, send: PAD, with: {packet_number: 5}}
    """

  @Test("The messages of a step are valid, numbered, and differ in their values")
  func messages() throws {
    let scenario = try scenario(Self.late)
    guard case .send(let pads, _) = scenario.steps[0].work else {
      throw YAMLFileError(file: "", line: 0, column: 0, "")
    }
    let read = pads.map { Message.decode($0.span.bytes, as: scenario.setup.part.role!.owner.dialect("udp")) }
    #expect(read.allSatisfy { $0.message != nil && $0.findings.isEmpty })
    #expect(read.map { $0.message?.value(of: "packet_number") } == (1...5).map { .unsigned($0) })
    #expect(Set(read.map { $0.message?.value(of: "accel_x") }).count == 5)
    // The answer to a PAD_REQUEST is the stream itself: only the steps send it.
    #expect(scenario.acknowledges.isEmpty && scenario.steps[0].peer == "host")
  }

  @Test("The right model passes, and the mutant of this requirement fails")
  func verdicts() async throws {
    let scenario = try scenario(Self.late)
    #expect(try await verdict(scenario, "model:dsu-client") == .pass)
    #expect(try await verdict(scenario, "model:dsu-client+applies-duplicates") == .fail)
  }

  @Test("The answers of a scenario are messages of its protocol")
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
    #expect(try await verdict(try read(host), "model:dsu-host") == .pass)
    let silent = host.replacing("answer: PAD", with: "answer: nothing")
    #expect(try await verdict(try read(silent), "model:dsu-host") == .fail)
  }

  @Test("A step sends the given fields, and right values in all others")
  func given() throws {
    let text = """
      # Messages with texts, lengths and numbers.
      requirement: dsu.pad.duplicate
      role: dsu-client
      steps:
        - {at: 300ms, send: PORTS_REQUEST}
        - {at: 400ms, send: PORTS_REQUEST, with: {count: 4, slots: "3030"}}
        - {at: 500ms, send: PAD, with: {length: 5}}
      """
    let scenario = try Scenario(text, path: "dsu/pad/duplicate/x.yaml", file: "x.yaml", suites: suites)
    let dialect = try #require(scenario.setup.part.role).owner.dialect("udp")
    let read = scenario.steps.map { step -> (message: Message, findings: [Finding])? in
      guard case .send(let messages, _) = step.work, let bytes = messages.first else { return nil }
      return (Message(keeping: bytes, as: dialect), Message.decode(bytes.span.bytes, as: dialect).findings)
    }
    #expect(read[0]?.findings.isEmpty == true && read[0]?.message.value(of: "count") == .signed(1))
    #expect(read[1]?.message.value(of: "count") == .signed(4))
    // Only the length is wrong: the checksum is that of the message as it is.
    #expect(read[2]?.message.value(of: "length") == .unsigned(5))
    let last = try #require(read[2]?.message)
    #expect(Message.checksummed(last.bytes, as: last.kind) == last.bytes)
  }

  @Test("A stream that was requested is the answer, at any rate")
  func streamAsAnswer() throws {
    let text = """
      # PADs are answered.
      requirement: dsu.rumble.latest-value-wins
      role: dsu-host
      steps:
        - {at: 300ms, from: a, send: PAD_REQUEST, answer: PAD}
      """
    let scenario = try Scenario(text, path: "dsu/rumble/latest-value-wins/pad.yaml", file: "x.yaml", suites: suites)
    let one = try #require(scenario.cases().first)
    let script = scenario.script(for: one)
    func verdict(_ pads: [[UInt8]]) -> Verdict {
      var log = RunLog(shows: [.tellings])
      let asked = script.actions[0]
      guard case .send(let bytes, _) = asked.work else { return .inconclusive }
      log.note(.delivered(bytes, packet: 1, from: "a", over: .udp, sentAt: asked.time), at: asked.time)
      for (index, pad) in pads.enumerated() {
        let time = asked.time.advanced(byNanoseconds: Int64(index + 1) * 16_000_000)
        log.note(.replied(pad, to: "a", over: .udp), at: time)
      }
      log.end = script.end
      return Judge.judge(log, script, of: one, in: scenario).verdict
    }
    let owner = try #require(scenario.setup.part.role).owner
    let pad = Message.right(try #require(owner["PAD"])).bytes
    #expect(verdict([]) == .fail)
    #expect(verdict([[UInt8]](repeating: pad, count: 20)) != .fail)
    // One whose checksum is wrong is no answer.
    var wrong = pad
    wrong[40] ^= 1
    #expect(verdict([wrong]) == .fail)
  }

  @Test(
    "A message, field or transport that the protocol has not is an error at its line",
    arguments: [
      ("send: PAD, count", "send: POSE, count", 5, "expected one of VERSION_REQUEST"),
      ("{packet_number: 5}", "{seq: 5}", 6, #"PAD has no field "seq""#),
      ("{packet_number: 5}}", "{packet_number: 5}, over: tcp}", 6, "dsu has no transport tcp"),
      ("role: dsu-client", "role: dsu-client\nacknowledge: true", 4, "asks for nothing that is acknowledged"),
      ("count: 5", "count: 5, answer: OK", 5, "expected one of PAD, nothing"),
    ])
  func refused(_ old: String, _ new: String, _ line: Int, _ words: String) throws {
    let error = #expect(throws: YAMLFileError.self) { try scenario(Self.late.replacing(old, with: new)) }
    #expect(error?.line == line && error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }
}
