import Foundation
import TelecapImpairment
import TelecapTestSupport
import Testing

@Suite(.real("runs telecap")) struct PlanCommandTests {
  private let folder: Folder
  private let capture: String

  init() throws {
    folder = try Folder()
    capture = folder["poses.pcapng"]
    try RecordedSession.poses(capture, 6)
  }

  @Test("The options, their help and their order are those of the list")
  func theOptionsTheirHelpAndTheirOrderAreThoseOfTheList() throws {
    let help = try Program.run(["plan", "--help"]).output
    let section = try #require(help.components(separatedBy: "IMPAIRMENTS:\n").dropFirst().first)
    let words = section.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    var rest = words[...]
    for option in ImpairmentList.all.options {
      let row = "--\(option.name) \(option.valueName.map { "<\($0)> " } ?? "")\(option.help)"
      let found = try #require(rest.range(of: row), "\(row)")
      rest = rest[found.upperBound...]
    }
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let guide = try String(
      contentsOf: tests.appending(path: "../Documentation/reference/impairments.md"), encoding: .utf8)
    for option in ImpairmentList.all.options { #expect(guide.contains("--\(option.name)"), "\(option.name)") }
  }

  @Test("A plan is these lines")
  func aPlanIsTheseLines() throws {
    let plan = try Program.run(["plan", capture, "--loss", "50%", "--delay", "20ms", "--seed", "7"])
    #expect(plan.status == 0)
    #expect(
      plan.output == """
        {"format":"telecap-plan","version":1,"seed":7,"capture":"9f6972a6695e4f15","where":"",\
        "impairments":"--loss 50% --delay 20ms","speed":"1x"}
        {"packet":1,"verdict":"drop","by":"loss"}
        {"packet":2,"verdict":"deliver","due":[25000000]}
        {"packet":3,"verdict":"deliver","due":[30000000]}
        {"packet":4,"verdict":"drop","by":"loss"}
        {"packet":5,"verdict":"drop","by":"loss"}
        {"packet":6,"verdict":"drop","by":"loss"}

        """)
  }

  @Test(
    "A saved plan runs in the time for which it was made",
    arguments: [[], ["--speed", "2x"], ["--speed", "0.5x"], ["--max-gap", "1ms"], ["--speed", "max"]])
  func aSavedPlanKeepsItsTime(options: [String]) throws {
    let made = try Folder()
    let asked = options + ["--loss", "10%", "--delay", "20ms", "--seed", "7"]
    #expect(try Program.run(["plan", capture, "-o", made["a.plan"]] + asked).status == 0)
    let direct = try Program.run(["replay", capture, "--dry-run"] + asked)
    let saved = try Program.run(["replay", capture, "--dry-run", "--plan", made["a.plan"]])
    #expect(direct.status == 0 && direct.lines.count > 3 && saved.output == direct.output)
  }

  @Test("The same seed gives the same bytes and another does not")
  func theSameSeedGivesTheSameBytesAndAnotherDoesNot() throws {
    let asked = ["plan", capture, "--loss", "30%", "--jitter", "5ms", "--distribution", "normal", "--reorder", "20%,2"]
    let runs = try ["1", "1", "2"].map { seed in
      try Program.run(asked + ["--seed", seed]).output.split(separator: "\n").dropFirst()
    }
    #expect(runs[0].count == 6)
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
  }

  @Test("A seed is chosen and told when none is given")
  func aSeedIsChosenAndToldWhenNoneIsGiven() throws {
    let plan = try Program.run(["plan", capture, "--loss", "50%"])
    let seed = try #require(plan.errors.firstMatch(of: #/seed (\d+)/#)).1
    let again = try Program.run(["plan", capture, "--loss", "50%", "--seed", String(seed)])
    #expect(plan.output == again.output)
  }

  @Test("No packet is lost at zero and every one at a hundred percent")
  func noPacketIsLostAtZeroAndEveryOneAtAHundredPercent() throws {
    for (loss, word) in [("0%", "deliver"), ("100%", "drop")] {
      let plan = try Program.run(["plan", capture, "--loss", loss])
      #expect(plan.lines.dropFirst().count == 6)
      #expect(try plan.values().dropFirst().allSatisfy { $0["verdict"] == .text(word) })
    }
  }

  @Test("Only what is chosen suffers")
  func onlyWhatIsChosenSuffers() throws {
    let plan = try Program.run(["plan", capture, "--loss", "100%", "--where", "seq > 2", "--seed", "1"])
    let values = try plan.values()
    #expect(values.dropFirst().map { $0["verdict"] == "drop" } == [false, false, false, true, true, true])
    #expect(values[0]["where"] == "seq > 2", "\(values[0])")
  }

  @Test("A window leaves out what is before and behind it")
  func aWindowLeavesOutWhatIsBeforeAndBehindIt() throws {
    let plan = try Program.run(["plan", capture, "--from", "10ms", "--until", "0.02"])
    let values = try plan.values().dropFirst()
    #expect(values.map { $0["packet"] } == [3, 4] && values.first?["due"] == [0], "\(values)")
  }

  @Test("A plan of a damaged file goes as far as the file")
  func aPlanOfADamagedFileGoesAsFarAsTheFile() throws {
    let bytes = try Data(contentsOf: URL(filePath: capture))
    try bytes.dropLast(20).write(to: URL(filePath: capture))
    let plan = try Program.run(["plan", capture])
    #expect(plan.status == 65)
    #expect(plan.lines.count == 1 + 5)
    #expect(plan.errors.contains("at byte 680"))
  }

  @Test(
    "What cannot be meant is a usage error",
    arguments: [
      ["--loss", "150%"], ["--loss", "5%", "--loss-model", "gemodel:1%"], ["--stall", "5s@5s"], ["--speed", "0"],
      ["--from", "2", "--until", "1"], ["--distribution", "normal"],
    ])
  func whatCannotBeMeantIsAUsageError(_ options: [String]) throws {
    let plan = try Program.run(["plan", capture] + options)
    #expect(plan.status == 64)
    #expect(!plan.errors.isEmpty)
  }

  @Test("A file that exists is kept unless forced")
  func aFileThatExistsIsKeptUnlessForced() throws {
    let path = folder["a.plan"]
    #expect(try Program.run(["plan", capture, "-o", path]).status == 0)
    #expect(try Program.run(["plan", capture, "-o", path]).status == 73)
    #expect(try Program.run(["plan", capture, "-o", path, "--force"]).status == 0)
  }

  @Test("Nothing of that side is bad data and no file is no input")
  func nothingOfThatSideIsBadDataAndNoFileIsNoInput() throws {
    #expect(try Program.run(["plan", capture, "--role", "mouse"]).status == 65)
    #expect(try Program.run(["plan", folder["none.pcap"]]).status == 66)
    #expect(try Program.run(["plan", "-"]).status == 64)
  }
}
