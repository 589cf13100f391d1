import Foundation
import TelecapProtocols
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@Suite struct ArtifactsTests {
  static let poses = """
    # Poses are lost, late and twice.
    requirement: tele.pose.latest-value-wins
    role: host
    steps:
      - {at: 0s, send: HELLO, answer: OK}
      - {at: 100ms, send: POSE, count: 60, rate: 60}
    impair: {loss: "20%", duplicate: "10%", reorder: "20%"}
    """

  static let stream = """
    # A client of tcp-v1 is answered.
    requirement: tele.hello.ack-every
    role: host
    carrier: tcp
    steps:
      - {at: 0s, send: HELLO, answer: OK}
      - {at: 1s, close: true}
    """

  /// Runs the scenario's first case and keeps its files in a folder, which is gone afterwards.
  func keep(
    _ text: String, _ path: String, _ system: String, edit: (inout ScenarioResult) -> Void = { _ in },
    _ body: (ScenarioResult, _ folder: String) throws -> Void
  ) throws {
    let scenario = try Scenario(text, path: path, file: path, suites: .all)
    let one = try #require(scenario.cases().first)
    let script = scenario.script(for: one)
    let log = try ModelSystem(parsing: system, in: .all).runNow(script)
    var result = ScenarioResult(scenario, Judge.judge(log, script, of: one, in: scenario))
    edit(&result)
    let root = try Folder()
    let folder = try #require(try Artifacts(directory: root["artifacts"], tool: "test", ports: .standard).keep(result))
    try withExtendedLifetime(root) { try body(result, folder) }
  }

  struct Found: DissectionSink {
    var messages: [(kind: MessageKind, direction: Direction, bytes: [UInt8])] = []
    var errors: [Finding] = []

    mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) {
      messages.append((message.kind, message.direction, bytes.array))
    }
    mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) { errors.append(finding) }
    mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) {}
  }

  func dissect(_ path: String) throws -> Found {
    var reader = try CaptureFileReader(path: path)
    var dissector = Dissector(ports: .standard)
    var found = Found()
    try reader.forEach { header, frame in try dissector.receive(header, frame, to: &found) }
    try dissector.finish(to: &found)
    return found
  }

  func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test("The capture holds just what was delivered and answered")
  func theCaptureHoldsJustWhatWasDeliveredAndAnswered() throws {
    try keep(ArtifactsTests.poses, "tele/pose/latest-value-wins.yaml", "model:host+order-of-arrival") {
      result, folder in
      let log = try #require(result.shown.log)
      let expected = log.entries.compactMap { entry -> [UInt8]? in
        switch entry.what {
        case .delivered(let bytes, _, _, _, _), .replied(let bytes, _, _): bytes
        default: nil
        }
      }
      let found = try dissect("\(folder)/traffic.pcapng")
      #expect(found.messages.map(\.bytes) == expected && found.errors.isEmpty)
      #expect(found.messages.count { $0.kind == .pose && $0.direction == .clientToServer } > 40)
      #expect(found.messages.count { $0.kind == .ack && $0.direction == .serverToClient } > 0)
    }
  }

  @Test("The plan is read back as it was")
  func thePlanIsReadBackAsItWas() throws {
    try keep(ArtifactsTests.poses, "tele/pose/latest-value-wins.yaml", "model:host+order-of-arrival") {
      result, folder in
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/plan.jsonl")))
      var reader = PlanReader()
      var plan: [PlanLine] = []
      try reader.read(bytes.span.bytes) { plan.append($0) }
      try reader.finish { plan.append($0) }
      #expect(plan == result.shown.script?.plan && plan.contains { $0.verdict == .drop })
      #expect(
        reader.header?.seed == result.shown.case.seed && reader.header?.impairments == result.shown.case.impairments)
    }
  }

  @Test("A stream is a connection from its opening to its end")
  func aStreamIsAConnectionFromItsOpeningToItsEnd() throws {
    try keep(ArtifactsTests.stream, "tele/hello/ack-every.yaml", "model:host") { _, folder in
      let found = try dissect("\(folder)/traffic.pcapng")
      let names = found.messages.map(\.kind.name)
      #expect(names == ["HELLO", "ACK", "CONFIG"])
      #expect(found.errors.isEmpty)
      var reader = try CaptureFileReader(path: "\(folder)/traffic.pcapng")
      var frames = 0
      try reader.forEach { _, _ in frames += 1 }
      // SYN and its answer, three segments, FIN and its answer.
      #expect(frames == 7)
    }
  }

  @Test("What the system showed and wrote is kept")
  func whatTheSystemShowedAndWroteIsKept() throws {
    let edit: (inout ScenarioResult) -> Void = { result in
      result.shown.log?.note(.output("Traceback: no"), at: .zero)
      result.shown.log?.note(.broke("ended by signal 11"), at: .zero)
    }
    try keep(ArtifactsTests.stream, "tele/hello/ack-every.yaml", "model:host", edit: edit) { result, folder in
      #expect(
        try lines("\(folder)/output.txt") == ["Traceback: no", "telecap: the system broke: ended by signal 11"])
      let events = result.shown.log?.entries.compactMap { entry in
        if case .event(let event) = entry.what { event.name } else { nil as String? }
      }
      let kept = try lines("\(folder)/observations.jsonl").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["event"] as? String)
      }
      #expect(kept == events && !kept.isEmpty)
    }
  }

  @Test("A name never leads out of the directory")
  func aNameNeverLeadsOutOfTheDirectory() throws {
    try keep(ArtifactsTests.stream, "tele/hello/ack-every.yaml", "model:host", edit: { $0.scenario.id = "../../x/y" }) {
      #expect($1.hasSuffix("/_.._.._x_y"))
    }
  }

  @Test("What cannot be created is told with its status")
  func whatCannotBeCreatedIsToldWithItsStatus() throws {
    let error = #expect(throws: FileError.self) {
      try Artifacts(directory: "/dev/null/x", tool: "test", ports: .standard)
    }
    #expect(error == .cannotMakeFolder(path: "/dev/null/x", ErrnoError(number: 20)))
    #expect(error?.advice == "give a directory whose parent exists and can be written")
  }
}
