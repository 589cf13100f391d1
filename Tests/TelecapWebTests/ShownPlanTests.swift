import Foundation
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import Testing

@testable import TelecapReport
@testable import TelecapWeb

/// Saved plans next to the capture that they were made for.
@Suite struct ShownPlanTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func recording(_ name: String = "teleoperation") throws -> Recording {
    try RecordingFiles.standard.recording(Project.file("Captures/\(name).pcapng").path)
  }

  /// Writes the plan of what a side sent, and where.
  private func plan(
    _ impairments: String, as role: String, _ window: CaptureWindow = CaptureWindow(), of name: String = "teleoperation"
  ) throws -> String {
    let source = try ReplaySource(Self.recording(name), as: role, window: window)
    let run = try ReplayRun(of: source) { survey in
      PlanHeader(
        seed: 7, capture: survey.digest.description, impairments: (try? Impairments(parsing: impairments)) ?? .none)
    }
    var text: [UInt8] = []
    _ = try run.feeder.plan { text += $0 }
    return try folder.write(text, to: "\(role).plan")
  }

  /// A page of the capture with these plans.
  private func page(
    _ plans: [String], _ path: String = "timeline", _ query: [String: String] = [:]
  ) async throws -> String {
    let recording = try Self.recording()
    return try await recording.withCapture { reader, _ in
      let server = try PageServer(
        [ShownCapture(name: "t", recording: recording, reader: reader)],
        at: HostPort(host: "127.0.0.1", port: nil), suites: .all, tool: "test", plans: plans)
      return await server.answer(
        PageRequest(path: "/t/0/\(path)", query: query, host: "h"), PageGate(token: "t", hosts: ["h"])
      ).body
    }
  }

  @Test("A plan of either sender is drawn next to its capture, with counts and each packet")
  func drawn() async throws {
    let body = try await page([
      plan("--loss 30% --set intensity=1.5@40%", as: "host"), plan("--duplicate 20% --jitter 40ms", as: "phone"),
    ])
    #expect(body.contains("what a network did with what the host sent (--loss 30% --set intensity=1.5@40%, seed 7)"))
    #expect(body.contains("what a network did with what the phone sent"))
    for word in ["lost by loss", "changed: intensity becomes 1.5", " duplicated: 2 copies", " reordered: "] {
      #expect(body.contains(word), "\(word)")
    }
    for look in ["sent step", "delivered points", "applied step"] { #expect(body.contains("class=\"\(look)\"")) }
  }

  @Test("The curve of sent values is that of the capture, also if the plan changes values")
  func sent() throws {
    let run = try ShownPlan(plan("--set intensity=1.5", as: "host"), of: Self.recording(), suites: .all)
      .drawn(TimeGrid(start: Timestamp(nanoseconds: 0), length: .max / 2, columns: 1))
    let curves = try #require(run.tracks.first?.panels.first).curves
    #expect(!curves[0].span.contains("1.5") && curves[1].span == "1.5", "\(curves.map(\.span))")
  }

  @Test("A plan for a part of a recording is matched to that part")
  func part() async throws {
    let path = try plan("--loss 30%", as: "phone", CaptureWindow(from: 300_000_000, until: 700_000_000))
    #expect(try await page([path]).contains("packets sent"))
  }

  @Test("A plan of other packets is rejected as by replay, and so is an invalid one")
  func refused() async throws {
    let other = try plan("--loss 30%", as: "host", of: "busy")
    #expect {
      _ = try ShownPlan(other, of: Self.recording(), suites: .all)
    } throws: { error in
      guard case .ofNobody? = error as? SavedPlanError else { return false }
      return ExitStatus(of: error) == .data
    }
    #expect(throws: FileError.self) { try ShownPlan(folder["nix"], of: Self.recording(), suites: .all) }
    #expect(throws: SavedPlanError.self) {
      try ShownPlan(Project.file("README.md").path, of: Self.recording(), suites: .all)
    }
  }

  @Test("A plan that cannot be carried out, or not in recorded time, is rejected before it is drawn")
  func cannotBeDrawn() throws {
    let path = try plan("--delay 5ms", as: "host")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    func refusal(_ lines: [String]) throws -> String {
      let edited = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "edited.plan")
      do { _ = try ShownPlan(edited, of: Self.recording(), suites: .all) } catch { return "\(error)" }
      return ""
    }
    #expect(try refusal(lines) == "")
    var hurried = lines
    hurried[0] = hurried[0].replacing(#""speed":"1x""#, with: #""speed":"2x""#)
    #expect(try refusal(hurried).contains("it does not run in the recording's own time"))
    // The host's first packet is an ACK, which has no intensity.
    var changed = lines
    changed[1] = changed[1].replacing(#""due""#, with: #""set":{"intensity":1.5},"due""#)
    #expect(try refusal(changed).contains("the plan's line of packet"), "\(changed[1])")
  }

  @Test("The plan of each side is drawn for a truncated file, also if the other side sent nothing")
  func brokenOff() throws {
    let path = try plan("--loss 30%", as: "host")
    let whole = try Data(contentsOf: Project.file("Captures/teleoperation.pcapng"))
    // All packets, and half of the block after them.
    let file = try folder.write(Array(whole) + [6, 0, 0, 0, 100, 0, 0, 0], to: "broken.pcapng")
    let recording = try RecordingFiles.standard.recording(file)
    let (text, damage) = try recording.report(named: "t", tool: "test", plans: [path], suites: .all) { _ in }
    #expect(damage != nil && text.contains("what a network did with what the host sent"))
  }

  @Test("A part of the time is drawn in finer columns")
  func closer() async throws {
    let path = try plan("--duplicate 100% --delay 5ms", as: "phone")
    let whole = try await page([path], "timeline/figures")
    let part = try await page([path], "timeline/figures", ["from": "0.5", "until": "0.52"])
    #expect(
      whole.contains("delay in the network") && part.contains("class=\"run\"") && part.utf8.count < whole.utf8.count)
    // Each packet has a column of its own there.
    let titles = part.matches(of: /packet (\d+) duplicated: 2 copies(, and)?/)
    #expect(!titles.isEmpty && titles.allSatisfy { $0.2 == nil }, "\(titles.map(\.0))")
  }

  @Test("A page in one file shows the plan as well")
  func file() throws {
    let path = try plan("--loss 30%", as: "host")
    let text = try Self.recording().report(named: "t", tool: "test", plans: [path], suites: .all) { _ in }.text
    #expect(text.contains("lost by loss") && text.contains("what a network did with what the host sent"))
  }
}
