import Foundation
import TelecapTestSupport
import Testing

/// Devices that are programs, by their system files: right ones that were written from the specification alone pass, and each
/// fault that is put into one fails the requirement that it breaks, and no other.
@Suite("Devices that are programs", .real("runs telecap"))
struct DeviceProgramTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A system file of `Tests/Independent` whose program has this fault.
  private func system(_ name: String, _ fault: String? = nil) throws -> String {
    let original = Project.file("Tests/Independent/\(name).yaml")
    guard let fault else { return original.path }
    let text = try String(contentsOf: original, encoding: .utf8).replacing(".py", with: ".py, --fault, \(fault)")
    let place = original.deletingLastPathComponent().path
    return try folder.write(Array(text.replacing("./", with: place + "/").utf8), to: "\(name)-\(fault).yaml")
  }

  /// A device that is this script of the shell.
  private func script(_ text: String, role: String = "ahap", _ more: String = "") throws -> String {
    let file = "role: \(role)\ncommand: [/bin/sh, -c, '\(text.replacing("'", with: "''"))']\n\(more)"
    return try folder.write(Array(file.utf8), to: "script.yaml")
  }

  private func verdicts(_ file: String, _ only: String = "*") throws -> (status: Int32, [[String: Any]]) {
    let run = try Program.run(["conform", "--sut", file, "--only", only, "--time-limit", "3s", "--format", "json"])
    let lines = try run.json().filter { $0["verdict"] is String && $0["requirement"] != nil }
    #expect(!lines.isEmpty, "\(run.output)\(run.errors)")
    return (run.status, lines)
  }

  @Test(
    "Right ones pass all",
    arguments: sampled(
      [
        ("ahap-player", 17), ("touch-tracer", 20), ("haptic-engine", 23), ("sound-space", 18), ("senses-shell", 18),
      ], oneIn: 5))
  func right(_ name: String, _ count: Int) throws {
    let (status, lines) = try verdicts(try system(name))
    let wrong = lines.filter { $0["verdict"] as? String != "pass" }
    #expect(status == 0 && wrong.isEmpty && lines.count == count, "\(lines.count): \(wrong)")
  }

  private static let audioDistances = [
    "audio.distance.exponential", "audio.distance.inverse", "audio.distance.linear", "audio.head",
  ]

  /// Faults of the programs, with what each breaks.
  static let faults: [(name: String, fault: String, requirements: [String])] = [
    ("ahap-player", "no-clamp", ["ahap.parse.clamp", "ahap.parse.malformed"]),
    (
      "ahap-player", "steps",
      [
        "ahap.curve.interpolation", "ahap.curve.relative-time", "ahap.parse.clamp", "ahap.parse.malformed",
        "ahap.parse.unknown-keys",
      ]
    ),
    (
      "ahap-player", "absolute-times",
      ["ahap.curve.relative-time", "ahap.parse.clamp", "ahap.parse.malformed", "ahap.parse.unknown-keys"]
    ),
    ("ahap-player", "defaults-zero", ["ahap.parse.defaults", "ahap.parse.malformed"]),
    (
      "ahap-player", "silent",
      ["ahap.parse.clamp", "ahap.parse.defaults", "ahap.parse.malformed", "ahap.parse.unknown-keys"]
    ),
    ("ahap-player", "plays-malformed", ["ahap.parse.malformed"]),
    ("ahap-player", "forgets", ["ahap.parse.malformed"]), ("ahap-player", "crash", ["ahap.parse.malformed"]),
    ("touch-tracer", "threshold-inclusive", ["touch.trace.latched", "touch.trace.light"]),
    ("touch-tracer", "unlatched", ["touch.trace.latched"]),
    (
      "touch-tracer", "no-began",
      [
        "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll", "touch.trace.deep",
        "touch.trace.latched", "touch.trace.light",
      ]
    ),
    (
      "touch-tracer", "light-taps",
      [
        "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll",
        "touch.trace.latched", "touch.trace.light", "touch.trace.light-tap",
      ]
    ),
    ("touch-tracer", "medium-first", ["touch.texture.scroll"]),
    ("touch-tracer", "edges-in-only", ["touch.texture.edges"]),
    ("touch-tracer", "ten-points", ["touch.texture.grain", "touch.texture.scroll", "touch.trace.light"]),
    ("touch-tracer", "second-finger", ["touch.trace.light"]),
    ("touch-tracer", "traces-without-pressure", ["touch.trace.no-pressure"]),
    ("touch-tracer", "feels-glass", ["touch.texture.none"]),
    ("haptic-engine", "normal-strong", ["haptics.engine.restart", "haptics.pattern.normal"]),
    ("haptic-engine", "multi-border", ["haptics.engine.restart", "haptics.pattern.multi"]),
    ("haptic-engine", "gradual-edges", ["haptics.engine.restart", "haptics.pattern.gradual"]),
    ("haptic-engine", "heavy-grows", ["haptics.engine.restart", "haptics.pattern.heavy"]),
    ("haptic-engine", "stays-down-on-failure", ["haptics.engine.restart"]),
    (
      "haptic-engine", "stays-down-on-reset",
      [
        "haptics.engine.restart", "haptics.pattern.gradual", "haptics.pattern.heavy", "haptics.pattern.multi",
        "haptics.pattern.normal", "haptics.thermal.low-power", "haptics.thermal.serious",
      ]
    ),
    ("haptic-engine", "reads-again", ["haptics.engine.restart"]),
    ("haptic-engine", "plays-unsupported", ["haptics.engine.unsupported-device"]),
    (
      "haptic-engine", "starts-now",
      [
        "haptics.engine.restart", "haptics.pattern.gradual", "haptics.pattern.heavy", "haptics.pattern.multi",
        "haptics.pattern.normal", "haptics.sync.future-scheduling", "haptics.thermal.low-power",
        "haptics.thermal.serious",
      ]
    ),
    ("haptic-engine", "plays-hot", ["haptics.engine.restart", "haptics.thermal.low-power", "haptics.thermal.serious"]),
    ("haptic-engine", "silent-play-hot", ["haptics.thermal.low-power", "haptics.thermal.serious"]),
    ("haptic-engine", "plays-in-low-power", ["haptics.thermal.low-power"]),
    ("sound-space", "square", ["audio.distance.inverse", "audio.head", "audio.scale"]),
    ("sound-space", "linear-from-zero", ["audio.distance.linear", "audio.head"]),
    ("sound-space", "no-rolloff", ["audio.distance.exponential", "audio.head"]),
    ("sound-space", "louder-than-full", audioDistances + ["audio.side"]),
    ("sound-space", "fades-forever", audioDistances),
    ("sound-space", "metres", ["audio.head", "audio.scale"]),
    ("sound-space", "left-is-right", ["audio.behind", "audio.head", "audio.side"]),
    ("sound-space", "by-azimuth", ["audio.behind", "audio.head", "audio.side"]),
    ("sound-space", "no-delay", ["audio.head", "audio.side"]), ("sound-space", "with-listener", ["audio.head"]),
    ("sound-space", "head-on-speakers", ["audio.head"]), ("sound-space", "places-stereo", ["audio.mono"]),
    ("senses-shell", "far-as-near", ["senses.map.intensity"]),
    ("senses-shell", "weak-as-strong", ["senses.map.intensity"]),
    ("senses-shell", "dull-crack", ["senses.map.sharpness"]),
    ("senses-shell", "sharp-rumble", ["senses.map.sharpness"]),
    ("senses-shell", "twice", ["senses.drain"]), ("senses-shell", "latest-only", ["senses.drain"]),
    ("senses-shell", "backwards", ["senses.drain"]), ("senses-shell", "too-early", ["senses.drain"]),
    ("senses-shell", "feels-hot", ["senses.degrade"]), ("senses-shell", "places-hot", ["senses.degrade"]),
    ("senses-shell", "sounds-critical", ["senses.degrade"]), ("senses-shell", "all-particles", ["senses.degrade"]),
    ("senses-shell", "pattern-in-low-power", ["senses.degrade"]), ("senses-shell", "never-mixes", ["senses.degrade"]),
  ]

  @Test("A fault fails its requirement, and no other", arguments: sampled(faults, oneIn: 16))
  func wrong(_ name: String, _ fault: String, _ requirements: [String]) throws {
    let (status, lines) = try verdicts(try system(name, fault))
    let failed = lines.filter { $0["verdict"] as? String == "fail" }
    let rest = lines.filter { !["pass", "fail"].contains($0["verdict"] as? String) }
    #expect(status == 1 && rest.isEmpty, "\(rest)")
    #expect(Set(failed.compactMap { $0["requirement"] as? String }).sorted() == requirements)
  }

  @Test(
    "One that crashes, hangs, floods, stops short or prints nothing is broken",
    arguments: sampled(
      [
        ("cat > /dev/null; exit 3", "it exited with status 3; it printed nothing"),
        ("kill -9 $$", "it was ended by signal 9; it printed nothing"),
        (
          "echo on the way; exec sleep 100",
          "it hung: it did not end within 300 ms; it printed: on the way"
        ), ("true", "it ended without having said {\"event\": \"done\"}"),
        ("yes", "it printed more than 4096 bytes"),
      ], oneIn: 5))
  func broken(_ text: String, _ reason: String) throws {
    let file = try script(text, "end: {within: 300ms}\noutput-limit: 4096\n")
    let run = try Program.run(["conform", "--sut", file, "--only", "ahap.curve.interpolation"])
    #expect(run.status == 1 && run.output.contains("ERROR  "), "\(run.output)\(run.errors)")
    #expect(run.output.contains(reason), "\(run.output)")
  }

  /// What cannot be read is never taken for nothing that was said: these scenarios require that something is not.
  @Test(
    "What is printed and cannot be read is inconclusive",
    arguments: sampled(
      [
        ("echo '{\"t\": 0.1, \"event\": \"handed-on\", \"phase\": \"beg'", "begin like a JSON object and are none"),
        ("echo '{\"t\": 0.1, \"event\": \"handed-on\"}'", "there is no \"phase\" in it"),
        ("echo '{\"event\": \"handed-on\", \"phase\": \"began\"}'", "there is no \"t\" in it"),
        (
          "echo '{\"t\": -1, \"event\": \"handed-on\", \"phase\": \"began\"}'",
          "\"t\" is no time of the run: -1.0"
        ),
        (
          "echo '{\"t\": 1, \"event\": \"handed-on\", \"phase\": \"begins\"}'",
          "\"begins\" at phase is not began, moved, stationary, ended or cancelled"
        ),
      ], oneIn: 5))
  func unread(_ text: String, _ reason: String) throws {
    let file = try script(text + "; echo '{\"event\": \"done\"}'", role: "touch")
    let run = try Program.run(["conform", "--sut", file, "--only", "touch.trace.light-tap", "--seeds", "1"])
    #expect(run.status == 1 && run.output.contains("INCONCLUSIVE") && !run.output.contains("PASS"), "\(run.output)")
    #expect(run.output.contains(reason), "\(run.output)")
  }

  /// The same where only impacts are required, and by a rule of the file.
  @Test(
    "An impact that cannot be read is not taken for none",
    arguments: sampled(
      ["", "shows: {events: [{is: impact, when: {event: impact}, fields: {style: how}}]}\n"], oneIn: 2))
  func unreadImpact(_ shows: String) throws {
    let text = "echo '{\"t\": 0.2, \"event\": \"impact\", \"style\": \"soft\"}'; echo '{\"event\": \"done\"}'"
    let (status, lines) = try verdicts(try script(text, role: "touch", shows), "touch.texture.none")
    #expect(status == 1 && lines.map { $0["verdict"] as? String } == ["inconclusive"], "\(lines)")
  }

  /// It hands a light tap on, by a name that its file has wrong.
  @Test("What a rule does not match is not taken for nothing")
  func whatARuleDoesNotMatchIsNotTakenForNothing() throws {
    let text = "echo '{\"t\": 0.1, \"did\": \"touch\", \"phase\": \"began\"}'; echo '{\"event\": \"done\"}'"
    let file = try script(text, role: "touch", "shows: {events: [{is: handed-on, when: {did: touches}}]}\n")
    let (status, lines) = try verdicts(file, "touch.trace.light-tap")
    #expect(status == 1 && lines.map { $0["verdict"] as? String } == ["inconclusive"], "\(lines)")
    #expect("\(lines)".contains("no line of the program matched the rule"), "\(lines)")
  }

  @Test("A rule that matches nothing is told and fails the check")
  func aRuleThatMatchesNothingIsToldAndFailsTheCheck() throws {
    let text = try String(contentsOf: Project.file("Tests/Independent/haptic-engine.yaml"), encoding: .utf8)
    let place = Project.file("Tests/Independent").path
    let wrong = text.replacing("./", with: place + "/").replacing("what: tap", with: "what: knock")
    let file = try folder.write(Array(wrong.utf8), to: "wrong.yaml")
    let right = try Program.run([
      "conform", "--sut", Project.file("Tests/Independent/haptic-engine.yaml").path, "--check",
    ])
    #expect(right.status == 0, "\(right.output)\(right.errors)")
    let check = try Program.run(["conform", "--sut", file, "--check"])
    #expect(check.status == 1 && check.output.contains("no line of the program matched the rule \"impact\" (line "))
    let (status, lines) = try verdicts(file, "haptics.thermal.low-power")
    #expect(status == 1 && lines.map { $0["verdict"] as? String } == ["inconclusive"], "\(lines)")
  }

  /// The file that a program is told by is there while it runs, and nothing of it is left.
  @Test("The stimulus is a file of its own that is gone afterwards")
  func theStimulusIsAFileOfItsOwnThatIsGoneAfterwards() throws {
    let told = folder["told"]
    let file = try script(
      "cmp -s - \"$STIMULUS\" && cat \"$STIMULUS\" > \(told); echo \"$STIMULUS\" > \(told).path; echo '{\"event\": \"done\"}'"
    )
    _ = try Program.run(["conform", "--sut", file, "--only", "ahap.parse.malformed"])
    let lines = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n")
    #expect(lines.first == #"{"t": 0.0, "do": "set-up", "role": "ahap"}"#)
    #expect(lines.dropFirst().first?.hasPrefix(#"{"t": 0.0, "do": "read", "text": "{\"Version\": 1, "#) == true)
    #expect(lines.suffix(2).first == #"{"t": 2.0, "do": "sample"}"# && lines.last?.hasSuffix(#""do": "end"}"#) == true)
    let path = try String(contentsOfFile: told + ".path", encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(!path.isEmpty && !FileManager.default.fileExists(atPath: path))
  }
}
