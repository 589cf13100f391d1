import Foundation
import TelecapTestSupport
import Testing

/// What a newcomer asks for, and what is said where it is not there.
@Suite("Help for newcomers", .smoke)
struct HelpTests {
  @Test(
    "Help for a command that there is not is an error",
    arguments: [
      (["help", "xyzzy"], "there is no command 'xyzzy'; there are record,"),
      (["help", "nosuch"], "there is no command 'nosuch'"),
      (["help", "confrom"], "there is no command 'confrom'; did you mean conform?"),
      (["help", "re"], "did you mean"), (["help", "ahap", "plya"], "there is no command 'plya'; did you mean play?"),
    ])
  func unknown(_ words: [String], _ message: String) throws {
    let run = try Program.run(words)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.status) \(run.output)")
    #expect(run.errors.contains(message) && run.errors.contains("Usage: telecap"), "\(run.errors)")
  }

  @Test("Help for what there is stays help", arguments: [["help"], ["help", "conform"], ["help", "ahap", "play"]])
  func known(_ words: [String]) throws {
    let run = try Program.run(words)
    #expect(run.status == 0 && run.output.contains("USAGE: telecap"), "\(run.errors)")
  }

  @Test("The help lists the commands in groups, by what a user does with them")
  func groups() throws {
    let lines = try Program.run(["--help"]).output.split(separator: "\n")
    let heads = lines.filter { $0.hasSuffix(" SUBCOMMANDS:") }
    #expect(
      heads.map { $0.split(separator: " ")[0] } == ["CAPTURE", "INSPECT", "IMPAIR", "TEST", "HAPTICS"], "\(heads)")
    #expect(!lines.contains { $0.hasPrefix("  page-server") })
  }

  @Test("Without scenarios it is said where they are looked for")
  func noScenarios() throws {
    let folder = try Folder()
    let program = folder["telecap"]
    // A link would be followed to where the scenarios are.
    let copied = try Program.shell("ln '\(Program.path)' '\(program)' 2>/dev/null || cp '\(Program.path)' '\(program)'")
    #expect(copied.status == 0, "\(copied.errors)")
    let run = try Program.shell("cd '\(folder.path)' && ./telecap conform --sut model:host")
    #expect(run.status == 66, "\(run.status) \(run.output)\(run.errors)")
    #expect(
      run.errors.contains("no folder of scenarios is found\n  name their folder with --scenarios DIR"), "\(run.errors)")
    #expect(run.errors.contains("share/telecap/Scenarios of each folder above the program"), "\(run.errors)")
  }

  @Test("Learn says what a system file is")
  func learnSaysWhatASystemFileIs() throws {
    let run = try Program.run(["learn", "--help"])
    #expect(run.output.contains("A system file describes how to start and reach a program"), "\(run.output)")
  }
}
