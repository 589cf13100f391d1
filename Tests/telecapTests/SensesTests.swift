import Foundation
import TelecapTestSupport
import Testing

/// The built program as a user of `telecap senses` runs it.
@Suite("senses", .real("runs telecap"))
struct SensesTests {
  private let script = Project.file("Captures/senses/explosion.yaml").path

  @Test("An explosion is JSON Lines of three senses and their skew")
  func anExplosionIsJSONLinesOfThreeSensesAndTheirSkew() throws {
    let end = try Program.run(["senses", script])
    #expect(end.status == 0, "\(end.errors)")
    let rows = try end.json()
    let second = rows.filter { $0["event"] as? Int == 2 }
    #expect(Set(second.compactMap { $0["sense"] as? String }) == ["seen", "heard", "felt"])
    let heard = try #require(second.first { $0["sense"] as? String == "heard" })
    #expect(heard["left"] as? Double == 1 && heard["right"] as? Double == 0 && heard["distance_m"] as? Double == 1)
    let skew = try #require(second.first { $0["skew_of"] != nil })
    #expect((skew["ahead"] as? [String: Int])?["over_3_frames"] == 0)
    let serious = rows.filter { $0["event"] as? Int == 8 && $0["sense"] != nil }
    #expect(Set(serious.compactMap { $0["does"] as? String }) == ["burst", "unplaced", "nothing"])
  }

