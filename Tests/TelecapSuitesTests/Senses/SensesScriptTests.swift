import Foundation
import TelecapConformance
import TelecapHaptics
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@Suite struct SensesScriptTests {
  private let schema = Project.file("Documentation/senses.schema.json")

  private var made: String {
    JSONSchema.text(
      of: SensesScriptFile.shape, id: "https://telecap.dev/senses.schema.json", title: "A script of telecap senses")
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema file is the decoder's own schema")
  func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: schema, atomically: true, encoding: .utf8)
      Issue.record("recorded \(schema.path)")
    }
    #expect(try String(contentsOf: schema, encoding: .utf8) == made)
  }

  @Test("The script of the project is read")
  func theScriptOfTheSeedIsRead() throws {
    let text = try String(contentsOf: Project.file("Captures/senses/explosion.yaml"), encoding: .utf8)
    let script = try SensesScriptFile.read(text, file: "explosion.yaml")
    #expect(script.events.count == 12 && script.changes.count == 8 && script.space.scale == 0.01)
    #expect(script.space.output == .headset && script.lead == 50_000_000)
  }

  @Test("Every key is read")
  func everyKeyIsTakenOver() throws {
    let script = try SensesScriptFile.read(
      """
      title: all
      seed: 9
      trials: 7
      lead: 20ms
      lasts: 9s
      players: 2
      space: {scale: 2, output: headset, distance: linear, reference: 2, maximum: 8, rolloff: 0.5}
      device: {haptics: false, refresh: 120, audio: 20ms, audio-jitter: 1ms, haptic: 5ms, haptic-jitter: 2ms}
      camera: [{at: 1s, position: [1, 2, 3], yaw: 90}]
      head: [{at: 1s, pitch: 90}]
      world: [{at: 1s, interruption: begins}, {at: 2s, interruption: ends, busy: 3ms, category: ambient}]
      events: [{at: 3s, explosion: {position: [1, 2, 3], goes-to: [4, 5, 6], energy: 0.5, material: [0.1, 0.2]}}]
      """, file: "all.yaml")
    #expect(script.seed == 9 && script.trials == 7 && script.lead == 20_000_000 && script.duration == 9_000_000_000)
    #expect(script.players == 2 && !script.supportsHaptics)
    let law = DistanceGain(.linear, reference: 2, maximum: 8, rolloff: 0.5)
    #expect(script.space == SoundSpace(scale: 2, distance: law, output: .headset))
    #expect(script.device.display == .display(hertz: 120))
    #expect(script.device.audio == .audio(latency: 20_000_000, jitter: 1_000_000))
    #expect(script.device.haptic == .haptic(latency: 5_000_000, jitter: 2_000_000))
    let listener = script.listener.listener(at: .zero)
    #expect(listener.position == Vector3(1, 2, 3) && listener.camera == Rotation(Attitude(yaw: 90)))
    #expect(listener.head == Rotation(Attitude(pitch: 90)))
    #expect(
      script.changes.map(\.change) == [
        .interruption(isOn: true), .category(.ambient), .interruption(isOn: false), .busy(3_000_000),
      ])
    let material = Material("0.1 to 0.2", 0.1...0.2)
    let explosion = Explosion(at: Vector3(1, 2, 3), goesTo: Vector3(4, 5, 6), energy: 0.5, material: material)
    #expect(script.events.map(\.event) == [.explosion(explosion)])
  }

  @Test(
    "An error in a script names its line and column",
    arguments: [
      ("", "1:1: senses has no \"title\""), ("events: []", "1:1: senses has no \"title\""),
      ("space: {scale: 0}", "3:16: scale is 1e-09 to 1000000000"), ("space: {outputs: x}", "did you mean \"output\"?"),
      ("space: {reference: 5, maximum: 2}", "the maximum is not below the reference"),
      ("trials: 0", "3:9: trials is 1 to 1000000"), ("lead: 2s", "3:7: lead is at most 1s"),
      ("head: [{at: 0s, yaw: 5}]", "nothing reports the head without a headset"),
      ("camera: [{at: 0s, position: [1, 2]}]", "a place is [x, y, z]"),
      ("camera: [{at: 2s}, {at: 1s}]", "times do not run back: the entry before is at 2s"),
      ("world: [{at: 0s}]", "nothing changes here"), ("world: [{at: 0s, thermal: hot}]", "expected one of nominal"),
    ])
  func whatIsWrongIsToldWithItsPlace(_ line: String, _ words: String) {
    let text = line.isEmpty ? "events: []\n" : line == "events: []" ? line : "title: x\nevents: []\n\(line)\n"
    #expect {
      try SensesScriptFile.read(text, file: "x.yaml")
    } throws: { "\($0)".contains(words) }
  }

  @Test(
    "An error in an event names its line and column",
    arguments: [
      ("{at: 0s}", "an event is an explosion or a ring"), ("{at: 0s, ring: 2}", "ring is 0 to 1"),
      ("{at: 0s, ring: 1, explosion: {position: [0, 0, 0]}}", "not both"),
      ("{at: 0s, explosion: {}}", "explosion has no \"position\""),
      ("{at: 0s, explosion: {position: [0, 0, 0], energy: 2}}", "energy is 0 to 1"),
      ("{at: 0s, explosion: {position: [0, 0, 0], material: wood}}", "material is glass, stone, or two numbers"),
      ("{at: 0s, explosion: {position: [0, 0, 0], material: [1, 0]}}", "the first not above the second"),
      ("{at: 0s, explosion: {position: [.nan, 0, 0]}}", "a place is [x, y, z]"),
      ("{at: 700s, ring: 1}", "at is at most"),
    ])
  func whatIsWrongWithAnEventIsToldWithItsPlace(_ event: String, _ words: String) {
    #expect {
      try SensesScriptFile.read("title: x\nevents: [\(event)]\n", file: "x.yaml")
    } throws: { "\($0)".hasPrefix("x.yaml:2:") && "\($0)".contains(words) }
  }
}
