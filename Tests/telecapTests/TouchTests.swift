import Foundation
import TelecapTestSupport
import Testing

/// The built program as a user of `telecap touch` runs it.
@Suite("touch", .smoke)
struct TouchTests {
  let folder: Folder
  static let captures = Project.file("Captures/touch")
  static let hand = captures.appending(path: "hand.jsonl").path
  static let screen = captures.appending(path: "screen.json").path

  init() throws { folder = try Folder() }

  @Test("A button is found by feel, pressed, and another one only touched")
  func aButtonIsFoundByFeelPressedAndAnotherOneOnlyTouched() throws {
    let end = try Program.run(["touch", TouchTests.hand, "--views", TouchTests.screen])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.lines.first == "   0.034 s  light impact on list, scroll")
    #expect(end.lines.contains("   0.884 s  medium impact on fire, edge-in"))
    #expect(end.lines.contains("   1.122 s  began to fire") && end.lines.contains("   1.241 s  ended to fire"))
    #expect(!end.output.contains(" to cancel"), "a light tap activates nothing")
    #expect(end.errors == "77 samples; 20 impacts, 8 handed on\n")
  }

  @Test("A trace goes through a capture unchanged")
  func aTraceGoesThroughACaptureUnchanged() throws {
    let capture = folder["hand.telecap"]
    let stored = try Program.run(["touch", TouchTests.hand, "--store", capture])
    #expect(stored.status == 0 && stored.errors == "\(capture): 77 samples\n")
    let views = ["--views", TouchTests.screen, "--format", "json"]
    let direct = try Program.run(["touch", TouchTests.hand] + views)
    let again = try Program.run(["touch", capture] + views)
    #expect(try again.output == direct.output && direct.json().count > 20)
    #expect(try Program.run(["touch", TouchTests.hand, "--store", capture]).status == 73)
    #expect(try sql(capture, "SELECT count(*) FROM packet") == [["77"]])
  }

  @Test("The same seed loses the same samples, and began and ended are never lost")
  func theSameSeedLosesTheSameSamplesAndBeganAndEndedAreNeverLost() throws {
    let command = ["touch", TouchTests.hand, "--views", TouchTests.screen, "--loss", "100%", "--seed", "7"]
    let end = try Program.run(command)
    // What is felt is the edge of the button where the finger was lifted.
    #expect(end.errors == "77 samples, 73 lost, 4 delivered, seed 7; 1 impact, 0 handed on\n")
    let some = [
      "touch", TouchTests.hand, "--views", TouchTests.screen, "--loss", "30%", "--jitter", "20ms", "--seed", "3",
    ]
    let (first, second) = (try Program.run(some), try Program.run(some))
    #expect(first.output == second.output && first.errors == second.errors)
    #expect(!first.output.contains(" to cancel"))
  }

  @Test("A plan is written, changed by hand, and run")
  func aPlanIsWrittenChangedByHandAndRun() throws {
    let path = folder["worse.plan"]
    let views = ["--views", TouchTests.screen]
    let made = try Program.run(
      ["touch", TouchTests.hand] + views + ["--loss", "30%", "--seed", "3", "--write-plan", path])
    #expect(made.status == 0, "\(made.errors)")
    let again = try Program.run(["touch", TouchTests.hand] + views + ["--plan", path])
    #expect(again.output == made.output && again.errors == made.errors)
    // The same trace in a capture is the same trace.
    let capture = folder["hand.telecap"]
    #expect(try Program.run(["touch", TouchTests.hand, "--store", capture]).status == 0)
    #expect(try Program.run(["touch", capture] + views + ["--plan", path]).output == made.output)
    // Without its lines nothing is delivered; another trace is refused.
    let header = try String(contentsOfFile: path, encoding: .utf8).prefix { $0 != "\n" }
    let empty = try folder.write(Array("\(header)\n".utf8), to: "empty.plan")
    let nothing = try Program.run(["touch", TouchTests.hand] + views + ["--plan", empty])
    #expect(nothing.output.isEmpty && nothing.errors.hasPrefix("77 samples, 77 lost, 0 delivered"))
    let other = try folder.write(Array("{\"time\":0,\"phase\":\"began\",\"x\":1,\"y\":1}\n".utf8), to: "other.jsonl")
    let refused = try Program.run(["touch", other] + views + ["--plan", path])
    #expect(refused.status == 65 && refused.errors.contains("made for another trace"))
    #expect(try Program.run(["touch", TouchTests.hand] + views + ["--plan", path, "--loss", "1%"]).status == 64)
  }

  @Test("A plan goes to standard output, and what is felt to standard error then")
  func aPlanGoesToStandardOutputAndWhatIsFeltToStandardErrorThen() throws {
    let some = ["touch", TouchTests.hand, "--views", TouchTests.screen, "--loss", "30%", "--seed", "3"]
    let path = folder["a.plan"]
    for format in ["text", "json"] {
      let apart = try Program.run(some + ["--format", format, "--write-plan", path, "--force"])
      let piped = try Program.run(some + ["--format", format, "--write-plan", "-"])
      #expect(try piped.output == String(contentsOfFile: path, encoding: .utf8))
      #expect(piped.status == 0 && piped.errors == apart.output + apart.errors)
    }
  }

  @Test("Without pressure all is handed on")
  func withoutPressureAllIsHandedOn() throws {
    let end = try Program.run(["touch", TouchTests.hand, "--views", TouchTests.screen, "--no-pressure"])
    #expect(end.errors == "77 samples; 0 impacts, 77 handed on\n")
  }

  @Test("What is wrong is told with its place")
  func whatIsWrongIsToldWithItsPlace() throws {
    let trace = try folder.write(Array("{\"time\":0,\"phase\":\"begun\",\"x\":1,\"y\":1}\n".utf8), to: "bad.jsonl")
    let bad = try Program.run(["touch", trace, "--views", TouchTests.screen])
    #expect(bad.status == 65 && bad.errors.contains("\(trace):1:19: \"phase\" is one of began, moved"))
    let views = try folder.write(Array("{\"name\": \"a\"}".utf8), to: "bad.json")
    let wrong = try Program.run(["touch", TouchTests.hand, "--views", views])
    #expect(wrong.status == 65 && wrong.errors.contains("\(views):1:1: \"frame\" is"))
    #expect(try Program.run(["touch", TouchTests.hand]).status == 64)
    #expect(try Program.run(["touch", folder["none"], "--views", views]).status == 66)
    let empty = try folder.write([], to: "empty.jsonl")
    #expect(try Program.run(["touch", empty, "--views", TouchTests.screen]).status == 65)
  }
}
