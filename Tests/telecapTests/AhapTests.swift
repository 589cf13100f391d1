import Foundation
import TelecapHaptics
import TelecapModels
import TelecapTestSupport
import Testing

/// The built program as a user of `telecap ahap` runs it.
@Suite("ahap", .real("runs telecap"))
struct AhapTests {
  let folder: Folder
  static let explosion = Project.file("Captures/haptics/explosion.ahap").path

  init() throws { folder = try Folder() }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("The explosion and its picture are what the tool makes")
  func theExplosionAndItsPictureAreWhatTheToolMakes() throws {
    let made = try Program.run(["ahap", "make", "explosion"])
    #expect(try made.output == text(AhapTests.explosion))
    let picture = folder["explosion.svg"]
    #expect(try Program.run(["ahap", "render", AhapTests.explosion, "-o", picture]).status == 0)
    #expect(try text(picture) == text(Project.file("Documentation/explosion.svg").path))
  }

  @Test("What is made lints without a finding", arguments: ["normal", "multi", "gradual", "heavy", "explosion"])
  func whatIsMadeLintsWithoutAFinding(name: String) throws {
    let path = folder["\(name).ahap"]
    #expect(try Program.run(["ahap", "make", name, "-o", path]).status == 0)
    let end = try Program.run(["ahap", "lint", path])
    #expect(end.status == 0)
    #expect(end.output.isEmpty && end.errors == "1 file: 0 errors, 0 warnings, 0 notes\n")
    let again = try Program.run(["ahap", "make", name, "-o", path])
    #expect(again.status == 73, "an existing file is not replaced")
  }

  @Test("An explosion farther away is weaker, and one of stone duller")
  func anExplosionFartherAwayIsWeakerAndOneOfStoneDuller() throws {
    func pattern(_ options: String) throws -> AHAP {
      let end = try Program.run("ahap make explosion \(options)")
      #expect(end.status == 0, "\(end.errors)")
      return AHAPReading(Array(end.output.utf8)).pattern
    }
    let far = try pattern("--distance 2m --material glass")
    #expect(far == AHAP(.explosion).with(AHAP(ExplosionFeel(intensity: 0.5, crack: 1, rumble: 0.8))))
    let dull = try pattern("--distance 400cm --material stone")
    #expect(dull == AHAP(.explosion).with(AHAP(ExplosionFeel(intensity: 0.25, crack: 0.6, rumble: 0.4))))
    #expect(try pattern("--material 0.1,0.3") != dull)
    for wrong in ["--distance 2", "--distance -2m", "--material wood", "--material 0.5,0.2"] {
      #expect(try Program.run("ahap make explosion \(wrong)").status == 64)
    }
    #expect(try Program.run("ahap make heavy --distance 2m").status == 64)
  }

