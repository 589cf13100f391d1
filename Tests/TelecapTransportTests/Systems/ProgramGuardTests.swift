#if os(Linux)
  import CSockets
  import Foundation
  import TelecapTestSupport
  import Testing

  @Suite("The guard of a program", .real("starts processes")) struct ProgramGuardTests {
    private static func sleeper(_ environment: [String: String]) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sleep")
      process.arguments = ["300"]
      process.environment = environment
      try process.run()
      return process
    }

    @Test("The guard kills a program by its mark alone if telecap dies before it sent the process id")
    func unnumbered() throws {
      var descriptor: Int32 = -1
      let mark = UUID().uuidString
      let id = telecap_guard_start("TELECAP_TEST=\(mark)", &descriptor)
      try #require(id > 0)
      let (marked, other) = (try Self.sleeper(["TELECAP_TEST": mark]), try Self.sleeper(["TELECAP_TEST": "other"]))
      // As when this process ends.
      close(descriptor)
      marked.waitUntilExit()
      #expect(marked.terminationReason == .uncaughtSignal && marked.terminationStatus == SIGKILL)
      var status: Int32 = -1
      #expect(waitpid(id, &status, 0) == id && status == 0)
      #expect(other.isRunning)
      // A test of signals may have this one blocked, which children inherit: SIGKILL cannot be.
      kill(other.processIdentifier, SIGKILL)
      other.waitUntilExit()
    }
  }
#endif
