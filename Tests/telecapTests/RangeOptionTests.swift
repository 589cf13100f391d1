import Foundation
import TelecapTestSupport
import Testing

/// `--from` and `--until`: the same range in every command that shows a recording.
@Suite("A range of a recording", .smoke)
struct RangeOptionTests {
  private static let capture = Project.file("Captures/teleoperation.pcapng").path
  private let range = ["--from", "0.5", "--until", "600ms"]
  private let note = "from 0.500 s until 0.600 s: 8 of 129 packets; counts are of this range"
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("dissect shows the messages of the range, in their session")
  func dissect() throws {
    let run = try Program.run(["dissect", Self.capture] + range)
    #expect(run.status == 0 && run.errors == "\(Self.capture): \(note)\n", "\(run.errors)")
    let heads = run.output.split(separator: "\n").filter { $0.hasPrefix("packet ") }
    #expect(heads.count == 8 && heads.allSatisfy { $0.contains("  0.5") && $0.hasSuffix("session 1") }, "\(heads)")
    let poses = try Program.run(
      ["dissect", Self.capture, "--where", "type = 'POSE'", "--format", "json", "--summary"] + range)
    #expect(try poses.json().first?["packets"] as? Int == 6)
  }

  @Test("info and export count the range, and say so")
  func infoAndExport() throws {
    let info = try Program.run(["info", Self.capture] + range)
    #expect(info.status == 0 && info.errors.contains(note), "\(info.errors)")
    #expect(info.output.contains("range         from 0.500 s until 0.600 s: 8 of 129 packets"), "\(info.output)")
    let json = try Program.run(["info", Self.capture, "--format", "json"] + range)
    let object = try #require(try json.json().first)
    #expect(object["packets"] as? Int == 8)
    #expect(object["dropped"] == nil)
    #expect((object["range"] as? [String: Any])?["until_ns"] as? Int == 600_000_000)
    let csv = try Program.run(["export", Self.capture, "--columns", "seconds"] + range)
    let seconds = csv.output.split(separator: "\n").dropFirst().compactMap { Double($0) }
    #expect(seconds.count == 8 && seconds.allSatisfy { (0.5..<0.6).contains($0) }, "\(csv.output)")
    let part = folder["part.pcapng"]
    #expect(try Program.run(["export", Self.capture, "-o", part] + range).status == 0)
    #expect(try Program.run(["info", part, "--format", "json"]).json().first?["packets"] as? Int == 8)
  }

  @Test("A report states its range")
  func report() throws {
    let page = folder["part.html"]
    let run = try Program.run(["report", Self.capture, "-o", page] + range)
    #expect(run.status == 0 && run.errors.contains(note), "\(run.errors)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("from 0.500 s until 0.600 s: 8 of 129 packets."))
  }

  @Test("A range after the end is no error", arguments: ["dissect", "info", "export"])
  func empty(_ command: String) throws {
    let run = try Program.run([command, Self.capture, "--from", "2"])
    #expect(run.status == 0)
    #expect(
      run.errors.contains("nothing to show from 2.000 s: the last of 129 packets is at 1.504 s"), "\(run.errors)")
  }

  @Test(
    "A range that has no effect, or no packet ever, is an error",
    arguments: [
      ("dissect a --from 2 --until 1", "--from 2s is not before --until 1s"),
      ("view a --from 1 --until 1", "--from 1s is not before --until 1s"),
      ("dissect --hex 00 --from 1", "--from requires a file"),
      ("report a -o b --plan c --from 1", "--plan cannot be combined with --from and --until"),
    ])
  func refused(_ line: String, _ words: String) throws {
    let run = try Program.refuse(line)
    #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
  }
}
