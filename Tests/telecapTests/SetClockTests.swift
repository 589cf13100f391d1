import Foundation
import TelecapTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(Linux)
  extension WallClockSuites {
    /// The system clock is set by an hour while a command runs, as NTP does on a machine whose clock was wrong.
    @Suite("A system clock that is set in the middle", .real("runs telecap under another clock"))
    struct SetClockTests {
      private let folder: Folder
      private static let hours = [3_600, -3_600]

      init() throws { folder = try Folder() }

      /// The library that sets the clock (`Tests/Faults/clock.c`), beside the program; nil where it cannot be had.
      private static let library: String? = {
        let path = "\(Program.path)-clock.so"
        let command = "cc -O2 -shared -fPIC -o '\(path)' '\(Project.file("Tests/Faults/clock.c").path)' -ldl"
        guard let end = try? Running("/bin/sh", ["-c", command]).finish(), end.status == 0 else { return nil }
        return path
      }()

      private func start(_ words: [String], step seconds: Int) throws -> Running {
        let library = try #require(Self.library)
        let environment = ["LD_PRELOAD": library, "TELECAP_CLOCK_STEP": "\(seconds):\(folder["now"])"]
        return try Running(Program.path, words, environment: environment)
      }

      /// Sets the clock now.
      private func setClock() throws { _ = try folder.write([], to: "now") }

      @Test("The clock of these tests is set when they say so", arguments: hours)
      func sets(_ seconds: Int) throws {
        let program = "import time\nwhile True: print(time.time(), flush=True); time.sleep(0.02)"
        let clock = try Running(
          "/usr/bin/env", ["python3", "-c", program],
          environment: [
            "LD_PRELOAD": try #require(Self.library), "TELECAP_CLOCK_STEP": "\(seconds):\(folder["now"])",
          ])
        func times() -> [Double] { clock.output.split(separator: "\n").dropLast().compactMap { Double($0) } }
        func isSet() -> Bool { zip(times(), times().dropFirst()).contains { abs($1 - $0 - Double(seconds)) < 60 } }
        try clock.wait("for a time") { times().count > 1 }
        #expect(!isSet())
        try setClock()
        try clock.wait("for the step") { isSet() }
        clock.signal(SIGKILL)
        _ = try clock.finish()
      }

      @Test("conform fails no right program for it, and judges it in the end", arguments: sampled(hours, oneIn: 2))
      func conform(_ seconds: Int) throws {
        let system = Project.file("Tests/Independent/tele-host.yaml").path
        let only = ["tele.hello.*", "tele.pose.latest-value-wins*"].flatMap { ["--only", $0] }
        let run = try start(
          ["conform", "--sut", system, "--time-limit", "4s", "--format", "json"] + only, step: seconds)
        try run.wait("for a verdict") { run.output.contains("\"verdict\"") }
        try setClock()
        let end = try run.finish(seconds: 300)
        let verdicts = try end.json().filter { $0["verdict"] is String }
        #expect(RightProgram.failures(in: verdicts).isEmpty, "\(end)")
        #expect(verdicts.contains { $0["verdict"] as? String == "pass" }, "\(end)")
        #expect(end.status == 0, "\(end)")
      }

      @Test("learn writes the same rules", .deep("a program is started a dozen times"), arguments: hours)
      func learn(_ seconds: Int) throws {
        let file = folder["learned.yaml"]
        let words = ["python3", Project.file("Tests/Learning/json_host.py").path, "--port", "$UDP", "--code", "$CODE"]
        let run = try start(["learn", "--role", "host", "-o", file, "--no-trial", "--"] + words, step: seconds)
        try run.wait(for: "sending")
        try setClock()
        let end = try run.finish(seconds: 180)
        #expect(end.status == 0, "\(end)")
        let learned = try LearnedFile(String(contentsOfFile: file, encoding: .utf8))
        for (field, path) in ["seq": "data.frame", "x": "data.pose.position.0"] {
          #expect(learned.field(field, of: "pose") == .text(path), "\(learned)")
        }
        #expect(learned.field("session_id", of: "session-opened") == "data.session", "\(learned)")
        let check = try Program.run(["conform", "--sut", file, "--check"])
        #expect(check.status == 0, "\(check)")
      }

      @Test("view goes on with its pages, and a signal ends it", arguments: sampled(hours, oneIn: 2))
      func view(_ seconds: Int) async throws {
        let run = try start(["view", Project.file("Captures/busy.pcapng").path, "--no-open"], step: seconds)
        try run.wait("for its page") { run.errors.contains("http://") || run.output.contains("http://") }
        let words = (run.errors + run.output).split(whereSeparator: \.isWhitespace)
        let page = try #require(words.first { $0.hasPrefix("http://") }.flatMap { URL(string: String($0)) })
        func isShown() async throws -> Bool {
          let (body, answer) = try await URLSession.shared.data(from: page)
          return (answer as? HTTPURLResponse)?.statusCode == 200
            && String(decoding: body, as: UTF8.self).contains("busy.pcapng")
        }
        try await eventually { try await isShown() }
        try setClock()
        for _ in 0..<5 { #expect(try await isShown()) }
        run.signal(SIGINT)
        #expect(try run.finish(seconds: 10).status == 0)
      }
    }
  }
#endif
