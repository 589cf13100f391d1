import Foundation
import TelecapTestSupport
import Testing

/// What a relay does on a terminal.
@Suite(.real("runs telecap")) struct TerminalTests {
  /// A relay in a terminal of its own, at which keys are pressed; what it said, and at the end how that was left.
  private func relay(_ steps: [String], _ options: [String] = [], path: String? = nil) throws -> String {
    let command = ["relay", "udp:\(try freePort())=127.0.0.1:9"] + options
    let set = path.map { ["env", "PATH=\($0)"] } ?? []
    let end = try Running(
      "/usr/bin/env",
      ["python3", Project.file("Tests/Terminal/press.py").path] + steps + ["--"] + set + [Program.path] + command
    ).finish()
    #expect(end.status == 0, "\(end.errors)")
    return end.output
  }

  private static let left = "status 0, the terminal is as it was, 0 steps were not reached\n"

  @Test("Keys change the network, each is told, and q ends the relay")
  func keysChangeTheNetworkEachIsToldAndQEndsTheRelay() throws {
    let said = try relay([
      "--press", "q ends", "LL", "--press", "network changed: --loss 2%\r\n", "DJ", "--press",
      "network changed: --loss 2% --delay 10ms --jitter 5ms\r\n", "x", "--press", "q ends", "l", "--press",
      "network changed: --loss 1% --delay 10ms --jitter 5ms\r\n", "0", "--press",
      "network changed: nothing is done any more\r\n", "l", "--press", "the network stays as it was\r\n", "q",
    ])
    #expect(said.contains("up        changed 6 times while it ran"), "\(said)")
    #expect(said.hasSuffix(Self.left), "\(said)")
    // No key is shown.
    #expect(!said.contains("LL"))
  }

  @Test("They strike the way that the network struck")
  func theyStrikeTheWayThatTheNetworkStruck() throws {
    let said = try relay(
      ["--press", "q ends", "L", "--press", "network changed: --loss 6%\r\n", "q"], ["--loss", "5%", "--up"])
    #expect(said.contains("up        loss 6%: ") && !said.contains("down      loss"), "\(said)")
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test("A program under test has no terminal, and Ctrl-C ends conform and what the program started")
  func aProgramUnderTestHasNoTerminal() throws {
    let system = try ShellSystem(in: Folder()) { ids in
      """
      sleep 300 &
      printf '%s\\n' $$ $! > \(ids)
      if (: < /dev/tty) 2>/dev/null; then said='it has a terminal'; else said='it has no terminal'; fi
      echo "$said" > "$TERMINAL"
      wait
      """
    }
    let press = [
      "python3", Project.file("Tests/Terminal/press.py").path, "--press", "it has no terminal", "\u{3}", "--",
    ]
    let end = try Running("/usr/bin/env", press + [Program.path] + system.conform).finish()
    #expect(end.output.hasSuffix("status 130, the terminal is as it was, 0 steps were not reached\n"), "\(end)")
    #expect(system.processes.count == 2 && ShellSystem.haveEnded(system.processes))
  }

  @Test("A signal gives the terminal back", arguments: ["SIGINT", "SIGTERM"]) func aSignalGivesTheTerminalBack(
    _ signal: String
  ) throws {
    let said = try relay(["--signal", "q ends", signal])
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test(
    "Ctrl-Z gives the shell its terminal, and fg takes the keys again",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/dash")))
  func ctrlZGivesTheShellItsTerminalAndFgTakesTheKeysAgain() throws {
    let relay = "'\(Program.path)' relay udp:\(try freePort())=127.0.0.1:9"
    let steps: [(after: String, keys: String)] = [
      ("ready> ", "\(relay)\r"), ("q ends", "L"), ("network changed: --loss 1%\r\n", "\u{1a}"),
      ("ready> ", "stty -a\r"), ("isig icanon iexten echo ", ""), ("ready> ", "fg\r"), ("relay", "L"),
      ("network changed: --loss 2%\r\n", "q"), ("ready> ", "exit\r"),
    ]
    var arguments = ["python3", Project.file("Tests/Terminal/press.py").path]
    for step in steps { arguments += ["--press", step.after, step.keys] }
    // A shell that leaves the terminal as its programs leave it.
    arguments += ["--", "env", "PS1=ready> ", "/bin/dash", "-i"]
    let end = try Running("/usr/bin/env", arguments).finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("up        changed 2 times while it ran"), "\(end.output)")
    #expect(end.output.hasSuffix("0 steps were not reached\n"), "\(end.output)")
  }

  @Test("Where the standard input is no terminal there are no keys")
  func whereTheStandardInputIsNoTerminalThereAreNoKeys() throws {
    let end = try Program.run(["relay", "udp:\(try freePort())=127.0.0.1:9", "--duration", "200ms"])
    #expect(end.status == 0 && !end.errors.contains("keys:"), "\(end.errors)")
  }

  // MARK: - What others wrote

  /// What a command shows on a terminal.
  private func shown(_ command: [String], in folder: Folder) throws -> String {
    try Running(
      "/usr/bin/env",
      ["python3", Project.file("Tests/Terminal/press.py").path, "--", "/bin/sh", "-c"]
        + ["cd '\(folder.path)' && exec \"$@\"", "sh", Program.path] + command
    ).finish().output
  }

  /// A window's title, a colour, and what turns the direction of text.
  private static let hostile = "\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{202e}x"
  private static let printed = "\\u{1b}]0;owned\\u{7}\\u{1b}[31m\\u{9b}2J\\u{202e}x"

  @Test("Values of others are printable in CSV on a terminal, and stand in a file as they are")
  func valuesOfOthersArePrintableInCSVOnATerminalAndStandInAFileAsTheyAre() throws {
    let folder = try Folder()
    var traffic = try Traffic.session()
    // Its code.
    try traffic.add(Bytes.hello.prefix(10) + Array("\u{1b}[31mX".utf8) + [0, 0], at: 900)
    try traffic.writePcapng(to: folder["a.pcapng"])
    let csv = ["export", "a.pcapng", "--format", "csv", "--columns", "type,code"]
    let said = try shown(csv, in: folder)
    #expect(said.contains("\\u{1b}[31m") && !said.contains("\u{1b}"), "\(said)")
    let file = try Program.shell("cd '\(folder.path)' && \"$telecap\" \(csv.joined(separator: " "))").output
    #expect(file.contains("\u{1b}[31m"), "\(file)")
  }

  @Test("Packets do not go to a terminal", arguments: ["pcapng", "pcap"]) func packetsDoNotGoToATerminal(
    _ format: String
  ) throws {
    let folder = try Folder()
    try Traffic.session().writePcapng(to: folder["a.pcapng"])
    let said = try shown(["export", "a.pcapng", "--format", format], in: folder)
    #expect(
      said.hasPrefix(
        "telecap: \(format) is no text, and standard output is a terminal\n"
          + "  name a file with --output, or pass it on through a pipe\n"),
      "\(said)")
  }

  @Test("Names of files and words of the command line are printable wherever they are told")
  func namesOfFilesAndWordsOfTheCommandLineArePrintableWhereverTheyAreTold() throws {
    let folder = try Folder()
    let name = "\(Self.hostile).pcapng"
    try Traffic.session().writePcapng(to: folder[name])
    _ = try folder.write(Array("{}".utf8), to: "\(Self.hostile).ahap")
    for command in [
      ["info", name], ["dissect", name, "--summary"], ["replay", name, "--to", "model:host"], ["plan", name],
      ["replay", name, "--to", "127.0.0.1:9", "--speed", "max"], ["ahap", "lint", "\(Self.hostile).ahap"],
      ["ahap", "render", "\(Self.hostile).ahap"], ["report", name, "-o", "\(Self.hostile).html"],
      ["import", name, "-o", "\(Self.hostile).telecap"], ["info", Self.hostile], [Self.hostile],
      ["info", "--\(Self.hostile)"], ["conform", "--sut", Self.hostile], ["conform", "--only", Self.hostile],
      ["replay", name, "--role", Self.hostile], ["record", "-o", "x", "--relay", Self.hostile],
      ["export", name, "-o", Self.hostile], ["replay", name, "--network", Self.hostile],
      ["view", Self.hostile], ["senses", Self.hostile], ["touch", Self.hostile, "--views", Self.hostile],
    ] {
      let end = try Program.shell(
        "cd '\(folder.path)' && " + (["\"$telecap\""] + command.map { "'\($0)'" }).joined(separator: " "))
      let said = end.output + end.errors
      let isRaw = said.unicodeScalars.contains { ["\u{1b}", "\u{7}", "\u{9b}", "\u{202e}"].contains($0) }
      #expect(!isRaw, "\(command.map(\.debugDescription)): \(said.debugDescription)")
    }
    let lint = try Program.shell("cd '\(folder.path)' && \"$telecap\" ahap lint '\(Self.hostile).ahap'")
    #expect(lint.output.hasPrefix("\(Self.printed).ahap:"), "\(lint)")
  }

  // MARK: - The QR code

  private static let invitation = #"{"name":"robot","code":"ABC123","transport":"wifi"}"#
  /// As qrencode itself draws it; empty where it is not installed.
  private static let drawn =
    (try? Program.shell("qrencode -t ANSIUTF8 -m 2 -- '\(invitation)' 2>&- || true"))?.output ?? ""
  private static let advertised = ["--advertise", "robot", "--code", "ABC123"]

  @Test("The QR code is drawn", .enabled(if: !drawn.isEmpty)) func theQRCodeIsDrawn() throws {
    let last = try #require(Self.drawn.split(separator: "\n").last)
    let said = try relay(["--press", "QR code", "", "--press", "\(last)", "q"], Self.advertised)
    #expect(said.contains("QR code \(Self.invitation)\n"), "\(said)")
    #expect(said.contains(Self.drawn))
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test("Where it cannot be drawn its text is there, and what to install")
  func whereItCannotBeDrawnItsTextIsThereAndWhatToInstall() throws {
    let said = try relay(
      ["--press", "the QR code is not drawn: install qrencode\r\n", "q"], Self.advertised, path: "/nowhere")
    #expect(said.contains("QR code \(Self.invitation)\n"), "\(said)")
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test("Where no code is known, or no terminal is there, nothing is drawn")
  func whereNoCodeIsKnownOrNoTerminalIsThereNothingIsDrawn() throws {
    let host = ["simulate", "host", "--tele-udp", "\(try freePort())", "--advertise", "robot"]
    let unknown = try Program.start(host)
    try unknown.wait(for: "no QR code: it holds the code that the host takes, which --code says\n")
    unknown.signal(SIGINT)
    _ = try unknown.finish()
    let known = try Program.start(host + ["--code", "XYZ789"])
    try known.wait(for: #"QR code {"name":"robot","code":"XYZ789","transport":"wifi"}"# + "\n")
    known.signal(SIGINT)
    let said = try known.finish().errors
    #expect(!said.contains("█") && !said.contains("drawn"), "\(said)")
  }
}
