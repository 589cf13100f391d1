import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@Suite("dissect --hex", .smoke)
struct DissectHexTests {
  /// Messages of every shape; the name is the golden file's.
  static let messages: [(name: String, digits: String, more: [String])] = [
    ("haptic", "54454c4507010000003f0000", []),
    ("haptic-nan", "54:45:4c:45 07 01 00 00 c0 7f 01 00", []),
    ("pose-cut", "54454c4503010100e803000000000000010000000000000000400000c0bf00000000000000000000803f", []),
    (
      "pose",
      "54454c4503010100e803000000000000" + "01000000803f000000400000c0bf"
        + "0000000000000000000000000000803f", []
    ),
    ("ack-tcp", "54454c450201000001010000", []),
    ("config", "54454c45090102007b7d", []),
    ("heartbeat", "54454c45060107000000ac0d0000", []),
    ("code", "414243313233", []),
    ("movement", "aa01fd7fff", []),
    ("movement-minus-128", "aa0080807f", []),
    ("hid-six", "01d4fe020001", []),
    ("hid-five", "01d4fe0200", []),
    ("hid-six-named", "414243313233", ["--protocol", "mouse"]),
    ("unknown-type", "54454c452a01cafe", []),
    ("noise", "0badf00dbadcab1e", []),
    ("short", "5445", []),
    ("empty", "", []),
  ]

  @Test("Explains each message as text")
  func explainsEachMessageAsText() throws {
    try expectGolden(try all([]), "hex.txt")
  }

  @Test("And as JSON")
  func andAsJSON() throws {
    try expectGolden(try all(["--format", "json"]), "hex.jsonl")
  }

  private func all(_ options: [String]) throws -> String {
    try DissectHexTests.messages.map { name, digits, more in
      let end = try Program.run(["dissect", "--hex", digits] + more + options)
      #expect(end.status == 0, "\(name): \(end.errors)")
      #expect(end.errors == "")
      if options.contains("json") { #expect(try end.json().count == 1) }
      return "# \(name)\n\(end.output)"
    }.joined()
  }

  /// The digits, the option, the status.
  @Test(
    "Fails when asked to and something is as bad",
    arguments: [
      ("54454c4507010000003f0000", "note", 0), ("54454c4507010000003f0000", "error", 0),
      ("54454c4507010000c07f0000", "error", 0), ("54454c4507010000c07f0000", "warning", 1),
      ("54454c4507010000c07f0000", "note", 1), ("54454c450701", "error", 1), ("54454c450701", "warning", 1),
      ("54454c450201000001010000", "note", 0),
    ])
  func failsWhenAskedToAndSomethingIsAsBad(digits: String, severity: String, status: Int32) throws {
    #expect(try Program.run(["dissect", "--hex", digits, "--fail-on", severity]).status == status)
    #expect(try Program.run(["dissect", "--hex", digits]).status == 0)
  }
}

@Suite("dissect a file", .smoke)
struct DissectFileTests {
  let folder: Folder
  let traffic: Traffic

  init() throws {
    folder = try Folder()
    traffic = try Traffic.session()
  }

  private func pcap(_ bytes: [UInt8]? = nil) throws -> String {
    try folder.write(bytes ?? traffic.pcap(), to: "in.pcap")
  }

  private func imported() throws -> String {
    let capture = folder["in.telecap"]
    #expect(try Program.run(["import", try pcap(), "-o", capture, "--force"]).status == 0)
    return capture
  }

  @Test("Says the same of a pcap, of standard input and of the capture made of it")
  func saysTheSameOfAPcapOfStandardInputAndOfTheCaptureMadeOfIt() throws {
    let text = try Program.run(["dissect", try pcap()])
    #expect(text.status == 0)
    #expect(text.errors == "")
    try expectGolden(text.output, "session.txt")
    #expect(try Program.run(["dissect", try imported()]).output == text.output)
    #expect(try Program.run(["dissect", "-"], input: traffic.pcap()).output == text.output)
    let json = try Program.run(["dissect", try imported(), "--format", "json"])
    try expectGolden(json.output, "session.jsonl")
    #expect(try json.json().count == 6)
  }

  @Test("Counts by type and rule")
  func countsByTypeAndRule() throws {
    try expectGolden(try Program.run(["dissect", try pcap(), "--summary"]).output, "summary.txt")
    let json = try Program.run(["dissect", try pcap(), "--summary", "--format", "json"])
    try expectGolden(json.output, "summary.json")
    #expect(try json.json().count == 1)
  }

