import CSockets
import Foundation
import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@testable import TelecapTransport

extension WallClockSuites {
  @Suite("Making a program act")
  struct DoingTests {
    /// A program that does nothing by itself, and is moved in this way.
    private static func system(
      _ move: String, command: String = "[/bin/sh, -c, 'echo ready; exec sleep 100']", ready: String = "ready"
    ) throws -> ProgramSystem {
      let file = """
        role: mouse
        command: \(command)
        addresses: { udp: free, tcp: free, http: free }
        ready: { line: \(ready) }
        actions: { move: \(move) }
        shows: { events: [{ is: refused }] }
        """
      return ProgramSystem(try SystemFile(file, file: "s.yaml", suites: .all), directory: "/", telecap: "/nowhere")
    }

    /// It is moved twice, 100 ms apart.
    private static func scenario() throws -> Scenario {
      let text = """
        # A test.
        requirement: mouse.sender.not-connected
        role: mouse
        steps:
          - { at: 0s, ask: { move: [10, 10] } }
          - { at: 100ms, ask: { move: [-3, 4, 1] } }
        expect: { refused: not-connected }
        end: 300ms
        """
      return try Scenario(text, path: "mouse/sender/not-connected.yaml", file: "test.yaml", suites: .all)
    }

    private static func run(_ system: ProgramSystem) async throws -> RunLog {
      try await system.run(try scenario().script(for: Case()))
    }

    private static func verdict(_ log: RunLog) throws -> CaseResult {
      let scenario = try scenario()
      return Judge.judge(log, scenario.script(for: Case()), of: Case(), in: scenario)
    }

    private static func asked(_ log: RunLog) -> [Timestamp] {
      log.entries.compactMap { entry in
        guard case .asked = entry.what else { return nil }
        return entry.time
      }
    }

    @Test("The output of a command counts as the program's; the command gets the numbers")
    func command() async throws {
      let log = try await Self.run(
        try Self.system(
          #"{ run: [/bin/sh, -c, 'echo "$1 $2"; echo "{\"error\": \"not-connected\"}"', x, $X, $SCROLL] }"#)
      )
      #expect(log.lines.contains("10 0") && log.lines.contains("-3 1"))
      #expect(log.undone == nil)
      let result = try Self.verdict(log)
      #expect(result.verdict == .pass, "\(result.reason) \(result.breaches)")
    }

    @Test("The next action waits until a command is done")
    func slow() async throws {
      let log = try await Self.run(try Self.system("{ run: [/bin/sh, -c, 'sleep 0.4'] }"))
      let asked = Self.asked(log)
      #expect(asked.count == 2)
      #expect(asked[1].nanoseconds(since: asked[0]) >= 490_000_000)
      #expect(log.end >= Timestamp(nanoseconds: 1_090_000_000))
      #expect(log.tooLate == nil || log.tooLate?.contains("too busy") == true)
    }

    @Test(
      "An action that failed is reported, and makes a failure inconclusive",
      arguments: [
        ("{ run: [/bin/sh, -c, 'exit 3'] }", "run: /bin/sh -c exit 3: it exited with status 3"),
        ("{ run: [/no/such/thing] }", "run: /no/such/thing: cannot start /no/such/thing"),
        ("{ post: 'http://127.0.0.1:$HTTP/move' }", "/move: cannot connect over TCP to 127.0.0.1:"),
      ])
    func undone(_ move: String, _ why: String) async throws {
      let log = try await Self.run(try Self.system(move))
      let undone = try #require(log.undone)
      #expect(undone.hasPrefix("it could not be made to move 10.0, 10.0: "))
      #expect(undone.contains(why), "\(undone)")
      let result = try Self.verdict(log)
      #expect(result.verdict == .inconclusive && result.reason == undone)
    }

    @Test("A call that the program reports as refused was made")
    func refusedCall() async throws {
      let log = try await Self.run(
        try Self.system(#"{ run: [/bin/sh, -c, 'echo "{\"error\": \"not-connected\"}"; exit 1'] }"#))
      #expect(log.failedDeeds.count == 2 && log.undone == nil)
      #expect(try Self.verdict(log).verdict == .pass)
    }

    @Test("An action to a program that has closed its standard input fails")
    func closedInput() async throws {
      let log = try await Self.run(
        try Self.system("m $X", command: "[/bin/sh, -c, 'exec <&-; echo ready; exec sleep 100']"))
      // The first line still gets into the pipe where another test starts a program in that moment, which has a copy of the pipe's
      // end between its fork and its exec.
      let lines = ["10.0, 10.0: the line \"m 10\"", "-3.0, 4.0, scroll 1.0: the line \"m -3\""]
      #expect(
        lines.map { "it could not be made to move \($0): it has closed its standard input" }.contains(log.undone),
        "\(log.undone ?? "")")
    }

    @Test(
      "A request that the server refuses is reported with its answer",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func refused() async throws {
      let system = try Self.system(
        "{ post: 'http://localhost:$HTTP/move?x=$X', body: 'y' }",
        command: "[/usr/bin/python3, -u, -m, http.server, --bind, 127.0.0.1, $HTTP]", ready: "Serving")
      let undone = try #require(try await Self.run(system).undone)
      #expect(undone.hasSuffix("/move?x=10: it answered 501 Unsupported method ('POST')"), "\(undone)")
    }

    @Test("No process of a command remains")
    func strays() async throws {
      let log = try await Self.run(try Self.system("{ run: [/bin/sh, -c, 'sleep 300 & echo $!'] }"))
      let ids = log.lines.compactMap { Int32($0) }
      #expect(ids.count == 2)
      for id in ids { #expect(kill(id, 0) != 0 || isDead(id)) }
    }

    #if os(Linux)
      @Test(
        "A process that keeps a command's output open does not block the run",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")))
      func awayWithTheOutput() async throws {
        let away = "if [ $1 = 10 ]; then env -i setsid sleep 60 & echo $!; sleep 0.5; fi"
        let log = try await Self.run(try Self.system("{ run: [/bin/sh, -c, '\(away)', x, $X] }"))
        #expect(log.undone == nil && log.broke == nil)
        let ids = log.lines.compactMap { Int32($0) }
        #expect(ids.count == 1 && ids.allSatisfy { kill($0, SIGKILL) == 0 })
      }
    #endif

    /// It has ended, and nobody has reaped it yet.
    private func isDead(_ id: Int32) -> Bool {
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return true }
      return text.split(separator: ")").last?.contains("Z") == true
    }

    @Test(
      "The status of a response is read",
      arguments: [
        ("HTTP/1.1 204 No Content\r\n\r\n", "204 No Content"),
        ("HTTP/1.0 404 Not Found\r\nA: b\r\n\r\nbody", "404 Not Found"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "200 OK"), ("HTTP/1.1 200 OK\r\nA: b\r\n", nil),
        ("hello\r\n\r\n", "\"hello\", which is no HTTP"),
      ] as [(String, String?)])
    func status(_ answer: String, _ status: String?) {
      var bytes = Array(answer.utf8)
      #expect(HTTPRequest.status(in: &bytes) == status)
    }

    @Test("A request has these bytes, and goes to this machine only")
    func request() throws {
      let request = try #require(HTTPRequest("http://127.0.0.1:80/a?b=1", body: "{\"x\": 1}"))
      #expect(
        String(decoding: request.bytes, as: UTF8.self)
          == "POST /a?b=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nConnection: close\r\nContent-Type: application/json\r\n"
          + "Content-Length: 8\r\n\r\n{\"x\": 1}")
      #expect(HTTPRequest("http://10.0.0.1:80/", body: "") == nil)
    }
  }
}