  @Test("Lint notes a continuous event over a second")
  func lintNotesAContinuousEventOverASecond() throws {
    func found(_ seconds: String) throws -> String {
      let text = """
        {"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": \(seconds),
        "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1},
        {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}}]}
        """
      return try Program.run(["ahap", "lint", try folder.write(Array(text.utf8), to: "\(seconds).ahap")]).output
    }
    #expect(try found("1.0").isEmpty)
    #expect(
      try found("1.5").contains(
        "note: this event lasts 1.5 s; a continuous event over 1 s costs power [ahap.advice.long]"))
  }

  @Test("Lint tells errors with line, column and path, and exits 1")
  func lintTellsErrorsWithLineColumnAndPathAndExits1() throws {
    let path = try folder.write(
      Array("{\"Version\": 1, \"Pattern\": [\n  {\"Event\": {\"Time\": -1, \"EventType\": \"Tap\"}},\n]}".utf8),
      to: "x.ahap")
    let end = try Program.run(["ahap", "lint", path])
    #expect(end.status == 1)
    #expect(end.lines.contains { $0.hasPrefix("\(path):2:22: error: ") && $0.hasSuffix("$.Pattern[0].Event.Time") })
    #expect(end.lines.contains { $0.contains("[ahap.event.type]") })
    #expect(end.lines.contains { $0.contains("[ahap.json.trailing-comma]") })
    let refused = try Program.run(["ahap", "render", path])
    #expect(refused.status == 65 && refused.errors.contains("\(path):2:22: "))
    #expect(try Program.run(["ahap", "lint", folder["none.ahap"]]).status == 66)
  }

  @Test("Render writes samples")
  func renderWritesSamples() throws {
    let end = try Program.run(["ahap", "render", AhapTests.explosion, "--csv", "--rate-hz", "50"])
    #expect(
      end.lines.prefix(3) == ["time_s,intensity,sharpness", "0.000000,1.000000,1.000000", "0.020000,1.000000,1.000000"])
    #expect(end.lines.count == 33)
    let file = folder["x.csv"]
    #expect(try Program.run(["ahap", "render", AhapTests.explosion, "-o", file, "--rate-hz", "50"]).status == 0)
    #expect(try text(file) == end.output)
  }

  @Test("Render draws in the terminal")
  func renderDrawsInTheTerminal() throws {
    let lines = try Program.run(["ahap", "render", AhapTests.explosion]).lines
    #expect(lines.first == "explosion.ahap" && lines.contains { $0.hasPrefix("1 ┤█") })
  }

  @Test("Play into a model ends with verdicts, also with loss")
  func playIntoAModelEndsWithVerdictsAlsoWithLoss() throws {
    let end = try Program.run([
      "ahap", "play", AhapTests.explosion, "--to", "model:phone", "--loss", "20%", "--seed", "7",
    ])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("PASS  tele.haptic.latest-value-wins"))
    #expect(end.output.contains("network   loss 20%"))
  }

  /// A pattern goes out as HAPTIC over a real socket, is recorded, and becomes a pattern again. What was sent is the first
  /// pattern, value by value; when it was sent is the clock's business: at the moment at which each message really went out,
  /// however late, the second pattern is within the tolerance of it.
  @Test("A pattern survives the wire")
  func aPatternSurvivesTheWire() throws {
    let sink = try Socket.udp()
    let capture = folder["sent.pcapng"]
    let played = try Program.run([
      "ahap", "play", AhapTests.explosion, "--to", "127.0.0.1:\(sink.port)", "--record", capture,
    ])
    #expect(played.status == 0, "\(played.errors)")
    let felt = folder["felt.ahap"]
    let from = try Program.run([
      "ahap", "from", capture, "--tolerance", "0.02", "-o", felt, "--tele-udp", "\(sink.port)",
    ])
    #expect(from.status == 0, "\(from.errors)")
    let sent = try sent(capture, port: Int(sink.port))
    let first = HapticTimeline(AHAPReading(Array(try text(AhapTests.explosion).utf8)).pattern)
    let second = HapticTimeline(AHAPReading(Array(try text(felt).utf8)).pattern)
    #expect(sent.count == 14, "20 a second for 0.62 s, and the 0 behind them")
    for (index, message) in sent.enumerated() {
      #expect(abs(message.intensity - first.sample(at: Double(index) / 20).intensity) < 1e-6, "message \(index)")
      let difference = abs(message.intensity - second.sample(at: message.time).intensity)
      #expect(difference <= 0.02 + 1e-6, "message \(index), sent at \(message.time) s")
    }
  }

  /// The HAPTIC messages of a recording: when each was sent, in s since the first, and its intensity.
  private func sent(_ capture: String, port: Int) throws -> [(time: Double, intensity: Double)] {
    let end = try Program.run([
      "dissect", capture, "--format", "json", "--where", "type = 'HAPTIC'", "--tele-udp", "\(port)",
    ])
    let messages = try end.json().map { message in
      let fields = try #require(message["fields"] as? [String: Any])
      return (
        time: try #require(message["time_ns"] as? NSNumber).int64Value,
        intensity: try #require(fields["intensity"] as? NSNumber).doubleValue
      )
    }
    let start = try #require(messages.first).time
    return messages.map { (time: Double($0.time - start) / 1e9, intensity: $0.intensity) }
  }

  @Test("A recording without HAPTIC is told")
  func aRecordingWithoutHAPTICIsTold() throws {
    let capture = folder["poses.pcap"]
    try Data(Traffic.session().pcap()).write(to: URL(filePath: capture))
    let end = try Program.run(["ahap", "from", capture, "--where", "type = 'POSE'"])
    #expect(end.status == 65 && !end.errors.isEmpty)
  }
}

extension AHAP {
  /// The same file with the pattern of `other`.
  fileprivate func with(_ other: AHAP) -> AHAP {
    var copy = self
    copy.pattern = other.pattern
    return copy
  }
}
