import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

@testable import TelecapTransport

/// System files and scenarios for tests, with programs that any machine has.
enum Programs {
  /// A host that is a shell script.
  static func shell(_ script: String, more: String = "", sessions: [Script] = []) throws -> ProgramSystem {
    let lines = script.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let file = """
      role: host
      command:
        - /bin/sh
        - -c
        - |
      \(lines)
      addresses: { udp: free, tcp: free }
      ready: { line: ready, within: 2s }
      end: { within: 500ms }
      output-limit: 100000
      \(more)
      """
    return ProgramSystem(
      try SystemFile(file, file: "shell.yaml", suites: .all), directory: "/", telecap: "/nowhere", sessions: sessions)
  }

  /// A script of a HELLO at 0 and the end at `end`.
  static func hello(end: Int64 = 300_000_000) throws -> Script {
    try script("- { at: 0s, send: HELLO, answer: OK }", end: end)
  }

  /// The script of a scenario with these steps.
  static func script(_ steps: String, end: Int64) throws -> Script { try scenario(steps, end: end).script(for: Case()) }

  /// A scenario of a host with these steps.
  static func scenario(_ steps: String, end: Int64) throws -> Scenario {
    let id = "tele.hello.ack-every"
    let text = """
      # A test.
      requirement: \(id)
      role: host
      steps:
        \(steps)
      end: \(end / 1_000_000)ms
      """
    return try Scenario(text, path: id.replacing(".", with: "/") + ".yaml", file: "test.yaml", suites: .all)
  }
}

extension RunLog {
  /// The lines of output.
  var lines: [String] {
    entries.compactMap { entry in
      guard case .output(let line) = entry.what else { return nil }
      return line
    }
  }
}
