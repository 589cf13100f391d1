import CSockets
import TelecapConformance
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@testable import TelecapTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension WallClockSuites {
  @Suite("A program as a system under test")
  struct ProgramSystemTests {
    @Test("Its output is kept, and it is ended when the script ends")
    func output() async throws {
      let system = try Programs.shell("echo ready; echo not json; echo '{\"a\": 1}' >&2; echo $$; exec sleep 100")
      let log = try await system.run(try Programs.hello())
      #expect(log.broke == nil)
      #expect(log.lines.contains("not json"))
      #expect(log.lines.contains("{\"a\": 1}"))
      let id = try #require(log.lines.compactMap { Int32($0) }.first)
      try await eventually { !isRunning(id) }
    }

    @Test("None of its children remains, not even one that ignores SIGTERM")
    func children() async throws {
      let system = try Programs.shell(
        "(trap '' TERM; while :; do sleep 1; done) & echo $!; sleep 200 & echo $!; echo ready; wait")
      let log = try await system.run(try Programs.hello())
      let ids = log.lines.compactMap { Int32($0) }
      #expect(ids.count == 2)
      for id in ids { try await eventually { !isRunning(id) } }
    }

    #if os(Linux)
      @Test("A child that left its process group and lost its parent does not remain")
      func strays() async throws {
        let system = try Programs.shell("(setsid sh -c 'echo $$; echo ready; exec sleep 300' &); exec sleep 200")
        let log = try await system.run(try Programs.hello())
        let id = try #require(log.lines.compactMap { Int32($0) }.first)
        try await eventually { !isRunning(id) }
      }
    #endif

    @Test("A crash ends the run at once, with its signal and the last output")
    func crash() async throws {
      let system = try Programs.shell("echo ready; sleep 0.2; echo the end is near; kill -SEGV $$")
      let start = telecap_monotonic_ns()
      let log = try await system.run(try Programs.hello(end: 5_000_000_000))
      #expect(telecap_monotonic_ns() - start < 3_000_000_000)
      #expect(log.broke?.reason == "it was ended by signal 11")
      #expect(log.lines.contains("the end is near"))
      #expect(log.end < Timestamp(nanoseconds: 3_000_000_000))
    }

    @Test("An exit before it is ready is reported with its output")
    func exitsEarly() async throws {
      let log = try await Programs.shell("echo no robot here >&2; exit 3").run(try Programs.hello())
      #expect(log.broke?.reason == "it exited with status 3 before it was ready; it printed: no robot here")
    }

    @Test("A program that is never ready fails at the time limit, with its output")
    func neverReady() async throws {
      let log = try await Programs.shell("echo almost; exec sleep 100").run(try Programs.hello())
      #expect(
        log.broke?.reason == "it was not ready within 2000 ms: no line holds \"ready\"; it printed: almost")
    }

    @Test("A program that does not end when asked counts as hung, and is killed")
    func hang() async throws {
      let system = try Programs.shell("trap '' TERM; echo $$; echo ready; while :; do sleep 0.1; done")
      let log = try await system.run(try Programs.hello())
      #expect(log.broke?.reason == "it hung: it did not end within 500 ms")
      let id = try #require(log.lines.compactMap { Int32($0) }.first)
      try await eventually { !isRunning(id) }
    }

    @Test(
      "A program that ends too late hung on a punctual machine, and is inconclusive on a late one",
      arguments: [(50_000_000, "hung"), (50_000_001, "unclear")])
    func overtime(_ lateness: Nanoseconds, _ what: String) throws {
      var log = RunLog(shows: [])
      ShutdownTimeout(past: 500_000_000, lateness: RunLateness(woke: lateness)).note(in: &log)
      if what == "hung" {
        #expect(log.broke?.reason == "it hung: it did not end within 500 ms" && log.tooLate == nil)
      } else {
        #expect(log.broke == nil)
        let words = "it did not end within 500 ms, and this machine woke up to 50 ms late: it is too busy for a verdict"
        #expect(log.tooLate == words)
      }
    }

    @Test("A program that floods its output is stopped, and little of it is kept")
    func flood() async throws {
      let system = try Programs.shell("echo ready; exec yes a flood")
      let log = try await system.run(try Programs.hello(end: 5_000_000_000))
      #expect(log.broke?.reason == "it flooded its output")
      #expect(log.lines.count <= 10_000)
    }

    @Test("A program that is not there cannot be started")
    func missing() async throws {
      let file = try SystemFile(
        "role: host\ncommand: [/no/such/program]\naddresses: { udp: free }", file: "missing.yaml", suites: .all)
      let system = ProgramSystem(file, directory: "/", telecap: "")
      let script = try Programs.hello()
      let error = await #expect(throws: SystemError.self) { _ = try await system.run(script) }
      #expect(error?.description.hasPrefix("cannot start /no/such/program") == true)
    }

    @Test("A program that can be reused is started once")
    func reuse() async throws {
      let system = try Programs.shell(
        "echo ready; while :; do echo $$; sleep 0.02; done", more: "reuse: true")
      let first = try await system.run(try Programs.hello())
      let second = try await system.run(try Programs.hello())
      let ids = Set((first.lines + second.lines).compactMap { Int32($0) })
      #expect(ids.count == 1)
      #expect(!second.lines.contains("ready"))
      let id = try #require(ids.first)
      #expect(isRunning(id))
      await system.close()
      try await eventually { !isRunning(id) }
    }

    @Test("It gets its environment, its ports and its directory")
    func variables() async throws {
      let system = try Programs.shell(
        "echo $$NAME; pwd; echo ready; exec sleep 100", more: "environment: { NAME: \"$CODE at $UDP and $TCP\" }")
      let log = try await system.run(try Programs.hello())
      let words = try #require(log.lines.first { $0.hasPrefix("ABC123") }).split(separator: " ")
      #expect(words.count == 5)
      #expect(UInt16(words[2]) != nil && UInt16(words[4]) != nil && words[2] != words[4])
      #expect(log.lines.contains("/"))
    }

    @Test("The check reports a program that does not start, or is never ready, without a verdict")
    func check() async throws {
      let sessions = [try Programs.hello()]
      let dead = try Programs.shell("echo no robot here; exit 3", sessions: sessions)
      let error = await #expect(throws: SystemError.self) { _ = try await dead.check() }
      #expect(
        error?.description
          == "shell cannot be started: it exited with status 3 before it was ready; it printed: no robot here")
      let crashing = try Programs.shell("echo ready; sleep 0.1; exit 4", sessions: sessions)
      #expect(try await crashing.check()?.broke == "it exited with status 4")
      #expect(try await Programs.shell("echo ready").check() == nil)
    }

    @Test("A clock that steps during a run is reported, and one that is slewed is not")
    func jump() {
      let second: Nanoseconds = 1_000_000_000
      #expect(WallClockRun.jump(since: 3_600 * second, now: 3_600 * second, lasting: second) == nil)
      #expect(WallClockRun.jump(since: 0, now: 19_999_999, lasting: 0) == nil)
      #expect(WallClockRun.jump(since: 0, now: 20_000_000, lasting: 0) != nil)
      // An hour of a clock that is corrected by a thousandth, and a step of the least size beyond it.
      #expect(WallClockRun.jump(since: 0, now: -(18 * second / 5), lasting: 3_600 * second) == nil)
      #expect(WallClockRun.jump(since: 0, now: -(18 * second / 5) - 20_000_000, lasting: 3_600 * second) != nil)
      let words =
        "the system clock was set by -2000 ms during the run: no verdict, since the system under test may depend on it; run it again"
      #expect(WallClockRun.jump(since: second, now: -second, lasting: second) == words)
    }

    /// A process that was ended and not yet reaped by init does not run.
    private func isRunning(_ id: Int32) -> Bool {
      guard kill(id, 0) == 0 else { return false }
      guard let file = fopen("/proc/\(id)/stat", "r") else { return true }
      defer { fclose(file) }
      var line = [UInt8](repeating: 0, count: 256)
      let count = fread(&line, 1, line.count, file)
      let state = String(decoding: line[..<count], as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        .first
      return state != "Z" && state != "X"
    }
  }
}
