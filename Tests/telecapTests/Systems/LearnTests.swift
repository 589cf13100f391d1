import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// `telecap learn` with real programs of several habits (`Tests/Learning`), none of which was made for telecap.
  @Suite("Learning the system file of a program", .deep("each program is started a dozen times: 15 to 40 s"))
  struct LearnTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static func program(_ name: String) -> String { Project.file("Tests/Learning/\(name)").path }

    /// Learns a host without an edit, and checks its file as a user does.
    private func learn(_ words: [String], options: [String] = ["--no-trial"]) throws -> (text: String, run: Finished) {
      let file = folder["learned.yaml"]
      let run = try Program.run(["learn", "--role", "host", "-o", file] + options + ["--"] + words, seconds: 120)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      let check = try Program.run(["conform", "--sut", file, "--check"])
      #expect(check.status == 0, "\(check.output)\(check.errors)")
      return (try String(contentsOfFile: file, encoding: .utf8), run)
    }

    /// The lines of a file without its comments.
    private func bare(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("#") }
    }

    @Test("Json lines with a second object on a line and a start of three seconds")
    func jsonLinesWithASecondObjectOnALineAndAStartOfThreeSeconds() throws {
      let words = ["python3", Self.program("json_host.py"), "--port", "$UDP", "--code", "$CODE", "--start", "3"]
      let (text, run) = try learn(words, options: [])
      let lines = bare(text)
      for line in [
        "addresses: {udp: free}", "reuse: true", "when: {type: pose}", "seq: data.frame", "x: data.pose.position.0",
        "qw: data.pose.rotation.3", "cmd_type: {path: data.name, words: {recording: 1, keep: 2}}", "value: data.on",
        "session_id: data.session", "reason: {path: data.reason, words: {goodbye: bye, silence: timeout}}",
      ] {
        #expect(lines.contains(line), "\(line): \(text)")
      }
      #expect(run.output.contains("pose") && run.output.contains("19 of 19, on stdout: {\"type\": \"pose\""))
      #expect(run.lines.last?.hasPrefix("PASS") == true, "\(run.output)")
    }

    @Test("Lines of text of a program in c")
    func linesOfTextOfAProgramInC() throws {
      let program = folder["text_host"]
      let compiler = try Program.shell("cc -O1 -o '\(program)' '\(Self.program("text_host.c"))' -lm")
      #expect(compiler.status == 0, "\(compiler.errors)")
      let lines = bare(try learn([program, "$UDP", "$CODE"]).text)
      #expect(lines.contains(#"line: 'INFO +(?<cmd_type>recording|keeping) (?<value>on|off)$'"#), "\(lines)")
      #expect(lines.contains { $0.hasPrefix(#"line: 'INFO +pose +(?<seq>[-+.\w]+) -> x +(?<x>"#) }, "\(lines)")
      #expect(lines.contains(#"line: 'INFO +nobody is there any more$'"#), "\(lines)")
    }

    @Test("A file that grows written by a shell in millimetres")
    func aFileThatGrowsWrittenByAShellInMillimetres() throws {
      let log = folder["robot.log"]
      let (text, _) = try learn(["sh", Self.program("log_host.sh"), "$TELECAP", "$UDP", "$CODE", log])
      let lines = bare(text)
      #expect(lines.contains("from: {file: \(log)}"), "\(text)")
      #expect(lines.contains("x: {path: x, times: 0.001}"), "\(text)")
      #expect(lines.contains("line: 'take is thrown away$'"), "\(text)")
    }

    @Test("Events over UDP with an axis that points the other way")
    func eventsOverUDPWithAnAxisThatPointsTheOtherWay() throws {
      let words = [
        "python3", Self.program("udp_host.py"), "--port", "$UDP", "--code", "$CODE", "--events", "$EVENTS", "--start",
        "1.2",
      ]
      let lines = bare(try learn(words).text)
      #expect(lines.contains("from: {udp: free}") && lines.contains("reuse: true"))
      // The program is kept: it sends to the port that it was told when it was started.
      let only = ["--only", "tele.cmd.duplicate", "--only", "tele.pose.latest-value-wins.first"]
      let run = try Program.run(["conform", "--sut", folder["learned.yaml"]] + only)
      #expect(run.status == 0, "\(run.output)")
      #expect(lines.contains("y: {path: at.1, times: -0.001}") && lines.contains("qz: quaternion.z"), "\(lines)")
    }

    @Test("A program that is told no port is found where it listens")
    func aProgramThatIsToldNoPortIsFoundWhereItListens() throws {
      let port = try freePort()
      let words = ["python3", Self.program("json_host.py"), "--port", "\(port)", "--code", "XYZ789"]
      let (text, run) = try learn(words, options: ["--code", "XYZ789", "--no-trial"])
      let lines = bare(text)
      #expect(lines.contains("addresses: {udp: \"127.0.0.1:\(port)\"}"), "\(text)")
      #expect(lines.contains("code: XYZ789") && run.errors.contains("looking where it listens"), "\(text)\(run.errors)")
    }

    @Test("A program whose port is open long before it answers is ready when it says so")
    func aProgramWhosePortIsOpenLongBeforeItAnswersIsReadyWhenItSaysSo() throws {
      let text = """
        import sys, time
        sys.path.insert(0, "\(Project.file("Tests/Learning").path)")
        from json_host import Host, options
        host = Host(options().parse_args())
        # Its only line: of two at once on two streams, either may be read first.
        host.ready = lambda: print("robot 7 is ready, 3 axes", flush=True)
        time.sleep(1.2)
        host.run()
        """
      let program = try folder.write(Array(text.utf8), to: "late.py")
      let lines = bare(try learn(["python3", program, "--port", "$UDP", "--code", "$CODE"]).text)
      #expect(lines.contains("ready: {line: 'is ready'}"), "\(lines)")
    }

    /// The host of `habits_host.py`, which prints as other programs do.
    private func learn(habit: String) throws -> [String] {
      let words = ["python3", Self.program("habits_host.py"), "--port", "$UDP", "--code", "$CODE", "--habit", habit]
      let lines = bare(try learn(words).text)
      #expect(lines.contains("reason: {path: why, words: {goodbye: bye, silence: timeout}}"), "\(lines)")
      return lines
    }

    @Test("Json over several lines")
    func jsonOverSeveralLines() throws {
      let lines = try learn(habit: "pretty")
      #expect(lines.contains("format: json-blocks") && lines.contains("x: at.x"), "\(lines)")
    }

    @Test("Blocks of YAML")
    func blocksOfYAML() throws {
      let lines = try learn(habit: "yaml")
      #expect(lines.contains("format: yaml-blocks") && lines.contains("when: {event: pose}"), "\(lines)")
    }

    @Test("Json behind the time and name of a log")
    func jsonBehindTheTimeAndNameOfALog() throws {
      let lines = try learn(habit: "syslog")
      #expect(lines.contains("format: json-behind-text") && lines.contains("seq: seq"), "\(lines)")
    }

    @Test("What Python prints of a dictionary")
    func whatPythonPrintsOfADictionary() throws {
      let lines = try learn(habit: "python")
      #expect(lines.contains("cmd_type: {path: name, words: {recording: 1, keep: 2}}"), "\(lines)")
    }

    @Test("A clock that begins again with each session")
    func aClockThatBeginsAgainWithEachSession() throws {
      #expect(try learn(habit: "clock").contains("when: {event: closed}"))
    }

    @Test("A file of another name at each start")
    func aFileOfAnotherNameAtEachStart() throws {
      // Where it runs is where the file is learned.
      let words = "python3 '\(Self.program("habits_host.py"))' --port '$UDP' --code '$CODE' --habit files"
      let command = "cd '\(folder.path)' && '\(Program.path)' learn --role host --no-trial -o l.yaml -- \(words)"
      let run = try Program.shell(command)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains("on log-*.txt: {"), "\(run.output)")
      let lines = bare(try String(contentsOfFile: folder["l.yaml"], encoding: .utf8))
      #expect(lines.contains("from: {file: 'log-*.txt'}"), "\(lines)")
      // Learning it and checking it began a file each.
      #expect(folder.names.count { $0.hasPrefix("log-") } >= 2)
      let check = try Program.run(["conform", "--sut", folder["l.yaml"], "--only", "tele.cmd.duplicate"])
      #expect(check.status == 0, "\(check.output)")
    }

    @Test("What telecap itself is told to write into a file is not the program")
    func whatTelecapItselfIsToldToWriteIntoAFileIsNotTheProgram() throws {
      let words = "python3 '\(Self.program("habits_host.py"))' --port '$UDP' --code '$CODE' --habit python"
      let command =
        "cd '\(folder.path)' && '\(Program.path)' learn --role host --no-trial -- \(words) >l.yaml 2>talk.txt"
      let run = try Program.shell(command)
      let text = try String(contentsOfFile: folder["l.yaml"], encoding: .utf8)
      let talk = try String(contentsOfFile: folder["talk.txt"], encoding: .utf8)
      #expect(run.status == 0 && text.contains("from: stdout"), "\(text)\(talk)")
      #expect(!talk.contains("talk.txt") && !talk.contains("l.yaml"), "\(talk)")
    }

    @Test("Output that is held back until the end is told to be flushed")
    func outputThatIsHeldBackUntilTheEndIsToldToBeFlushed() throws {
      let words = [
        "python3", Self.program("habits_host.py"), "--port", "$UDP", "--code", "$CODE", "--habit", "buffered",
      ]
      let run = try Program.run(
        ["learn", "--role", "host", "--no-trial", "-o", folder["l.yaml"], "--"] + words, seconds: 120)
      #expect(run.status == 1 && run.output.contains("the program holds its output back"), "\(run.output)")
      #expect(run.output.contains("flush=True"), "\(run.output)")
      #expect(run.output.contains("only when it was told to end: have it flush its output"), "\(run.output)")
    }

    @Test("What is done is told meanwhile")
    func whatIsDoneIsToldMeanwhile() throws {
      let words = ["python3", Self.program("json_host.py"), "--port", "$UDP", "--code", "$CODE", "--start", "1.2"]
      let (_, run) = try learn(words)
      let stages = run.errors.split(separator: "\n").map(String.init)
      #expect(stages.map { String($0.prefix { $0 != " " }) } == ["starting", "ready", "sending", "found"], "\(stages)")
      #expect(stages.last?.hasPrefix("found pose, command, session-opened and session-closed in ") == true, "\(stages)")
    }

    @Test("A file that reads wrongly is mended and keeps the rest")
    func aFileThatReadsWronglyIsMendedAndKeepsTheRest() throws {
      let wrong = """
        # My robot.
        role: host
        command: [python3, \(Self.program("json_host.py")), --port, $UDP, --code, $CODE]
        addresses: {udp: free}  # a free one
        shows:
          events:
            - {is: pose, when: {type: pose}, fields: {seq: data.frame, x: data.pose.position.1}}
            - is: command
              when: {type: command}
              fields: {cmd_type: {path: data.name, words: {recording: 1, keep: 2}}, value: data.on}
        end: {within: 3s}
        """
      let file = try folder.write(Array(wrong.utf8), to: "robot.yaml")
      #expect(try Program.run(["conform", "--sut", file, "--check"]).status == 1)
      let mended = folder["mended.yaml"]
      let run = try Program.run(["learn", "--no-trial", "--from", file, "-o", mended], seconds: 120)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(
        run.output.contains("command stays as it was")
          && run.output.contains("pose was wrong: x at data.pose.position.0"), "\(run.output)")
      let text = try String(contentsOfFile: mended, encoding: .utf8)
      #expect(text.hasPrefix("# My robot.\n") && text.contains("# a free one\n") && text.hasSuffix("end: {within: 3s}"))
      #expect(try Program.run(["conform", "--sut", mended, "--check"]).status == 0)
    }

    @Test("Words that are swapped are mended")
    func wordsThatAreSwappedAreMended() throws {
      let swapped = """
        role: host
        command: [python3, \(Self.program("json_host.py")), --port, $UDP, --code, $CODE]
        addresses: {udp: free}
        shows:
          events:
            - {is: pose, when: {type: pose}, fields: {seq: data.frame, x: data.pose.position.0}}
            - is: command
              when: {type: command}
              fields: {cmd_type: {path: data.name, words: {recording: 2, keep: 1}}, value: data.on}
        """
      let file = try folder.write(Array(swapped.utf8), to: "robot.yaml")
      let mended = folder["mended.yaml"]
      let run = try Program.run(["learn", "--no-trial", "--from", file, "-o", mended], seconds: 120)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(
        run.output.contains("pose stays as it was") && run.output.contains("command was wrong: what cmd_type means"),
        "\(run.output)")
      #expect(try String(contentsOfFile: mended, encoding: .utf8).contains("words: {recording: 1, keep: 2}"))
    }

    @Test("A program that shows nothing is told and judged by the wire")
    func aProgramThatShowsNothingIsToldAndJudgedByTheWire() throws {
      let file = folder["silent.yaml"]
      let command = "exec $TELECAP simulate host --transport udp --tele-udp $UDP --code $CODE >/dev/null"
      let run = try Program.run(
        ["learn", "--no-trial", "--role", "host", "-o", file, "--", "sh", "-c", command], seconds: 120)
      #expect(run.status == 1, "\(run.output)\(run.errors)")
      #expect(run.output.contains("pose") && run.output.contains("judged by the wire alone"), "\(run.output)")
      #expect(run.output.contains("inconclusive    tele."), "\(run.output)")
      #expect(try Program.run(["conform", "--sut", file, "--check"]).status == 0)
    }

    @Test(
      "What cannot be tried is told with what to do",
      arguments: [
        (
          ["--role", "mouse", "--", "a"], 64,
          "how a mouse shows what it does cannot be learned; of host, phone and mouse-host it can"
        ),
        (["--role", "host"], 64, "no program is named"),
        (["--role", "host", "--", "python3", ""], 64, "argument 1 of the program is empty\n  a shell replaces $UDP"),
        (["--", "python3"], 64, "name the program's --role"),
        (["--role", "host", "--", "sh", "-c", "echo no robot; exit 3"], 69, "no robot\n  a shell replaces $UDP"),
        (["--role", "host", "--", "python3", "-c", "import sys", "$PORT"], 65, "there is no $PORT"),
        (["--from", "/nowhere.yaml"], 66, "/nowhere.yaml"),
      ])
    func refused(_ words: [String], _ status: Int32, _ message: String) throws {
      let run = try Program.run(["learn"] + words)
      #expect(run.status == status && run.output.isEmpty, "\(run.status) \(run.errors)\(run.output)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("A file that is there is not replaced and nothing is started")
    func aFileThatIsThereIsNotReplacedAndNothingIsStarted() throws {
      let file = try folder.write(Array("mine".utf8), to: "robot.yaml")
      let run = try Program.run(["learn", "--role", "host", "-o", file, "--", "touch", folder["started"]])
      #expect(run.status == 73 && folder.names == ["robot.yaml"], "\(run.errors)")
    }
  }
}
