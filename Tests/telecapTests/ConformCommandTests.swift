import Foundation
import TelecapTestSupport
import Testing

/// `telecap conform`: wrong words of a user are told as such, with status 64.
@Suite(.real("runs telecap")) struct ConformCommandTests {
  @Test(
    "A pattern that matches no scenario is told, also beside one that does",
    arguments: sampled(
      [
        ("--only tele.helo.*", "--only \"tele.helo.*\": no scenario has such an id\n  did you mean tele.hello.*?"),
        ("--only tele.* --only telee.*", "--only \"telee.*\": no scenario has such an id\n  did you mean tele.*?"),
        (
          "--only tele.bye.close",
          "--only \"tele.bye.close\": no scenario has such an id\n  did you mean tele.bye.closes?"
        ),
        ("--only tele.* --skip nonsense", "--skip \"nonsense\": no scenario has such an id\n  see their ids with"),
        ("--skip tele.cmnd.*", "--skip \"tele.cmnd.*\": no scenario has such an id\n  did you mean tele.cmd.*?"),
      ], oneIn: 3), ["--list", "--dry-run", "--sut model:host"])
  func patterns(_ example: (words: String, expected: String), _ mode: String) throws {
    let end = try Program.run("conform \(mode) \(example.words)")
    #expect(end.status == 64 && end.output.isEmpty)
    #expect(end.errors.hasPrefix("telecap: \(example.expected)"), "\(end.errors)")
  }

  @Test(
    "A system that no words name is a mistake of the user; one that cannot be had is not",
    arguments: sampled(
      [
        ("model:nobody", 64, "no model \"model:nobody\"; there are model:host, model:phone, "),
        ("model:host+", 64, "host has no mutant \"\"; there are "),
        ("model:host+any-cod", 64, "host has no mutant \"any-cod\"; did you mean any-code?"),
        (
          "udp://127.0.0.1:9?role=nobody", 64,
          "udp://127.0.0.1:9?role=nobody: no role \"nobody\"; there are host, phone,"
        ),
        ("udp://127.0.0.1?role=host", 64, "udp://127.0.0.1?role=host: '127.0.0.1' names no port"),
        ("udp://nowhere.invalid:9?role=host", 69, "cannot find the host 'nowhere.invalid'"),
      ], oneIn: 2))
  func systems(_ system: String, _ status: Int32, _ words: String) throws {
    for line in ["conform --sut \(system)", "conform --dry-run --sut \(system)"] {
      let end = try Program.run(line)
      #expect(end.status == status)
      #expect(end.errors.hasPrefix("telecap: \(words)"), "\(end.errors)")
    }
  }

  @Test(
    "A host that is not there is judged by nothing: 69",
    arguments: sampled(["udp://127.0.0.1:9?", "udp://127.0.0.1:9?tcp=9&"], oneIn: 2))
  func nobody(_ place: String) throws {
    let end = try Program.run([
      "conform", "--sut", "\(place)role=host&code=ABC123", "--only", "tele.hello.ack-every",
    ])
    #expect(end.status == 69)
    #expect(end.errors.contains("nobody listens at UDP 127.0.0.1:9"), "\(end.errors)")
  }

  @Test("The protocol that is named is listed first, and alone with --only-protocol")
  func protocols() throws {
    func ids(_ words: String) throws -> [String] {
      try Program.run("conform --list --format json \(words)").json().compactMap { $0["requirement"] as? String }
    }
    let (all, own) = (try ids("--protocol dsu"), try ids("--protocol dsu --only-protocol"))
    #expect(own.count > 5 && own.allSatisfy { $0.hasPrefix("dsu.") })
    #expect(Array(all.prefix(own.count)) == own && all.dropFirst(own.count).allSatisfy { !$0.hasPrefix("dsu.") })
    #expect(Set(all) == Set(try ids("")).union(own))
    let run = try Program.run("conform --protocol dsu --only-protocol -v")
    #expect(run.status == 0 && !run.output.contains("tele.") && run.output.contains("dsu."), "\(run)")
    let alone = try Program.run("conform --list --only-protocol")
    #expect(alone.status == 64 && alone.errors.contains("--only-protocol requires --protocol"), "\(alone.errors)")
  }

  @Test("A protocol without streams says that there is nothing to test, and what to declare")
  func nothingToTest() throws {
    let folder = try Folder()
    let yaml = "protocol: toy\ncarriers: [{name: udp, over: udp, port: 9999}]\nmessages: [{name: A, from: client}]\n"
    let file = try folder.write(Array(yaml.utf8), to: "toy.yaml")
    let end = try Program.run(["conform", "--protocol", file, "--only-protocol"])
    #expect(end.status == 64 && end.output.isEmpty)
    #expect(
      end.errors.hasPrefix("no scenario tests toy: it declares no stream; declare one, as streams: "),
      "\(end.errors)")
    #expect(end.errors.contains("telecap: --only-protocol leaves no scenario"))
    #expect(try Program.run(["conform", "--list", "--protocol", file]).errors.contains("no scenario tests toy"))
  }

  /// What cannot be read at all appears on its line too.
  @Test("A broken file is a workflow command")
  func aBrokenFileIsAWorkflowCommand() throws {
    let folder = try Folder()
    let declared = try folder.write(Array("protocol: lamp\nsed: 1\n".utf8), to: "lamp.yaml")
    let system = try folder.write(Array("rolle: host\n".utf8), to: "host.yaml")
    for words in [["--protocol", declared], ["--sut", system]] {
      let end = try Program.run(["conform", "--github"] + words)
      #expect(end.status != 0)
      #expect(end.output.hasPrefix("::error file=\(words[1]),line="), "\(end.output)\(end.errors)")
      #expect(end.output.contains(",col="))
      #expect(try !Program.run(["conform"] + words).output.contains("::error"))
    }
  }

  @Test("What was judged before a suite was broken off is told")
  func whatWasJudgedBeforeASuiteWasBrokenOffIsTold() throws {
    let file = Project.file("Scenarios/systems/naive-host.yaml").path
    let program = try Program.start([
      "conform", "-v", "--sut", file, "--only", "tele.hello.*", "--only", "tele.session.survives-loss", "--jobs", "1",
    ])
    try program.wait("a verdict", seconds: 60) { program.output.contains("1 case") }
    program.signal(2)
    let end = try program.finish()
    #expect(end.status == 130, "\(end.output)\n\(end.errors)")
    #expect(end.output.contains("note  the suite was broken off: of "), "\(end.output)")
    #expect(end.output.contains("it had not run when the suite was broken off"), "\(end.output)")
    #expect(end.lines.last?.hasPrefix("INCONCLUSIVE  ") == true, "\(end.output)")
  }

  @Test("What was explored before it was broken off is told")
  func whatWasExploredBeforeItWasBrokenOffIsTold() throws {
    let program = try Program.start(["conform", "--sut", "model:phone", "--explore", "7"])
    try program.wait("an exploration", seconds: 60) { program.output.contains("PASS ") }
    program.signal(15)
    let end = try program.finish()
    #expect(end.status == 143, "\(end.errors)")
    #expect(end.output.contains("\nBROKEN OFF: of ") && end.output.contains("none broke a rule"), "\(end.output)")
  }

  @Test("The first failure ends the suite, and the rest is reported as not run")
  func failFast() throws {
    let folder = try Folder()
    let (junit, json) = (folder["a.xml"], folder["a.json"])
    let run = try Program.run([
      "conform", "--sut", "model:phone+no-clamp", "--only", "tele.haptic.clamp-high", "--only", "tele.haptic.clamp-low",
      "--only", "tele.haptic.clamp-low.tcp", "--fail-fast", "--junit", junit, "--json", json,
    ])
    #expect(run.status == 1 && run.output.contains("0 passed, 1 failed, 2 not run; 1 case in "), "\(run.output)")
    #expect(run.output.contains("the suite ended after a failure (--fail-fast): of 3 scenarios 2 were not run"))
    #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("failures=\"1\" errors=\"0\" skipped=\"2\""))
    let results = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: json))) as? [String: Any]
    #expect((results?["counts"] as? [String: Any])?["not_run"] as? Int == 2)
    #expect(results?["passes"] as? Bool == false)
  }

  @Test("Only what failed runs again, until it passes")
  func lastFailed() throws {
    let cache = ["XDG_CACHE_HOME": try Folder()["cache"]]
    func run(_ more: [String]) throws -> Finished {
      try Program.run(["conform", "--sut", "model:phone+no-clamp", "--last-failed"] + more, environment: cache)
    }
    let first = try run(["--only", "tele.haptic.clamp-*", "--skip", "*.grid"])
    let words = "--last-failed: no failure of an earlier run against model:phone+no-clamp is known: all cases run"
    #expect(first.errors.hasPrefix(words), "\(first.errors)")
    let again = try run(["--only", "tele.haptic.*", "--skip", "*.grid"])
    #expect(again.errors.contains("--last-failed: only the failed cases of 6 scenarios run"), "\(again.errors)")
    #expect(again.output.contains("0 passed, 6 failed"), "\(again.output)")
    let dry = try run(["--dry-run", "--only", "tele.haptic.*"])
    #expect(dry.lines.allSatisfy { $0.hasPrefix("tele.haptic.clamp-") } && !dry.lines.isEmpty, "\(dry.output)")
  }

  @Test("Without --sut it is said that telecap tests its own models")
  func ownModels() throws {
    let words = "no --sut: telecap tests its own models; --sut FILE.yaml tests your program"
    let bare = try Program.run("conform --only mouse.hid.layout")
    #expect(bare.status == 0 && bare.errors.hasPrefix(words) && !bare.output.contains(words), "\(bare.errors)")
    for line in ["conform --only mouse.hid.layout --sut models", "conform --list", "conform --dry-run"] {
      #expect(try !Program.run(line).errors.contains(words))
    }
  }
}
