import Foundation
import TelecapTestSupport
import Testing

/// A command that a signal breaks off ends with 128 and the signal's number, as a shell reports it.
@Suite(.real("runs telecap")) struct SignalStatusTests {
  @Test("A suite that is broken off", arguments: [SIGINT, SIGTERM, SIGHUP])
  func suite(_ signal: Int32) throws {
    let folder = try Folder()
    let system = """
      role: host
      command: [/bin/sh, -c, "touch \(folder["begun"]); exec sleep 300"]
      addresses: { udp: free }
      ready: { line: ready, within: 600s }
      """
    let file = try folder.write(Array(system.utf8), to: "system.yaml")
    let program = try Program.start(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
    try program.wait("for the program under test", seconds: 300) { folder.names.contains("begun") }
    program.signal(signal)
    let end = try program.finish(seconds: 300)
    #expect(end.status == 128 + signal, "\(end)")
  }

  @Test("Who waits for the reader of a pipe, too")
  func pipe() throws {
    let folder = try Folder()
    try #require(mkfifo(folder["pipe"], 0o600) == 0)
    let program = try Program.start(["conform", "--json", folder["pipe"], "--only", "mouse.hid.layout"])
    try program.wait("for the verdict", seconds: 300) { program.output.contains("PASS") }
    program.signal(SIGTERM)
    let end = try program.finish(seconds: 300)
    #expect(end.status == 143, "\(end)")
  }

  @Test("The reader of a pipe has the whole report, and no end before it")
  func report() throws {
    let end = try Program.shell(
      """
      cd '\(Project.file("").path)' && d=$(mktemp -d) && mkfifo $d/pipe
      (timeout 60 cat $d/pipe) & $telecap conform --json $d/pipe --only mouse.hid.layout > /dev/null; echo; echo $?; wait
      rm -r $d
      """)
    #expect(end.output.contains("\"mouse.hid.layout\"") && end.lines.contains("0"), "\(end)")
  }
}
