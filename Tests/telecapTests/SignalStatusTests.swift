import Foundation
import TelecapTestSupport
import Testing

/// A command that a signal breaks off ends with 128 and the signal's number, as a shell reports it.
@Suite struct SignalStatusTests {
  @Test("A suite that is broken off", arguments: [SIGINT, SIGTERM, SIGHUP])
  func suite(_ signal: Int32) async throws {
    let folder = try Folder()
    let system = """
      role: host
      command: [/bin/sh, -c, "touch \(folder["begun"]); exec sleep 300"]
      addresses: { udp: free }
      ready: { line: ready, within: 60s }
      """
    let file = try folder.write(Array(system.utf8), to: "system.yaml")
    let program = try Program.start(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
    for _ in 0..<3_000 where !folder.names.contains("begun") { try await Task.sleep(for: .milliseconds(10)) }
    program.signal(signal)
    #expect(try program.finish(seconds: 30).status == 128 + signal)
  }

  @Test("Who waits for the reader of a pipe, too")
  func pipe() async throws {
    let folder = try Folder()
    try #require(mkfifo(folder["pipe"], 0o600) == 0)
    let program = try Program.start(["conform", "--json", folder["pipe"], "--only", "mouse.hid.layout"])
    for _ in 0..<3_000 where !program.output.contains("PASS") { try await Task.sleep(for: .milliseconds(10)) }
    program.signal(SIGTERM)
    #expect(try program.finish(seconds: 30).status == 143)
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