  @Test("Shows what an SQL condition chooses, of a capture and of a pcap")
  func showsWhatAnSQLConditionChoosesOfACaptureAndOfAPcap() throws {
    for file in [try pcap(), try imported()] {
      let end = try Program.run(["dissect", file, "--where", "type = 'POSE' AND seq > 7", "--format", "json"])
      #expect(end.status == 0, "\(end.errors)")
      #expect(try end.json().map { $0["packet"] as? Int } == [5, 6])
      let summary = try Program.run(["dissect", file, "--where", "seq > 7", "--summary", "--format", "json"])
      #expect(try summary.json().first?["packets"] as? Int == 2)
      let wrong = try Program.run(["dissect", file, "--where", "speed > 7"])
      #expect(wrong.status == 64)
      #expect(wrong.errors.contains("no such column: speed"))
      #expect(wrong.output == "")
    }
    let piped = try Program.run(["dissect", "-", "--where", "1"], input: traffic.pcap())
    #expect(piped.status == 64)
    #expect(piped.errors.contains("standard input and pipes can be read only once"))
  }

  @Test("A pipe is read once: whole, or refused where it would have to be read twice")
  func aPipeIsReadOnceWholeOrRefusedWhereItWouldHaveToBeReadTwice() throws {
    let file = try pcap()
    let straight = try Program.run(["dissect", file])
    for command in ["dissect", "info", "import -o \(folder["i"])"] {
      let whole = try Program.shell(
        "mkfifo '\(folder["p"])'; cat '\(file)' > '\(folder["p"])' & $telecap \(command) '\(folder["p"])'; rm '\(folder["p"])'"
      )
      #expect(whole.errors.isEmpty || command.hasPrefix("import"), "\(command): \(whole.errors)")
      if command == "dissect" { #expect(whole.output == straight.output) }
    }
    for command in ["dissect --where 1", "plan", "replay", "replay \(file) --plan"] {
      let end = try Program.shell(
        "mkfifo '\(folder["p"])'; $telecap \(command) '\(folder["p"])'; status=$?; rm '\(folder["p"])'; exit $status")
      #expect(end.status == 64, "\(command): \(end.errors)")
      #expect(end.errors.contains("pipe"), "\(end.errors)")
    }
  }

  @Test("What an error quotes cannot move the cursor")
  func whatAnErrorQuotesCannotMoveTheCursor() throws {
    let end = try Program.run(["info", "/none/\u{1b}]0;owned\u{7}"])
    #expect(end.status == 66)
    #expect(end.errors.contains("/none/\\u{1b}]0;owned\\u{7}") && !end.errors.contains("\u{1b}"))
  }

  @Test("A condition cannot change the capture")
  func aConditionCannotChangeTheCapture() throws {
    let capture = try imported()
    let before = try Data(contentsOf: URL(filePath: capture))
    for condition in ["1; DELETE FROM packet", "1) OR (1", "(DELETE FROM packet)"] {
      #expect(try Program.run(["dissect", capture, "--where", condition]).status == 64)
    }
    #expect(try Data(contentsOf: URL(filePath: capture)) == before)
  }

  @Test("Fails on findings of a file when asked to")
  func failsOnFindingsOfAFileWhenAskedTo() throws {
    for (severity, status) in [("error", 0), ("warning", 0), ("note", 1)] as [(String, Int32)] {
      #expect(try Program.run(["dissect", try pcap(), "--summary", "--fail-on", severity]).status == status)
    }
    let chosen = try Program.run(["dissect", try imported(), "--where", "type = 'ACK'", "--fail-on", "note"])
    #expect(chosen.status == 0, "only what is chosen counts")
  }

  @Test("A truncated file shows what there is, and then where it broke")
  func aTruncatedFileShowsWhatThereIsAndThenWhereItBroke() throws {
    let offset = 24 + traffic.packets[..<5].reduce(0) { $0 + 16 + $1.frame.count }
    let file = try pcap(Array(traffic.pcap().prefix(offset + 3)))
    let end = try Program.run(["dissect", file, "--format", "json", "--fail-on", "note"])
    #expect(end.status == 65)
    #expect(try end.json().map { $0["packet"] as? Int } == [1, 2, 3, 4, 5])
    #expect(end.errors.contains("the file ends inside the packet record at byte \(offset): needed 16 bytes, had 3"))
    let summary = try Program.run(["dissect", file, "--summary", "--format", "json"])
    #expect(summary.status == 65)
    #expect(try summary.json().first?["messages"] as? Int == 5)
  }

  @Test("A damaged capture shows what there is too")
  func aDamagedCaptureShowsWhatThereIsToo() throws {
    var long = Traffic()
    for seq in 0..<2_000 { try long.add(Bytes.pose(UInt16(seq)), at: seq) }
    let capture = folder["long.telecap"]
    #expect(try Program.run(["import", try pcap(long.pcap()), "-o", capture]).status == 0)
    // SQLite's pages, from the one that holds packet 1,000 to the next: no more a part of a table.
    let frame = try #require(try Data(contentsOf: URL(filePath: capture)).firstRange(of: Data(Bytes.pose(1_000))))
    let page = frame.lowerBound / 4_096 * 4_096
    let file = try FileHandle(forUpdating: URL(filePath: capture))
    try file.seek(toOffset: UInt64(page))
    try file.write(contentsOf: Data(repeating: 0xee, count: 4_096))
    try file.close()
    let end = try Program.run(["dissect", capture, "--format", "json"])
    #expect(end.status == 65, "\(end.errors)")
    #expect(end.errors.contains("the capture is damaged"))
    let packets = try end.json().compactMap { $0["packet"] as? Int }
    #expect(packets.count > 100)
    #expect(packets == Array(1...packets.count))
  }

  @Test("What is no recording is said with status 65, what is missing with 66")
  func whatIsNoRecordingIsSaidWithStatus65WhatIsMissingWith66() throws {
    let text = try folder.write(Array("hello, this is no capture\n".utf8), to: "notes.txt")
    let newer = try imported()
    _ = try sql(newer, "PRAGMA user_version = 99")
    let other = folder["other.sqlite"]
    _ = try sql(other, "CREATE TABLE a (b)")
    let damaged = try folder.write(Array("SQLite format 3\0".utf8), to: "damaged.telecap")
    let cases: [(file: String, status: Int32, words: String)] = [
      (text, 65, "notes.txt: not a capture file: "),
      (newer, 65, "a capture of format 99; this telecap reads formats up to 2: use a newer telecap"),
      (other, 65, "a SQLite database, but not a telecap capture"),
      (damaged, 65, "the capture is damaged: it ends after 16 bytes"),
      (folder["none.telecap"], 66, "there is no such file"),
      (folder.path, 66, "cannot be read"),
    ]
    for (file, status, words) in cases {
      let end = try Program.run(["dissect", file])
      #expect(end.status == status, "\(end.errors)")
      #expect(end.errors.contains(words), "\(end.errors)")
      #expect(end.output == "")
    }
  }

  @Test("No escape sequences where there is no terminal")
  func noEscapeSequencesWhereThereIsNoTerminal() throws {
    let file = try pcap()
    let plain = try Program.run(["dissect", file], environment: ["TERM": "xterm", "NO_COLOR": ""])
    #expect(!plain.output.contains("\u{1b}"))
    #expect(!plain.errors.contains("\u{1b}"))
  }

  @Test("--color and CLICOLOR_FORCE colour output that is no terminal, and --color counts more than NO_COLOR")
  func colourWithoutATerminal() throws {
    let words = ["dissect", "--hex", "54454c450701"]
    let always = try Program.run(words + ["--color", "always"], environment: ["NO_COLOR": "1"])
    #expect(always.output.contains("\u{1b}[31merror"))
    let forced = try Program.run(words, environment: ["NO_COLOR": "", "CLICOLOR_FORCE": "1"])
    #expect(forced.output.contains("\u{1b}[31merror"))
    let never = try Program.run(words + ["--color", "never"], environment: ["CLICOLOR_FORCE": "1"])
    #expect(!never.output.contains("\u{1b}"))
  }

  #if os(Linux)
    @Test("Colour on a terminal, unless NO_COLOR says no")
    func colourOnATerminalUnlessNOCOLORSaysNo() throws {
      let command = "script -qec \"$telecap dissect --hex 54454c450701\" /dev/null"
      // The empty value stands for none (no-color.org): whoever runs the tests may have set another.
      let coloured = try Program.shell(command, environment: ["TERM": "xterm", "NO_COLOR": ""])
      #expect(coloured.output.contains("\u{1b}[31merror"))
      let refused = try Program.shell(command, environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(refused.output.contains("error length.truncated"))
      #expect(!refused.output.contains("\u{1b}"))
      #expect(try !Program.shell(command, environment: ["TERM": "dumb", "NO_COLOR": ""]).output.contains("\u{1b}"))
    }

    @Test(
      "A full output is an error",
      arguments: [
        "dissect a.pcap", "--help", "help replay", "--version", "--generate-completion-script bash",
        "--generate-completion-script zsh",
      ]) func aFullOutputIsAnError(command: String) throws
    {
      _ = try folder.write(traffic.pcap(), to: "a.pcap")
      let end = try Program.shell("cd '\(folder.path)' && $telecap \(command) > /dev/full")
      #expect(end.status == 74)
      #expect(end.errors == "telecap: cannot write to standard output: No space left on device\n")
    }
  #endif

  @Test("A reader that has had enough ends it quietly")
  func aReaderThatHasHadEnoughEndsItQuietly() throws {
    var long = Traffic()
    for seq in 0..<5_000 { try long.add(Bytes.pose(UInt16(seq)), at: seq) }
    let file = try folder.write(long.pcap(), to: "long.pcap")
    // As a shell starts it, where SIGPIPE ends it, and where SIGPIPE is ignored.
    for start in ["", "trap '' PIPE; "] {
      let end = try Program.shell("\(start)($telecap dissect '\(file)'; echo status $? >&2) | head -1")
      #expect(end.lines.count == 1)
      #expect(["status 0\n", "status \(128 + SIGPIPE)\n"].contains(end.errors), "\(end.errors)")
    }
  }
}

@Suite("the command line", .smoke)
struct CommandLineTests {
  @Test(
    "Help shows an example",
    arguments: [
      [], ["record"], ["import"], ["export"], ["discover"], ["info"], ["dissect"], ["replay"], ["plan"], ["simulate"],
      ["simulate", "host"], ["simulate", "phone"], ["simulate", "mouse"], ["simulate", "mouse-host"],
    ])
  func helpShowsAnExample(command: [String]) throws {
    let end = try Program.run(command + ["--help"])
    #expect(end.status == 0)
    #expect(end.errors == "")
    #expect(end.output.contains("Example"))
    #expect(end.output.contains("telecap \(command.isEmpty ? "record" : command.joined(separator: " ")) "))
    #expect(end.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "fits a terminal")
  }

  @Test("Every example of the help is a command line that is understood")
  func everyExampleOfTheHelpIsACommandLineThatIsUnderstood() throws {
    let folder = try Folder()
    for command in ["record", "import", "export", "discover", "info", "dissect", "replay", "plan"] {
      let help = try Program.run([command, "--help"]).output.replacingOccurrences(of: "\\\n", with: " ")
      let examples = help.split(separator: "\n").filter { $0.contains("telecap \(command) ") && !$0.contains("<") }
      #expect(!examples.isEmpty)
      for line in examples {
        let example = line[(line.range(of: "telecap ")?.upperBound ?? line.startIndex)...]
        // A recording would begin: what is refused last shows that all before it was understood.
        let refused = command == "record" ? " --count 0" : ""
        let end = try Program.shell("cd '\(folder.path)'; $telecap \(example)\(refused)")
        if command == "record" {
          #expect(end.errors.hasPrefix("Error: --count is 1 or more"), "\(example): \(end.errors)")
        } else {
          // The folder is empty, and perhaps nobody makes himself known here.
          let without: Int32 = command == "discover" ? 69 : 66
          #expect(end.status == 0 || end.status == without, "\(example): \(end.errors)")
        }
      }
    }
  }

  @Test("Mistakes are told with status 64 and nothing on stdout")
  func mistakesAreToldWithStatus64AndNothingOnStdout() throws {
    let cases = [
      ("dissect", "give a file, or --hex and digits, and not both"),
      ("dissect a --hex 00", "give a file, or --hex and digits, and not both"),
      ("dissect --hex 54 45 4c 45", "--hex takes one word: write digits with spaces in quotes, --hex '54 45 …'"),
      (
        "dissect a --protocol tele",
        "--protocol tele: built in, and needed only with --hex, to select the protocol of the digits"
      ),
      ("dissect --hex 00 --where 1", "--where requires a file"),
      ("dissect --hex 0", "--hex: not pairs of hexadecimal digits"),
      ("dissect --hex xy", "--hex: not pairs of hexadecimal digits"),
      (
        "dissect --hex 00 --protocol smtp",
        "there is no protocol \"smtp\"; there are tele, mouse and, in files, artnet, "
      ),
      ("dissect --hex 00 --fail-on bad", "The value 'bad' is invalid for '--fail-on <fail-on>'"),
      ("dissect --hex 00 --format xml", "The value 'xml' is invalid for '--format <format>'"),
      ("dissect --hex 00 --tele-udp 70000", "The value '70000' is invalid for '--tele-udp <port>'"),
      (
        "record -o a --bpf x --relay udp:1=127.0.0.1:2",
        "--bpf cannot be combined with --relay, which captures no interface"
      ),
      ("nosuch", "nosuch"),
    ]
    for (line, words) in cases {
      let end = try Program.run(line)
      #expect(end.status == 64, "\(line): \(end.errors)")
      #expect(end.errors.contains(words), "\(line): \(end.errors)")
      #expect(end.output == "", "\(line)")
    }
  }

  @Test("The version is told")
  func theVersionIsTold() throws {
    let end = try Program.run("--version")
    #expect(end.status == 0)
    #expect(end.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}
