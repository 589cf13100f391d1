import Foundation
import TelecapTestSupport
import Testing

/// `telecap conform --check`: what the rules of a system file make of a short right session.
@Suite("Checking a system file", .serialized, .real("runs telecap"))
struct MappingCheckTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// The file of our own host with something in place of something else.
  private func system(_ old: String = "", _ new: String = "") throws -> String {
    let text = try String(contentsOf: Project.file("Scenarios/systems/simulated-host.yaml"), encoding: .utf8)
    #expect(old.isEmpty || text.contains(old))
    return try folder.write(Array(text.replacingOccurrences(of: old, with: new).utf8), to: "system.yaml")
  }

  @Test("Right rules are told with their first lines")
  func rightRulesAreToldWithTheirFirstLines() throws {
    let check = try Program.run(["conform", "--sut", try system(), "--check"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    for start in [
      // The session goes over UDP and TCP.
      "pose (line 16): matched 20 times, first: {", "  seq: matched 20 times, first: 1",
      "command (line 17): matched 8 times",
      "session-opened (line 18): matched 2 times", "session-closed (line 19): matched 2 times",
    ] {
      #expect(check.lines.contains { $0.hasPrefix(start) }, "\(start): \(check.output)")
    }
  }

  @Test("A rule that never matches fails the check and is told")
  func aRuleThatNeverMatchesFailsTheCheckAndIsTold() throws {
    let file = try system("event: cmd", "event: command")
    let check = try Program.run(["conform", "--sut", file, "--check", "--format", "json"])
    #expect(check.status == 1)
    let told = try #require(try check.json().first)
    #expect(told["right"] as? Bool == false)
    let notices = try #require(told["notices"] as? [String])
    #expect(notices.count == 1)
    let words = "no line of the program matched the rule \"command\" (line 17 of \(file)); it printed: "
    #expect(notices[0].hasPrefix(words))
    let printed = try JSONSerialization.jsonObject(with: Data(notices[0].dropFirst(words.count).utf8)) as? [String: Any]
    #expect(printed?["event"] as? String == "cmd" && printed?["time_ns"] is Int)
  }

  @Test("Only a program with a file can be checked")
  func onlyAProgramWithAFileCanBeChecked() throws {
    let check = try Program.run(["conform", "--sut", "model:host", "--check"])
    #expect(check.status == 64)
    #expect(check.errors.hasPrefix("telecap: --check: model:host has no system file whose rules could be checked"))
  }

  @Test("A program that crashes at the start is unavailable")
  func aProgramThatCrashesAtTheStartIsUnavailable() throws {
    let text = "role: host\ncommand: [/bin/sh, -c, 'echo no robot here; exit 3']\naddresses: { udp: free }\n"
    let file = try folder.write(Array(text.utf8), to: "dead.yaml")
    // Nor is one for whose part there is no session to check it by.
    let mouse = try folder.write(Array(text.replacingOccurrences(of: "host", with: "mouse").utf8), to: "mouse.yaml")
    #expect(try Program.run(["conform", "--sut", mouse, "--check"]).status == 69)
    for words in [["--check"], ["--only", "tele.hello.ack-every"]] {
      let run = try Program.run(["conform", "--sut", file] + words)
      #expect(run.status == 69 && run.output.isEmpty)
      #expect(
        run.errors.hasPrefix(
          "telecap: dead cannot be started: it exited with status 3 before it was ready; it printed: no robot here"))
    }
  }

  @Test("A crash in the check is told though all else passes")
  func aCrashInTheCheckIsToldThoughAllElsePasses() throws {
    let mark = folder["was-there"]
    let crash = "if [ -e \(mark) ]; then exec $TELECAP simulate host --code $CODE --transport udp --tele-udp $UDP; fi"
    let text = """
      role: host
      command: [/bin/sh, -c, 'touch \(mark)-; \(crash); touch \(mark); echo 127.0.0.1:; sleep 0.2; exit 7']
      addresses: { udp: free }
      ready: { line: "127.0.0.1:" }
      """
    let file = try folder.write(Array(text.utf8), to: "once.yaml")
    let run = try Program.run(
      ["conform", "--sut", file, "--only", "tele.hello.ack-every", "--scenarios", Project.file("Scenarios").path])
    #expect(
      run.lines.contains("note  in a short right session, before all scenarios, it exited with status 7"),
      "\(run.output)")
  }

  @Test("A suite says at its top what a rule does not read")
  func aSuiteSaysAtItsTopWhatARuleDoesNotRead() throws {
    let file = try system("event: cmd", "event: command")
    let files = ["--json", "--markdown", "--html", "--junit", "--tap"].flatMap { [$0, folder["report" + $0]] }
    let run = try Program.run(
      ["conform", "--sut", file, "--only", "tele.cmd.duplicate", "--scenarios", Project.file("Scenarios").path] + files)
    #expect(run.status == 1)
    let place = "no line of the program matched the rule \"command\" (line 17 of "
    let note = try #require(run.lines.firstIndex { $0.hasPrefix("note  \(place)") })
    #expect(run.lines[note...].contains { $0.hasPrefix("INCONCLUSIVE  tele.cmd.duplicate  ") })
    for (name, words) in [
      ("--json", "\"notices\":[\"no line of the program matched"), ("--markdown", "- ⚠️ no line of the program matched"),
      ("--html", "<ul class=\"notices\"><li>no line of the program matched"),
      ("--junit", "<property name=\"notice\" value=\"no line of the program matched"),
      ("--tap", "# no line of the program matched"),
    ] {
      #expect(try String(contentsOfFile: folder["report" + name], encoding: .utf8).contains(words), "\(name)")
    }
  }
}
