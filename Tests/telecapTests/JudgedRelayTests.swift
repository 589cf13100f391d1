import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// A living phone through a worse network into a program that is judged.
  @Suite struct JudgedRelayTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    /// A simulated phone that talks for 3 s through a relay into the program of this file.
    private func run(_ file: String, _ options: [String]) throws -> Finished {
      let port = try freePort()
      let program = try Program.start(
        ["relay", "udp:\(port)=\(Project.file(file).path)", "--seed", "3"] + options)
      try program.wait(for: "relaying udp", seconds: 60)
      let coded = try folder.write(
        Array("role: host\ncommand: [sleep, 9]\naddresses: {udp: free}\n".utf8), to: "deaf.yaml")
      let deaf = try Program.run(["relay", "udp:\(try freePort())=\(coded)", "--code", "ABC123"])
      #expect(deaf.status != 0 && deaf.errors.contains("names no $CODE"), "\(deaf.errors)")
      let phone = try Program.run([
        "simulate", "phone", "--code", "ABC123", "--to", "127.0.0.1:\(port)", "--duration", "3s",
      ])
      #expect(phone.status == 0, "\(phone.errors)")
      program.signal(SIGINT)
      return try program.finish()
    }

    @Test("One that applies poses as they come fails just that")
    func oneThatAppliesPosesAsTheyComeFailsJustThat() throws {
      let end = try run(
        "Scenarios/systems/naive-host.yaml", ["--jitter", "30ms", "--up", "--json", folder["report.json"]])
      #expect(end.status == 1, "\(end.errors)")
      #expect(end.errors.contains("code ABC123, passed to the program"))
      #expect(end.output.contains("FAIL") && end.output.contains("tele.pose.latest-value-wins"), "\(end.output)")
      let failed = end.output.split(separator: "\n").filter { $0.hasPrefix("FAIL ") && $0.contains(" must") }
      #expect(
        failed.allSatisfy { $0.contains("tele.pose.latest-value-wins") || $0.contains("tele.pose.duplicate") },
        "\(failed)")
      #expect(
        try String(contentsOfFile: folder["report.json"], encoding: .utf8).contains("tele.pose.latest-value-wins"))
    }

    @Test("One that is right passes under the same network")
    func oneThatIsRightPassesUnderTheSameNetwork() throws {
      let end = try run("Tests/Independent/tele-host.yaml", ["--jitter", "30ms", "--loss", "5%", "--code", "ABC123"])
      #expect(end.status == 0, "\(end.output)\n\(end.errors)")
      #expect(end.output.contains("PASS") && !end.output.contains("FAIL"), "\(end.output)")
      #expect(end.errors.contains("loss 5%: ") && end.errors.contains("1 client, "), "\(end.errors)")
    }

    @Test("What both ends send to and from a program is recorded, with the plan of what became of it")
    func whatBothEndsSendToAndFromAProgramIsRecordedWithThePlanOfWhatBecameOfIt() throws {
      let (capture, up) = (folder["seen.telecap"], folder["up.plan"])
      let end = try run(
        "Tests/Independent/tele-host.yaml",
        ["--loss", "5%", "--record", capture, "--write-plan-up", up, "--code", "ABC123"])
      #expect(end.status == 0 && end.output.contains("PASS"), "\(end.output)\n\(end.errors)")
      #expect(end.errors.contains("\(capture): ") && end.errors.contains(" packets, "), "\(end.errors)")
      #expect(end.errors.contains("\(up): what became of "), "\(end.errors)")
      // Whatever port the program was given, its messages are known.
      let kinds = try sql(capture, "SELECT type FROM message GROUP BY type ORDER BY type").map { $0[0] }
      #expect(Set(kinds).isSuperset(of: ["ACK", "BYE", "HELLO", "POSE"]), "\(kinds)")
    }

    @Test("A second signal loses no verdict while the program takes its time to end", arguments: [SIGINT, SIGHUP])
    func aSecondSignalLosesNoVerdictWhileTheProgramTakesItsTimeToEnd(_ second: Int32) throws {
      let (ending, host) = (folder["ending"], Project.file("Tests/Independent/tele_host.py").path)
      // Takes its leave when it is told to end, and a while for that.
      let slow = try folder.write(
        Array(
          """
          role: host
          command: [sh, -c, "trap 'touch \(ending); sleep 1; kill $$child; exit 0' TERM; python3 \(host) --udp $UDP --code $CODE & child=$$!; wait"]
          addresses: {udp: free}
          ready: {after: 500ms}
          end: {within: 5s}
          shows: {events: [{is: pose, when: {event: pose}}]}

          """.utf8), to: "slow.yaml")
      let port = try freePort()
      let program = try Program.start(["relay", "udp:\(port)=\(slow)", "--code", "ABC123"])
      try program.wait(for: "relaying udp", seconds: 60)
      let phone = try Program.run([
        "simulate", "phone", "--code", "ABC123", "--to", "127.0.0.1:\(port)", "--duration", "2s",
      ])
      #expect(phone.status == 0, "\(phone.errors)")
      program.signal(SIGINT)
      try program.wait("the program's end") { folder.names.contains("ending") }
      program.signal(second)
      let end = try program.finish()
      #expect(end.output.contains("tele.hello.ack-form"), "\(end.output)\n\(end.errors)")
      #expect(end.status == 0 || end.status == 1)
    }

    @Test("Where nobody comes nothing is judged")
    func whereNobodyComesNothingIsJudged() throws {
      let file = Project.file("Scenarios/systems/naive-host.yaml").path
      let end = try Program.run(["relay", "udp:\(try freePort())=\(file)", "--duration", "300ms"])
      #expect(end.status == 69 && end.errors.contains("no client used the relay"), "\(end.errors)")
    }

    @Test(
      "What has no effect is refused",
      arguments: [
        (["--shrink"], "Unknown option '--shrink': it is an option of replay and conform"),
        (["--code", "abc"], "abc"),
      ])
    func whatHasNoEffectIsRefused(_ options: [String], _ words: String) throws {
      let end = try Program.run(
        ["relay", "udp:\(try freePort())=\(Project.file("Scenarios/systems/naive-host.yaml").path)"] + options)
      #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
      let phone = try Program.run([
        "relay", "udp:\(try freePort())=\(Project.file("Tests/Independent/tele-phone.yaml").path)", "--duration", "1s",
      ])
      #expect(phone.status == 69 && phone.errors.contains("a relay passes on to a host"), "\(phone.errors)")
    }
  }
}
