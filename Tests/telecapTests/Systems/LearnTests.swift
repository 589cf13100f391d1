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
    private func learn(
      _ words: [String], options: [String] = ["--no-trial"]
    ) throws -> (file: LearnedFile, run: Finished) {
      let file = folder["learned.yaml"]
      let run = try Program.run(["learn", "--role", "host", "-o", file] + options + ["--"] + words, seconds: 300)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      let check = try Program.run(["conform", "--sut", file, "--check"])
      #expect(check.status == 0, "\(check.output)\(check.errors)")
      return (try read(file), run)
    }

    private func read(_ path: String) throws -> LearnedFile {
      try LearnedFile(String(contentsOfFile: path, encoding: .utf8))
    }

    /// How a field is read whose values are words.
    private static func words(_ path: PlainValue, _ words: PlainValue) -> PlainValue { ["path": path, "words": words] }

    @Test("Json lines with a second object on a line and a start of three seconds")
    func jsonLinesWithASecondObjectOnALineAndAStartOfThreeSeconds() throws {
      let words = ["python3", Self.program("json_host.py"), "--port", "$UDP", "--code", "$CODE", "--start", "3"]
      let (file, run) = try learn(words, options: [])
      #expect(file["addresses"] == ["udp": "free"] && file["reuse"] == "true", "\(file)")
      #expect(file.event("pose")?["when"] == ["type": "pose"], "\(file)")
      for (field, path) in ["seq": "data.frame", "x": "data.pose.position.0", "qw": "data.pose.rotation.3"] {
        #expect(file.field(field, of: "pose") == .text(path), "\(file)")
      }
      #expect(
        file.event("command")?["fields"]
          == ["cmd_type": Self.words("data.name", ["recording": "1", "keep": "2"]), "value": "data.on"], "\(file)")
      #expect(file.field("session_id", of: "session-opened") == "data.session", "\(file)")
      #expect(
        file.field("reason", of: "session-closed")
          == Self.words("data.reason", ["goodbye": "bye", "silence": "timeout"]), "\(file)")
      #expect(run.output.contains("pose") && run.output.contains("19 of 19, on stdout: {\"type\": \"pose\""))
      #expect(run.lines.last?.hasPrefix("PASS") == true, "\(run.output)")
    }

    @Test("Lines of text of a program in c")
    func linesOfTextOfAProgramInC() throws {
      let program = folder["text_host"]
      let compiler = try Program.shell("cc -O1 -o '\(program)' '\(Self.program("text_host.c"))' -lm")
      #expect(compiler.status == 0, "\(compiler.errors)")
      let file = try learn([program, "$UDP", "$CODE"]).file
      #expect(file.event("command")?["line"] == #"INFO +(?<cmd_type>recording|keeping) (?<value>on|off)$"#, "\(file)")
      let pose = try #require(file.event("pose")?["line"]?.text, "\(file)")
      #expect(pose.hasPrefix(#"INFO +pose +(?<seq>[-+.\w]+) -> x +(?<x>"#), "\(file)")
      #expect(
        file.shows?["events"]?.list.contains {
          $0["line"] == "INFO +nobody is there any more$" && $0["fields"] == ["reason": ["value": "timeout"]]
        } == true, "\(file)")
    }

    @Test("A file that grows written by a shell in millimetres")
    func aFileThatGrowsWrittenByAShellInMillimetres() throws {
      let log = folder["robot.log"]
      let (file, _) = try learn(["sh", Self.program("log_host.sh"), "$TELECAP", "$UDP", "$CODE", log])
      #expect(file.shows?["from"] == ["file": .text(log)], "\(file)")
      #expect(file.field("x", of: "pose") == ["path": "x", "times": "0.001"], "\(file)")
      let lines = file.shows?["events"]?.list.compactMap { $0["line"]?.text } ?? []
      #expect(lines.contains("take is thrown away$"), "\(file)")
    }

    @Test("Events over UDP with an axis that points the other way")
    func eventsOverUDPWithAnAxisThatPointsTheOtherWay() throws {
      let words = [
        "python3", Self.program("udp_host.py"), "--port", "$UDP", "--code", "$CODE", "--events", "$EVENTS", "--start",
        "1.2",
      ]
      let file = try learn(words).file
      #expect(file.shows?["from"] == ["udp": "free"] && file["reuse"] == "true", "\(file)")
      // The program is kept: it sends to the port that it was told when it was started.
      let only = ["--only", "tele.cmd.duplicate", "--only", "tele.pose.latest-value-wins.first"]
      let run = try Program.run(["conform", "--sut", folder["learned.yaml"]] + only)
      #expect(run.status == 0, "\(run.output)")
      #expect(file.field("y", of: "pose") == ["path": "at.1", "times": "-0.001"], "\(file)")
      #expect(file.field("qz", of: "pose") == "quaternion.z", "\(file)")
    }

    @Test("A program that is told no port is found where it listens")
    func aProgramThatIsToldNoPortIsFoundWhereItListens() throws {
      let port = try freePort()
      let words = ["python3", Self.program("json_host.py"), "--port", "\(port)", "--code", "XYZ789"]
      let (file, run) = try learn(words, options: ["--code", "XYZ789", "--no-trial"])
      #expect(file["addresses"] == ["udp": .text("127.0.0.1:\(port)")], "\(file)")
      #expect(file["code"] == "XYZ789" && run.errors.contains("looking where it listens"), "\(file)\(run.errors)")
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
      let file = try learn(["python3", program, "--port", "$UDP", "--code", "$CODE"]).file
      #expect(file["ready"] == ["line": "is ready"], "\(file)")
    }

    /// The host of `habits_host.py`, which prints as other programs do.
    private func learn(habit: String) throws -> LearnedFile {
      let words = ["python3", Self.program("habits_host.py"), "--port", "$UDP", "--code", "$CODE", "--habit", habit]
      let file = try learn(words).file
      let reason = Self.words("why", ["goodbye": "bye", "silence": "timeout"])
      #expect(file.field("reason", of: "session-closed") == reason, "\(file)")
      return file
    }

    @Test("Json over several lines")
    func jsonOverSeveralLines() throws {
      let file = try learn(habit: "pretty")
      #expect(file.shows?["format"] == "json-blocks" && file.field("x", of: "pose") == "at.x", "\(file)")
    }

    @Test("Blocks of YAML")
    func blocksOfYAML() throws {
      let file = try learn(habit: "yaml")
      #expect(
        file.shows?["format"] == "yaml-blocks" && file.event("pose")?["when"] == ["event": "pose"], "\(file)")
    }

    @Test("Json behind the time and name of a log")
    func jsonBehindTheTimeAndNameOfALog() throws {
      let file = try learn(habit: "syslog")
      #expect(file.shows?["format"] == "json-behind-text" && file.field("seq", of: "pose") == "seq", "\(file)")
    }

    @Test("What Python prints of a dictionary")
    func whatPythonPrintsOfADictionary() throws {
      let file = try learn(habit: "python")
      #expect(
        file.field("cmd_type", of: "command") == Self.words("name", ["recording": "1", "keep": "2"]), "\(file)")
    }

    @Test("A clock that begins again with each session")
    func aClockThatBeginsAgainWithEachSession() throws {
      let file = try learn(habit: "clock")
      #expect(file.event("session-closed")?["when"] == ["event": "closed"], "\(file)")
    }

    @Test("A file of another name at each start")
    func aFileOfAnotherNameAtEachStart() throws {
      // Where it runs is where the file is learned.
      let words = "python3 '\(Self.program("habits_host.py"))' --port '$UDP' --code '$CODE' --habit files"
      let command = "cd '\(folder.path)' && '\(Program.path)' learn --role host --no-trial -o l.yaml -- \(words)"
      let run = try Program.shell(command)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains("on log-*.txt: {"), "\(run.output)")
      let file = try read(folder["l.yaml"])
      #expect(file.shows?["from"] == ["file": "log-*.txt"], "\(file)")
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
      let talk = try String(contentsOfFile: folder["talk.txt"], encoding: .utf8)
      #expect(run.status == 0, "\(talk)")
      #expect(try read(folder["l.yaml"]).shows?["from"] == "stdout")
      #expect(!talk.contains("talk.txt") && !talk.contains("l.yaml"), "\(talk)")
    }

    @Test("Output that is held back until the end is told to be flushed")
    func outputThatIsHeldBackUntilTheEndIsToldToBeFlushed() throws {
      let words = [
        "python3", Self.program("habits_host.py"), "--port", "$UDP", "--code", "$CODE", "--habit", "buffered",
      ]
      let run = try Program.run(
        ["learn", "--role", "host", "--no-trial", "-o", folder["l.yaml"], "--"] + words, seconds: 300)
      #expect(run.status == 1 && run.output.contains("the program holds its output back"), "\(run.output)")
      #expect(run.output.contains("flush=True"), "\(run.output)")
      #expect(run.output.contains("only when it was asked to exit: have it flush its output"), "\(run.output)")
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
      let run = try Program.run(["learn", "--no-trial", "--repair", file, "-o", mended], seconds: 300)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(
        run.output.contains("command stays as it was")
          && run.output.contains("pose was wrong: x at data.pose.position.0"), "\(run.output)")
      let text = try String(contentsOfFile: mended, encoding: .utf8)
      #expect(try LearnedFile(text).field("x", of: "pose") == "data.pose.position.0")
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
      let run = try Program.run(["learn", "--no-trial", "--repair", file, "-o", mended], seconds: 300)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(
        run.output.contains("pose stays as it was") && run.output.contains("command was wrong: what cmd_type means"),
        "\(run.output)")
      let words = Self.words("data.name", ["recording": "1", "keep": "2"])
      #expect(try read(mended).field("cmd_type", of: "command") == words)
    }

    @Test("A program that shows nothing is told and judged by the wire")
    func aProgramThatShowsNothingIsToldAndJudgedByTheWire() throws {
      let file = folder["silent.yaml"]
      let command = "exec $TELECAP simulate host --transport udp --tele-udp $UDP --code $CODE >/dev/null"
      let run = try Program.run(
        ["learn", "--no-trial", "--role", "host", "-o", file, "--", "sh", "-c", command], seconds: 300)
      #expect(run.status == 1, "\(run.output)\(run.errors)")
      #expect(run.output.contains("pose") && run.output.contains("tested from its traffic only"), "\(run.output)")
      #expect(run.output.contains("inconclusive    tele."), "\(run.output)")
      #expect(try Program.run(["conform", "--sut", file, "--check"]).status == 0)
    }

    @Test(
      "What cannot be tried is told with what to do",
      arguments: [
        (
          ["--role", "mouse", "--", "a"], 64,
          "the output of a mouse cannot be learned; that of host, phone and mouse-host can"
        ),
        (["--role", "host"], 64, "no program is named"),
        (["--role", "host", "--", "python3", ""], 64, "argument 1 of the program is empty\n  a shell replaces $UDP"),
        (["--", "python3"], 64, "give --role and the program, or --repair"),
        (["--role", "host", "--", "sh", "-c", "echo no robot; exit 3"], 69, "no robot\n  a shell replaces $UDP"),
        (["--role", "host", "--", "python3", "-c", "import sys", "$PORT"], 65, "there is no $PORT"),
        (["--repair", "/nowhere.yaml"], 66, "/nowhere.yaml"),
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
