import Foundation
import TelecapTestSupport
import Testing

/// What a relay does on a terminal.
@Suite struct TerminalTests {
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

  @Test func `keys change the network, each is told, and q ends the relay`() throws {
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

  @Test func `they strike the way that the network struck`() throws {
    let said = try relay(
      ["--press", "q ends", "L", "--press", "network changed: --loss 6%\r\n", "q"], ["--loss", "5%", "--up"])
    #expect(said.contains("up        loss 6%: ") && !said.contains("down      loss"), "\(said)")
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test(arguments: ["SIGINT", "SIGTERM"]) func `a signal gives the terminal back`(_ signal: String) throws {
    let said = try relay(["--signal", "q ends", signal])
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/dash")))
  func `Ctrl-Z gives the shell its terminal, and fg takes the keys again`() throws {
    let relay = "'\(Program.path)' relay udp:\(try freePort())=127.0.0.1:9"
    // A shell that leaves the terminal as its programs leave it.
    let end = try Running(
      "/usr/bin/env",
      ["python3", Project.file("Tests/Terminal/press.py").path]
        + ["--press", "ready> ", "\(relay)\r", "--press", "q ends", "L", "--press", "network changed: --loss 1%\r\n"]
        + ["\u{1a}", "--press", "ready> ", "stty -a\r", "--press", "isig icanon iexten echo ", ""]
        + ["--press", "ready> ", "fg\r", "--press", "relay", "L", "--press", "network changed: --loss 2%\r\n", "q"]
        + ["--press", "ready> ", "exit\r", "--", "env", "PS1=ready> ", "/bin/dash", "-i"]
    ).finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("up        changed 2 times while it ran"), "\(end.output)")
    #expect(end.output.hasSuffix("0 steps were not reached\n"), "\(end.output)")
  }

  @Test func `where the standard input is no terminal there are no keys`() throws {
    let end = try Program.run(["relay", "udp:\(try freePort())=127.0.0.1:9", "--duration", "200ms"])
    #expect(end.status == 0 && !end.errors.contains("keys:"), "\(end.errors)")
  }

  // MARK: - The QR code

  private static let invitation = #"{"name":"robot","code":"ABC123","transport":"wifi"}"#
  /// As qrencode itself draws it; empty where it is not installed.
  private static let drawn =
    (try? Program.shell("qrencode -t ANSIUTF8 -m 2 -- '\(invitation)' 2>&- || true"))?.output ?? ""
  private static let advertised = ["--advertise", "robot", "--code", "ABC123"]

  @Test(.enabled(if: !drawn.isEmpty)) func `the QR code is drawn`() throws {
    let last = try #require(Self.drawn.split(separator: "\n").last)
    let said = try relay(["--press", "QR code", "", "--press", "\(last)", "q"], Self.advertised)
    #expect(said.contains("QR code \(Self.invitation)\n"), "\(said)")
    #expect(said.contains(Self.drawn))
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test func `where it cannot be drawn its text is there, and what to install`() throws {
    let said = try relay(
      ["--press", "the QR code is not drawn: install qrencode\r\n", "q"], Self.advertised, path: "/nowhere")
    #expect(said.contains("QR code \(Self.invitation)\n"), "\(said)")
    #expect(said.hasSuffix(Self.left), "\(said)")
  }

  @Test func `where no code is known, or no terminal is there, nothing is drawn`() throws {
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