  @Test("It writes patterns, sound and the picture of the documentation")
  func itWritesPatternsSoundAndThePictureOfTheDocumentation() throws {
    let folder = try Folder()
    let options = ["--ahap", folder["felt"], "--wav", folder["heard.wav"], "--svg", folder["lanes.svg"]]
    let end = try Program.run(["senses", script, "--format", "text"] + options)
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("5 patterns; none for events 8 and 9, of which nothing is felt"))
    #expect(try Program.run(["ahap", "lint", "\(folder["felt"])/explosion-2.ahap"]).status == 0)
    let picture = try Data(contentsOf: URL(filePath: folder["lanes.svg"]))
    #expect(try picture == Data(contentsOf: Project.file("Documentation/senses.svg")))
    let sound = try [UInt8](file: folder["heard.wav"])
    // The first explosion is on the left: a frame is six bytes, behind a header of 44.
    let start = 44 + 6 * Int(0.57 * 48_000)
    let frames = stride(from: start, to: start + 6 * 4_800, by: 6)
    #expect(frames.contains { sound[$0 + 1] != 0 } && frames.allSatisfy { sound[$0 + 4] == 0 && sound[$0 + 5] == 0 })
    let again = try Program.run(["senses", script] + options)
    #expect(again.status == 73 && again.errors.contains("--force"))
    #expect(try Program.run(["senses", script, "--force"] + options).status == 0)
  }

  @Test("A sound of one's own is heard, and one of two channels is a bed")
  func aSoundOfOnesOwnIsHeardAndOneOfTwoChannelsIsABed() throws {
    let folder = try Folder()
    func sound(channels: UInt8) -> [UInt8] {
      Array("RIFF".utf8) + [44, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, channels, 0]
        + [0x80, 0xbb, 0, 0, 0, 0, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [8, 0, 0, 0] + [
          0, 64, 0, 64, 0, 64, 0, 64,
        ]
    }
    let mono = try folder.write(sound(channels: 1), to: "mono.wav")
    let stereo = try folder.write(sound(channels: 2), to: "stereo.wav")
    #expect(try Program.run(["senses", script, "--sound", mono]).output.contains("one channel: placed"))
    let bed = try Program.run(["senses", script, "--sound", stereo])
    #expect(bed.output.contains("two channels: a bed, played as it is") && !bed.output.contains("azimuth"))
    #expect(bed.errors.contains("two channels"))
    let none = try Program.run(["senses", script, "--sound", Project.file("README.md").path])
    #expect(none.status == 65 && none.errors.contains("no WAV file"))
  }

  private static let refused: [([String], Int32)] = [
    (["x.yaml"], 66), (["{script}", "--force"], 64), (["{script}", "--wav", "-"], 64), ([], 64),
    (["{script}", "--svg", "{script}"], 64), (["{script}", "--sound", "x.wav"], 66),
  ]

  @Test("What makes no sense is refused", arguments: refused)
  func whatMakesNoSenseIsRefused(words: [String], status: Int32) throws {
    let end = try Program.run(["senses"] + words.map { $0 == "{script}" ? script : $0 })
    #expect(end.status == status && !end.errors.isEmpty, "\(end.errors)")
  }

  @Test("A session is felt and heard, and so is its loss")
  func aSessionIsFeltAndHeardAndSoIsItsLoss() throws {
    let folder = try Folder()
    let capture = Project.file("Captures/teleoperation.pcapng").path
    func session(_ name: String, _ more: [String] = []) throws -> [[String: Any]] {
      let files = ["--ahap", folder[name], "--wav", folder["\(name).wav"], "--svg", folder["\(name).svg"]]
      let end = try Program.run(["senses", "--capture", capture] + files + more)
      #expect(end.status == 0, "\(end.errors)")
      #expect(try Program.run(["ahap", "lint", "--at-least", "warning", "\(folder[name])/felt.ahap"]).output.isEmpty)
      return try end.json()
    }
    let clean = try session("clean")
    let lossy = try session("lossy", ["--loss", "40%", "--seed", "7"])
    func felt(_ rows: [[String: Any]]) -> [Double] { rows.compactMap { $0["intensity"] as? Double } }
    #expect(felt(clean).count == 32 && felt(lossy).count == 18 && Set(felt(lossy)).isSubset(of: felt(clean)))
    #expect(clean.count - 32 == 91 && lossy.count - 18 == 55, "poses")
    #expect(try [UInt8](file: folder["clean.wav"]) != [UInt8](file: folder["lossy.wav"]))
    // Through the same network the same is felt.
    #expect(try felt(session("again", ["--loss", "40%", "--seed", "7"])) == felt(lossy))
    let right = try session("right", ["--at", "2,0,0"]).first { $0["sense"] as? String == "heard" }
    #expect((right?["azimuth_deg"] as? Double ?? 0) > 80)
  }

  private static let refusedSessions: [([String], Int32, String)] = [
    (["--capture", "mouse-drag"], 65, "neither a host nor a phone of TELE sent anything"),
    (["--capture", "wrong-code"], 65, "no session opened"), (["--capture", "none"], 66, "none.pcapng"),
    (["--capture", "teleoperation", "--at", "1,2"], 64, "is no position such as 0,0,-1"),
    (["--capture", "teleoperation", "x.yaml"], 64, "name a script, or a capture"),
    (["--capture", "teleoperation", "--seed", "3"], 64, "requires an impairment"),
    (["--capture", "teleoperation", "--sound", "x.wav"], 64, "requires --wav or --svg"),
    (["x.yaml", "--loss", "5%"], 64, "requires --capture"), (["x.yaml", "--at", "0,0,0"], 64, "requires --capture"),
    (["x.yaml", "--tele-udp", "5"], 64, "requires --capture"),
    (["x.yaml", "--follow"], 64, "requires --capture"),
    (["x.yaml", "--gatt", "1=1c8fd138-fc18-4846-954d-e509366aef68"], 64, "requires --capture"),
    (["--capture", "teleoperation", "--gatt", "1=2"], 64, "give a handle and the UUID"),
  ]

  @Test("What makes no sense of a session is refused", arguments: refusedSessions)
  func whatMakesNoSenseOfASessionIsRefused(words: [String], status: Int32, reason: String) throws {
    let arguments = words.enumerated().map { index, word in
      index > 0 && words[index - 1] == "--capture" ? Project.file("Captures/\(word).pcapng").path : word
    }
    let end = try Program.run(["senses"] + arguments)
    #expect(end.status == status && end.errors.contains(reason), "\(end.errors)")
  }

  @Test("A script that is wrong is told with its place")
  func aScriptThatIsWrongIsToldWithItsPlace() throws {
    let folder = try Folder()
    let file = try folder.write(Array("title: x\nevents:\n  - {at: 0s, explosin: {}}\n".utf8), to: "x.yaml")
    let end = try Program.run(["senses", file])
    #expect(end.status == 65 && end.errors.contains("x.yaml:3:14: unknown key \"explosin\" in event; did you mean"))
  }
}
