import Foundation
import TelecapTestSupport
import Testing

/// The recorded sessions in Captures/, each beside its dissection.
@Suite("Captures of real sessions", .smoke) struct CapturesOfRealSessionsTests {
  static let folder = Project.file("Captures")
    .standardizedFileURL
  static let names = [
    "force-ramp", "teleoperation", "busy", "wrong-code", "mouse-drag", "tcp-v1", "malformed", "tele-ble", "mouse-hid",
  ]

  @Test("Dissect as they did when they were recorded", arguments: names) func dissectAsTheyDidWhenTheyWereRecorded(
    name: String
  ) throws {
    let capture = Self.folder.appending(path: "\(name).pcapng").path
    let found = try Program.run(["dissect", capture, "--format", "json"])
    let expected = try String(contentsOf: Self.folder.appending(path: "\(name).json"), encoding: .utf8)
    #expect(found.status == 0)
    #expect(found.output == expected)
    #expect(!expected.isEmpty)
  }

  @Test(
    "Hold every message of their kind, all valid",
    arguments: [
      ("force-ramp", ["HELLO", "ACK", "POSE", "HAPTIC", "BYE"]),
      ("teleoperation", ["HELLO", "ACK", "POSE", "CMD", "HAPTIC", "BYE"]),
      ("tcp-v1", ["HELLO", "ACK", "CONFIG", "POSE", "CMD", "HAPTIC", "BYE"]),
      ("mouse-drag", ["MOVEMENT", "CONTROL"]), ("mouse-hid", ["REPORT"]),
      ("tele-ble", ["AUTH", "CONFIG", "HEARTBEAT", "POSE", "CMD", "HAPTIC"]),
    ])
  func holdEveryMessageOfTheirKindAllValid(name: String, types: [String]) throws {
    let messages = try Program.run(["dissect", Self.folder.appending(path: "\(name).pcapng").path, "--format", "json"])
      .json()
    #expect(Set(messages.compactMap { $0["type"] as? String }) == Set(types))
    #expect(messages.allSatisfy { ($0["findings"] as? [Any])?.isEmpty == true })
  }

  @Test("Are summed up and drawn, whatever carried them", arguments: names) func areSummedUpAndDrawnWhateverCarriedThem(
    name: String
  ) throws {
    let capture = Self.folder.appending(path: "\(name).pcapng").path
    let info = try Program.run(["info", capture])
    #expect(info.status == 0 && info.output.contains("sessions"), "\(info.errors)")
    let folder = try Folder()
    let report = try Program.run(["report", capture, "-o", folder["report.html"]])
    #expect(report.status == 0, "\(report.errors)")
    #expect(try String(contentsOfFile: folder["report.html"], encoding: .utf8).contains("<svg"))
  }

  @Test("Show the host's refusals")
  func showTheHostsRefusals() throws {
    for (name, status) in [("busy", 2), ("wrong-code", 1)] {
      let messages = try Program.run([
        "dissect", Self.folder.appending(path: "\(name).pcapng").path, "--format", "json",
      ])
      .json()
      let answers = messages.filter { $0["type"] as? String == "ACK" }.compactMap { $0["fields"] as? [String: Any] }
      #expect(answers.contains { $0["status"] as? Int == status }, "\(name)")
    }
  }

  @Test("Raise every finding that one message can")
  func raiseEveryFindingThatOneMessageCan() throws {
    let messages = try Program.run([
      "dissect", Self.folder.appending(path: "malformed.pcapng").path, "--format", "json",
    ])
    .json()
    let rules = Set(
      messages.flatMap { $0["findings"] as? [[String: Any]] ?? [] }.compactMap { $0["rule"] as? String })
    #expect(
      rules.isSuperset(of: [
        "header.magic", "header.version", "header.type", "length.truncated", "length.trailing", "mouse.length",
        "mouse.header", "value.out-of-range", "value.not-a-number", "value.unknown-code", "mouse.minus-128",
        "reserved.nonzero", "pose.quaternion", "hello.code-characters", "beacon.name", "config.json",
        "message.transport", "message.direction",
      ]))
  }

  @Test("Are small, and all of them are described")
  func areSmallAndAllOfThemAreDescribed() throws {
    let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files.filter { $0.hasSuffix(".pcapng") }) == Set(Self.names.map { $0 + ".pcapng" }))
    for file in files {
      let size = try FileManager.default.attributesOfItem(atPath: Self.folder.appending(path: file).path)[.size] as? Int
      #expect(size ?? .max < 300_000, "\(file)")
    }
    #expect(Self.names.allSatisfy { readme.contains("`\($0)`") })
  }
}
