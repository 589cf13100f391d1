import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// telecap that a person stops for ten seconds (SIGSTOP), as a laptop does that sleeps, and lets go on.
  @Suite("telecap that is stopped for ten seconds", .deep("each is stopped for ten seconds of the clock"))
  struct StoppedTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Stops a program for ten seconds.
    private func stop(_ program: Running) {
      program.signal(SIGSTOP)
      usleep(10_000_000)
      program.signal(SIGCONT)
    }

    @Test("conform fails no right program for it")
    func conform() throws {
      let system = Project.file("Tests/Independent/tele-host.yaml").path
      let run = try Program.start(
        ["conform", "--sut", system, "--only", "tele.hello.*", "--only", "tele.bye.*", "--time-limit", "20s"]
          + ["--format", "json"])
      try run.wait("for a verdict") { run.output.contains("\"verdict\"") }
      stop(run)
      let end = try run.finish(seconds: 300)
      let verdicts = try end.json().filter { $0["verdict"] is String }
      #expect(RightProgram.failures(in: verdicts).isEmpty, "\(end)")
      #expect(verdicts.contains { $0["verdict"] as? String == "pass" }, "\(end)")
    }

    @Test("learn writes the same rules", arguments: [1, 4])
    func learn(_ seconds: UInt32) throws {
      let file = folder["learned.yaml"]
      let words = ["python3", Project.file("Tests/Learning/json_host.py").path, "--port", "$UDP", "--code", "$CODE"]
      let run = try Program.start(["learn", "--role", "host", "-o", file, "--no-trial", "--"] + words)
      usleep(seconds * 1_000_000)
      stop(run)
      let end = try run.finish(seconds: 180)
      #expect(end.status == 0, "\(end)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for rule in ["seq: data.frame", "x: data.pose.position.0", "session_id: data.session"] {
        #expect(text.contains(rule), "\(rule): \(text)")
      }
      let check = try Program.run(["conform", "--sut", file, "--check"])
      #expect(check.status == 0, "\(check)")
    }

    /// The session that a simulated peer says is open now; nil while there is none.
    private func session(of peer: Running) throws -> Int? {
      let lines = peer.output.split(separator: "\n").filter { $0.contains("\"session-") && $0.hasSuffix("}") }
      guard let last = lines.last, last.contains("\"session-opened\"") else { return nil }
      return try (JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])?["session_id"] as? Int
    }

    @Test("A simulated host and phone have a session again, whichever was stopped", arguments: ["host", "phone"])
    func simulate(_ stopped: String) throws {
      let port = try freePort()
      let host = try Program.start(["simulate", "host", "--port", "tele-udp=\(port)"])
      try host.wait(for: "UDP ")
      let phone = try Program.start(["simulate", "phone", "--port", "tele-udp=\(port)"])
      func isShared() throws -> Bool {
        let session = try session(of: host)
        return try session != nil && session == self.session(of: phone)
      }
      try phone.wait("for a session") { (try? isShared()) == true }
      let first = try session(of: phone)
      stop(stopped == "host" ? host : phone)
      // Both have given the first one up: each is silent for three seconds at most.
      try phone.wait("for the next session", seconds: 30) {
        (try? isShared()) == true && (try? session(of: phone)) != first
      }
      for peer in [phone, host] {
        peer.signal(SIGINT)
        #expect(try peer.finish().status == 0)
      }
    }

    @Test("A simulated mouse moves as far as one that was not stopped")
    func mouse() throws {
      func movements(isStopped: Bool) throws -> [String] {
        let (movement, control) = (try Socket.udp(), try Socket.listener())
        let mouse = try Program.start(
          ["simulate", "mouse", "--port", "mouse-udp=\(movement.port)", "--port", "mouse-tcp=\(control.port)"]
            + ["--duration", "14s"])
        try mouse.wait("for a movement") { mouse.output.contains("\"mouse-sent\"") }
        if isStopped { stop(mouse) }
        let end = try mouse.finish(seconds: 30)
        #expect(end.status == 0, "\(end)")
        // Without the time at its beginning.
        let sent = end.lines.filter { $0.contains("\"mouse-sent\"") }
        return sent.map { line in String(line.drop { $0 != "," }) }
      }
      let stopped = try movements(isStopped: true)
      #expect(try stopped == movements(isStopped: false) && !stopped.isEmpty)
    }
  }
}
