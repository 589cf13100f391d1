import Foundation
import TelecapTestSupport
import Testing

@Suite(.real("runs telecap")) struct KilledConformTests {
  @Test("A program under test does not outlive a conform that was killed or hung up", arguments: [SIGKILL, SIGHUP])
  func killed(by signal: Int32) async throws {
    // On Linux one more process, which leaves the group and loses its parent.
    #if os(Linux)
      let count = 3
    #else
      let count = 2
    #endif
    let system = try ShellSystem(in: Folder()) { ids in
      """
      \(count == 3 ? "(setsid sh -c 'echo $$ >> \(ids); exec sleep 300' &)" : "")
      sleep 300 &
      echo $! >> \(ids)
      echo $$ >> \(ids)
      echo almost
      wait
      """
    }
    let program = try Program.start(system.conform)
    try await eventually { system.processes.count == count }
    program.signal(signal)
    _ = try program.finish()
    let processes = system.processes
    #expect(processes.count == count)
    try await eventually { ShellSystem.haveEnded(processes) }
  }

  #if os(Linux)
    @Test("A program whose first act kills its conform ends too, so early that conform may not know its number yet")
    func killedAtOnce() async throws {
      let system = try ShellSystem(in: Folder()) { "echo $$ > \($0)\nkill -KILL $PPID\nexec sleep 300" }
      _ = try Program.run(system.conform)
      let processes = system.processes
      #expect(processes.count == 1)
      try await eventually { ShellSystem.haveEnded(processes) }
    }

    @Test(
      "What left the group, lost its parent and cleared its environment ends with a conform that ends",
      arguments: [nil, SIGHUP])
    func cleared(by signal: Int32?) async throws {
      let ready = signal == nil ? "{ line: never, within: 1s }" : "{ line: ready, within: 60s }"
      let system = try ShellSystem(in: Folder(), ready: ready) { ids in
        """
        (env -i setsid sh -c 'echo $$ >> \(ids); (setsid sleep 301 & echo $! >> \(ids)); exec sleep 300' &)
        until [ "$(wc -l < \(ids))" -eq 2 ]; do :; done
        echo almost
        exec sleep 300
        """
      }
      let program = try Program.start(system.conform)
      if let signal {
        try await eventually { system.processes.count == 2 }
        program.signal(signal)
      }
      _ = try program.finish()
      #expect(system.processes.count == 2 && ShellSystem.haveEnded(system.processes))
    }

    @Test("A child that left the group and cleared its environment ends with a killed conform while its parent lives")
    func ownChild() async throws {
      let system = try ShellSystem(in: Folder()) { ids in
        """
        env -i setsid sh -c 'echo $$ >> \(ids); exec sleep 300' &
        wait
        """
      }
      // Programs that start and end all the time: entries of /proc are gone when they are read.
      let busy = try (0..<2).map { _ in try Running("/bin/sh", ["-c", "while :; do /bin/true; done"]) }
      defer { for one in busy { one.signal(SIGKILL) } }
      let program = try Program.start(system.conform)
      try await eventually { system.processes.count == 1 }
      program.signal(SIGKILL)
      _ = try program.finish()
      let processes = system.processes
      try await eventually { ShellSystem.haveEnded(processes) }
    }

    @Test("Where the guard of a program was killed, conform ends as ever, and the program with it")
    func killedGuard() throws {
      let system = try ShellSystem(in: Folder(), ready: "{ line: never, within: 2s }") { ids in
        """
        until [ "$guard" ]; do
          for id in $(cat /proc/$PPID/task/*/children); do
            if grep -qa 'telecap-guar[d]' /proc/$id/cmdline; then guard=$id; fi
          done
        done
        kill -KILL $guard
        echo $guard $$ | tr ' ' '\\n' > \(ids)
        exec sleep 300
        """
      }
      #expect(try Program.run(system.conform).status == 69)
      #expect(system.processes.count == 2 && ShellSystem.haveEnded(system.processes))
    }

    @Test("A browser that was opened while a program ran is no stray of it: it stays")
    func browser() async throws {
      let folder = try Folder()
      let system = try ShellSystem(in: folder) { _ in "echo ready; exec sleep 300" }
      let opener = try folder.write(
        Array("#!/bin/sh\nsetsid sleep 300 </dev/null >/dev/null 2>&1 &\necho $! > \(folder["ids"])\n".utf8),
        to: "xdg-open")
      chmod(opener, 0o700)
      let path = "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
      let words = ["relay", "udp:\(try freePort())=\(system.file)", "--view"]
      let program = try Running(Program.path, words, environment: ["PATH": path])
      try await eventually { system.processes.count == 1 && program.errors.contains("relaying") }
      program.signal(SIGINT)
      _ = try program.finish()
      let id = try #require(system.processes.first)
      #expect(isRunning(id))
      kill(id, SIGKILL)
    }
  #endif
}
