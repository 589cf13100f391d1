import Foundation
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import Testing

@testable import TelecapReport
@testable import TelecapWeb

/// Files that change while their pages are looked at.
@Suite struct ChangedFilesTests {
  private let folder: Folder
  private static let capture = Project.file("Captures/teleoperation.pcapng")

  init() throws { folder = try Folder() }

  /// The address of a file of the folder that holds a recording.
  private func recorded() throws -> String {
    try folder.write(Array(try Data(contentsOf: Self.capture)), to: "session.pcapng")
  }

  /// The plan of what the host of a recording sent.
  private func plan(_ impairments: String, of path: String) throws -> [UInt8] {
    let source = try ReplaySource(RecordingFiles.standard.recording(path), as: "host")
    let run = try ReplayRun(of: source) { survey in
      PlanHeader(
        seed: 7, capture: survey.digest.description, impairments: (try? Impairments(parsing: impairments)) ?? .none)
    }
    var text: [UInt8] = []
    _ = try run.feeder.plan { text += $0 }
    return text
  }

  /// Calls `body` with what answers with the timeline of a recording and these plans.
  private func serving(
    _ path: String, plans: [String] = [], _ body: (_ timeline: () async -> String) async throws -> Void
  ) async throws {
    let recording = try RecordingFiles.standard.recording(path)
    try await ShownRecordings.with([("session", recording)], tell: { _ in }) { captures in
      let server = try PageServer(
        captures, at: HostPort(host: "127.0.0.1", port: nil), suites: .all, tool: "test", plans: plans)
      func timeline() async -> String {
        let request = PageRequest(path: "/t/0/timeline", host: "h")
        var text = ""
        repeat {
          text = await server.answer(request, PageGate(token: "t", hosts: ["h"])).body
        } while text.contains("data-waiting>")
        return text
      }
      try await body(timeline)
    }
  }

  @Test("The pages of a changed, replaced or removed recording report that they show the old content")
  func recording() async throws {
    let path = try recorded()
    try await serving(path) { timeline in
      #expect(await !timeline().contains("since it was read"))
      _ = try folder.write(Array(try Data(contentsOf: Self.capture)) + [0], to: "session.pcapng")
      let changed = "session.pcapng has changed since it was read: these pages show what it held then"
      #expect(await timeline().contains(changed))
      try FileManager.default.removeItem(atPath: path)
      #expect(await timeline().contains("session.pcapng is gone since it was read: these pages show"))
    }
  }

  @Test("An edited plan is read again, and an invalid one leaves the old plan with a notice")
  func plan() async throws {
    let path = try recorded()
    let plan = try folder.write(plan("--loss 30%", of: path), to: "host.plan")
    try await serving(path, plans: [plan]) { timeline in
      func lost(_ text: String) -> Int? { text.firstMatch(of: /<\/svg> (\d+) lost/).flatMap { Int($0.1) } }
      let before = try #require(await lost(timeline()))
      #expect(before > 0)
      _ = try folder.write(self.plan("--loss 100%", of: path), to: "host.plan")
      let after = try #require(await lost(timeline()))
      #expect(after > before)
      _ = try folder.write(Array("nonsense".utf8), to: "host.plan")
      let text = await timeline()
      #expect(lost(text) == after && text.contains("host.plan has changed: what it did before is drawn. "))
      _ = try folder.write(self.plan("--loss 30%", of: path), to: "host.plan")
      let again = await timeline()
      #expect(lost(again) == before && !again.contains("has changed"))
    }
  }

  @Test("Results are read again when their file has changed, and an invalid file is reported")
  func results() throws {
    func text(_ system: String) -> [UInt8] {
      Array(#"{"format":"telecap-conformance","version":1,"system":"\#(system)","scenarios":[]}"#.utf8)
    }
    let path = try folder.write(text("first"), to: "r.json")
    let results = try #require(try ResultsFiles.read([path]))
    let site = ResultsSite(results, of: [path], tool: "test")
    #expect(try site.answer([""], [:]).body.contains("<h1>first</h1>"))
    _ = try folder.write(text("the second"), to: "r.json")
    #expect(try site.answer([""], [:]).body.contains("<h1>the second</h1>"))
    _ = try folder.write(Array("{".utf8), to: "r.json")
    #expect(throws: ResultsProblem.self) { try site.answer([""], [:]) }
    #expect(try site.answer(["x"], [:]).status == 404)
  }
}
