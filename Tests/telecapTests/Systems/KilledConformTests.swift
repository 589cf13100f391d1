import Foundation
import TelecapTestSupport
import Testing

@Suite(.real("runs telecap")) struct KilledConformTests {
  /// The numbers that the program wrote.
  private func numbers(_ path: String) -> [Int32] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int32($0) }
  }

  private struct TooLate: Error { let what: String }

  private func wait(_ what: String, until isDone: () -> Bool) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(30))
    while !isDone() {
      if ContinuousClock.now > end { throw TooLate(what: what) }
      usleep(5_000)
    }
  }

  @Test("A program under test does not outlive a conform that was killed or hung up", arguments: [SIGKILL, SIGHUP])
  func killed(by signal: Int32) throws {
    let folder = try Folder()
    // On Linux one more process, which leaves the group and loses its parent.
    #if os(Linux)
      let stray = "(setsid sh -c 'echo $$ >> \(folder["ids"]); exec sleep 300' &)"
      let count = 3
    #else
      let (stray, count) = ("", 2)
    #endif
    let system = """
      role: host
      command:
        - /bin/sh
        - -c
        - |
          \(stray)
          sleep 300 &
          echo $! >> \(folder["ids"])
          echo $$ >> \(folder["ids"])
          echo almost
          wait
      addresses: { udp: free }
      ready: { line: ready, within: 60s }
      """
    let file = try folder.write(Array(system.utf8), to: "system.yaml")
    let program = try Program.start(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
    try wait("the program to start") { numbers(folder["ids"]).count == count }
    program.signal(signal)
    _ = try program.finish()
    let ids = numbers(folder["ids"])
    #expect(ids.count == count)
    try wait("the end of \(ids)") { ids.allSatisfy { !isRunning($0) } }
  }

  #if os(Linux)
    @Test(
      "What left the group, lost its parent and cleared its environment ends with a conform that ends",
      arguments: [nil, SIGHUP])
    func cleared(by signal: Int32?) throws {
      let folder = try Folder()
      let system = """
        role: host
        command:
          - /bin/sh
          - -c
          - |
            (env -i setsid sh -c 'echo $$ >> \(folder["ids"]); (setsid sleep 301 & echo $! >> \(folder["ids"])); exec sleep 300' &)
            until [ "$(wc -l < \(folder["ids"]))" -eq 2 ]; do :; done
            echo almost
            exec sleep 300
        addresses: { udp: free }
        ready: { line: \(signal == nil ? "never" : "ready"), within: \(signal == nil ? "1s" : "60s") }
        """
      let file = try folder.write(Array(system.utf8), to: "system.yaml")
      let program = try Program.start(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
      if let signal {
        try wait("the program to start") { numbers(folder["ids"]).count == 2 }
        program.signal(signal)
      }
      _ = try program.finish()
      let ids = numbers(folder["ids"])
      #expect(ids.count == 2 && ids.allSatisfy { !isRunning($0) })
    }

    @Test("A child that left the group and cleared its environment ends with a killed conform while its parent lives")
    func ownChild() throws {
      let folder = try Folder()
      let system = """
        role: host
        command:
          - /bin/sh
          - -c
          - |
            env -i setsid sh -c 'echo $$ >> \(folder["ids"]); exec sleep 300' &
            wait
        addresses: { udp: free }
        ready: { line: ready, within: 60s }
        """
      let file = try folder.write(Array(system.utf8), to: "system.yaml")
      let program = try Program.start(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
      try wait("the program to start") { numbers(folder["ids"]).count == 1 }
      program.signal(SIGKILL)
      _ = try program.finish()
      let ids = numbers(folder["ids"])
      try wait("the end of \(ids)") { ids.allSatisfy { !isRunning($0) } }
    }

    @Test("Where the guard of a program was killed, conform ends as ever, and the program with it")
    func killedGuard() throws {
      let folder = try Folder()
      let system = """
        role: host
        command:
          - /bin/sh
          - -c
          - |
            until [ "$$guard" ]; do
              for id in $(cat /proc/$$PPID/task/*/children); do
                if grep -qa 'telecap-guar[d]' /proc/$$id/cmdline; then guard=$$id; fi
              done
            done
            kill -KILL $$guard
            echo $$guard $$ | tr ' ' '\\n' > \(folder["ids"])
            exec sleep 300
        addresses: { udp: free }
        ready: { line: never, within: 2s }
        """
      let file = try folder.write(Array(system.utf8), to: "system.yaml")
      let end = try Program.run(["conform", "--sut", file, "--only", "tele.hello.ack-every"])
      #expect(end.status == 69)
      let ids = numbers(folder["ids"])
      #expect(ids.count == 2 && ids.allSatisfy { !isRunning($0) })
    }

    @Test("A browser that was opened while a program ran is no stray of it: it stays")
    func browser() throws {
      let folder = try Folder()
      let opener = try folder.write(
        Array("#!/bin/sh\nsetsid sleep 300 </dev/null >/dev/null 2>&1 &\necho $! > \(folder["ids"])\n".utf8),
        to: "xdg-open")
      chmod(opener, 0o700)
      let system = """
        role: host
        command: [/bin/sh, -c, "echo ready; exec sleep 300"]
        addresses: { udp: free }
        ready: { line: ready, within: 60s }
        """
      let file = try folder.write(Array(system.utf8), to: "system.yaml")
      let path = "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
      let words = ["relay", "udp:\(try freePort())=\(file)", "--view"]
      let program = try Running(Program.path, words, environment: ["PATH": path])
      try wait("the browser") { numbers(folder["ids"]).count == 1 && program.errors.contains("relaying") }
      program.signal(SIGINT)
      _ = try program.finish()
      let id = try #require(numbers(folder["ids"]).first)
      #expect(isRunning(id))
      kill(id, SIGKILL)
    }
  #endif
}
