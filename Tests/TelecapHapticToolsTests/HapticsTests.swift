import Foundation
import TelecapFiles
import TelecapHapticTools
import TelecapHaptics
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@Suite struct HapticsTests {
  private static let explosion = Project.file("Captures/haptics/explosion.ahap").path
  private static let hand = Project.file("Captures/touch/hand.jsonl").path
  private static let screen = Project.file("Captures/touch/screen.json").path

  @Test("A pattern becomes messages at its rate, with an ACK first and each second, and is read back")
  func pattern() throws {
    let pattern = try PatternFile.playable(HapticsTests.explosion)
    let recording = HapticRecording(pattern, rate: 20, ports: .standard)
    let kinds = recording.messages.map(\.message.kind)
    #expect(kinds.first == .ack && kinds.count { $0 == .haptic } == 14 && kinds.count { $0 == .ack } == 1)
    #expect(recording.messages.map(\.time) == recording.messages.map(\.time).sorted())
    let folder = try Folder()
    try RecordingFiles.builtIn.importing(
      .packets(recording.packets()), into: folder["x.telecap"], force: true, ports: .standard)
    let (samples, damage) = try HapticSamples.read(RecordingFiles.builtIn.recording(folder["x.telecap"]), where: nil)
    #expect(damage == nil && samples.samples.count == 14 && samples.others == 0)
    #expect(samples.flow?.source.port == 50_000)
    let timeline = HapticTimeline(pattern)
    for (index, sample) in samples.samples.enumerated() {
      #expect(abs(sample.time - Double(index) / 20) < 1e-9)
      #expect(abs(sample.value - timeline.sample(at: sample.time).intensity) < 1e-6)
    }
    let (some, _) = try HapticSamples.read(
      RecordingFiles.builtIn.recording(folder["x.telecap"]), where: "intensity > 0.5")
    #expect((1..<14).contains(some.samples.count) && some.samples.allSatisfy { $0.value > 0.5 })
    #expect(HapticRecording(pattern, rate: 20, acknowledges: false, ports: .standard).messages.count == 14)
  }

  @Test("An error in a pattern that cannot be played names its line and column")
  func unplayable() throws {
    let folder = try Folder()
    func problem(_ text: String) throws -> String? {
      let path = try folder.write(Array(text.utf8), to: "x.ahap")
      return #expect(throws: PatternProblem.self) { try PatternFile.playable(path) }.map { "\($0)" }
    }
    #expect(try problem("{\"Version\": 1, \"Pattern\": []}")?.contains("x.ahap") == true)
    #expect(
      try problem("{\"Version\": 1.0, \"Pattern\": [{\"Event\": {\"Time\": -1}}]}")?.contains("x.ahap:1:") == true)
  }

  @Test("A trace is the same from a file and from a capture")
  func trace() throws {
    let folder = try Folder()
    let trace = try TouchTrace(path: HapticsTests.hand, in: .builtIn)
    #expect(trace.lines.count == 77 && trace.lines.first?.time == 0)
    let path = folder["hand.telecap"]
    try trace.store(to: path, force: false, ports: .standard, in: .builtIn)
    let again = try TouchTrace(path: path, in: .builtIn)
    #expect(again.lines == trace.lines && again.digest == trace.digest)
    let missing = TouchProblem.Missing(
      port: 9, others: ["there is traffic at udp 49152 (77 packets) and udp 50002 (77 packets)"])
    let problem = TouchProblem.noSample(path: path, missing)
    #expect(throws: problem) { try TouchTrace(path: path, port: 9, in: .builtIn) }
    #expect(
      problem.advice == "samples are datagrams to port 9; \(missing.others[0]); name another with --touch-udp")
    let empty = try folder.write([], to: "empty.jsonl")
    #expect(throws: TouchProblem.noSample(path: empty, nil)) { try TouchTrace(path: empty, in: .builtIn) }
    #expect(try RecordingFiles.builtIn.reader(path).info().source == "a touch trace")
  }

  @Test("The times of a captured trace go on after the clock was set back")
  func steppedClock() throws {
    let folder = try Folder()
    let trace = try TouchTrace(path: HapticsTests.hand, in: .builtIn)
    let flow = Flow(
      .udp, from: Endpoint(.loopback, port: 49_152), to: Endpoint(.loopback, port: TouchTrace.port))
    var list = PacketList(interface: "touch")
    for (index, line) in trace.lines.prefix(6).enumerated() {
      let time = 5_000_000_000_000 + Int64(index) * 10_000_000 - (index < 3 ? 0 : 3_600_000_000_000)
      try list.add(line.bytes, flow, at: Timestamp(nanoseconds: time))
    }
    let path = folder["stepped.telecap"]
    try RecordingFiles.builtIn.importing(.packets(list), named: "a trace", into: path, force: false, ports: .standard)
    let again = try TouchTrace(path: path, in: .builtIn)
    #expect(again.lines.map(\.time) == (0..<6).map { $0 * 10_000_000 })
  }

  @Test("A plan is read back unchanged, and one of another trace is rejected")
  func plan() throws {
    let folder = try Folder()
    let trace = try TouchTrace(path: HapticsTests.hand, in: .builtIn)
    let plan = TouchPlan(trace, try Impairments(parsing: "--loss 100%"), seed: 7)
    // The first and the last event of a touch are always delivered.
    #expect(plan.lines.count == 77 && plan.lines.count { $0.verdict == .deliver } == 4)
    let path = try folder.write(plan.text, to: "x.plan")
    let again = try TouchPlan(path: path, for: trace)
    #expect(again.lines == plan.lines && again.text == plan.text)
    let line = Array("{\"time\":0,\"phase\":\"began\",\"x\":1,\"y\":1}\n".utf8)
    let other = try TouchTrace(path: folder.write(line, to: "o.jsonl"), in: .builtIn)
    #expect(
      throws: TouchProblem.otherTrace(plan: path, digest: trace.digest.description, this: other.digest)
    ) { try TouchPlan(path: path, for: other) }
    let headless = try folder.write(Array("{\"packet\":1,\"verdict\":\"drop\"}\n".utf8), to: "h.plan")
    #expect(throws: TouchProblem.self) { try TouchPlan(path: headless, for: trace) }
  }

  @Test("A run reports haptics and forwarded touches, and counts impairments")
  func run() throws {
    let trace = try TouchTrace(path: HapticsTests.hand, in: .builtIn)
    func run(_ impairments: Impairments) throws -> (TouchRun, String, [TouchEvent]) {
      var tracer = TouchTracer(try ViewTree(file: HapticsTests.screen), hasPressure: true)
      let plan = TouchPlan(trace, impairments, seed: 7)
      var run = TouchRun()
      var events: [TouchEvent] = []
      try run.run(trace, by: plan, &tracer) { event, _ in events.append(event) }
      return (run, run.summary(of: trace, by: plan, isSaved: false), events)
    }
    let (whole, words, events) = try run(.none)
    #expect(words == "77 samples; 20 impacts, 8 handed on" && whole.lost == 0 && whole.delivered == 77)
    #expect(events.count >= 28)
    let (lossy, lossyWords, _) = try run(try Impairments(parsing: "--loss 100%"))
    #expect(lossy.lost == 73 && lossy.delivered == 4)
    #expect(lossyWords == "77 samples, 73 lost, 4 delivered, seed 7; 1 impact, 0 handed on")
    let (broken, _, _) = try run(try Impairments(parsing: "--corrupt 100%"))
    #expect(broken.invalid > 0 && broken.invalid + broken.delivered == 77)
  }
}
