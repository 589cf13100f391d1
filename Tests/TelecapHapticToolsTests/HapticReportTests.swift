import TelecapHapticTools
import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText
import Testing

/// Reports that the commands ahap, sync and touch print as they are.
@Suite struct HapticReportTests {
  private func json(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("An event of a touch prints as a line, or as an object with the event's own members")
  func touch() {
    let impact = TouchEvent.impact(.light, on: "list", .scroll)
    #expect(TouchText.line(impact, at: 34_000_000) == "   0.034 s  light impact on list, scroll")
    #expect(
      json { TouchText.write(impact, at: 34, to: &$0) }
        == "{\"time_ns\":34,\"event\":\"impact\",\"style\":\"light\",\"view\":\"list\",\"reason\":\"scroll\"}\n")
    #expect(
      json { TouchText.write(.handedOn(.began, to: nil), at: 1, to: &$0) }
        == "{\"time_ns\":1,\"event\":\"handed-on\",\"phase\":\"began\"}\n")
    #expect(json { TouchText.write(.sinks("ok", depth: 0.5), at: 1, to: &$0) }.contains("\"depth\":0.5"))
    #expect(json { TouchText.write(.scrolled("l", x: 1, y: -2), at: 1, to: &$0) }.contains("\"y\":-2"))
  }

  @Test("Findings in patterns print as lines, and are counted by severity")
  func pattern() throws {
    var text = PatternText(style: .plain)
    let findings = AHAPReading(Array("{\"Version\": 1, \"Pattern\": [{\"Event\": {\"Time\": -1}}]}".utf8)).findings
    findings.forEach { text.count($0) }
    let first = try #require(findings.first { $0.severity == .error })
    #expect(text.hasErrors && !PatternText(style: .plain).hasErrors)
    #expect(text.line(first, in: "x").hasPrefix("x:\(first.position): error: "))
    #expect(text.line(first, in: "x").hasSuffix(" [\(first.rule.rawValue)] \(first.path)"))
    #expect(json { text.write(first, in: "x", to: &$0) }.hasPrefix("{\"file\":\"x\",\"line\":\(first.position.line),"))
    #expect(PatternText(style: .plain).sum(files: 1) == "1 file: 0 errors, 0 warnings, 0 notes")
    #expect(text.sum(files: 2).hasPrefix("2 files: \(findings.count { $0.severity == .error }) error"))
  }

  @Test("The CSV has samples at its rate to the end, at any rate")
  func samples() {
    let timeline = HapticTimeline(AHAP(.explosion))
    var lines: [String] = []
    HapticCSV.lines(of: timeline, rate: 50) { lines.append($0) }
    #expect(lines.prefix(2) == ["time_s,intensity,sharpness", "0.000000,1.000000,1.000000"])
    #expect(lines.count == Int((timeline.duration * 50).rounded(.up)) + 2)
    var fine: [String] = []
    HapticCSV.lines(of: timeline, rate: 20_000) { fine.append($0) }
    #expect(fine.count > 8_194 && fine[1 + 10_000].hasPrefix("0.500000,"))
    #expect(HapticPlot("x", of: timeline).intensity.count == 1_024)
  }

  @Test("A study that succeeds prints the smallest sufficient delta")
  func sync() {
    let device = SyncDevice(
      display: .display(hertz: 60), audio: .audio(frames: 512, latency: 30_000_000, jitter: 0, driftPPM: 0),
      haptic: .haptic(latency: 10_000_000, jitter: 0, driftPPM: 0), arming: 0, setEvery: 0)
    let report = SyncReport(SyncStudy(device, trials: 100, seed: 1), delta: 50_000_000)
    let lines = report.text(of: "a device", style: .plain)
    #expect(report.holds && lines.first == "a device" && lines.contains { $0.hasPrefix("skew, 50ms ahead") })
    #expect(lines.last?.hasPrefix("the smallest δ that keeps every trial within 3 frames: ") == true)
    let objects = json { report.write(to: &$0) }.split(separator: "\n")
    #expect(objects.count == 2 && objects[0].hasPrefix("{\"start\":\"now\",\"trials\":100,\"seen_ns\":"))
    #expect(objects[1].contains("\"delta_ns\":50000000") && objects[1].contains("\"smallest_delta_ns\":"))
  }
}
