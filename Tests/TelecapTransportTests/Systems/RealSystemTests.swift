import Foundation
import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

extension WallClockSuites {
  @Suite("Systems on the wall clock")
  struct RealSystemTests {
    private static let hasPython =
      ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
      || ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") } == true

    @Test(
      "A host in Python that applies poses in order of arrival fails there, and passes elsewhere",
      .enabled(if: hasPython))
    func naive() async throws {
      let paths = [
        "tele/bye/closes.yaml", "tele/cmd/duplicate.yaml", "tele/header/magic.yaml", "tele/hello/bad-code.yaml",
        "tele/hello/busy.yaml", "tele/pose/duplicate.yaml", "tele/pose/latest-value-wins.yaml", "tele/tcp/framing.yaml",
      ]
      let results = try await RealSystems.run(
        try paths.map(RealSystems.scenario), against: try RealSystems.system("naive-host"))
      let verdicts = results.map(\.verdict)
      #expect(
        verdicts == [.pass, .pass, .pass, .pass, .pass, .fail, .fail, .unsupported],
        "\(results.map(\.story).joined(separator: "\n"))")
      let breach = try #require(results[6].shown.breaches.first)
      #expect(breach.expected == "poses [1, 2, 5, 6] applied")
      #expect(breach.observed == "poses [1, 2, 5, 3, 4, 6]")
    }

    @Test("A host that runs already passes the requirements that its traffic shows, and no others")
    func wire() async throws {
      let host = try await RunningPeer.start(
        HostModel(.init(code: "XYZ789")), PeerSockets(udp: Endpoint(.loopback, port: 0))
      ) { _, _ in }
      let udp = try #require(host.udp)
      let system = try WireSystem(
        parsing: "udp://\(udp)?role=host&code=XYZ789", among: Suites.all.parts.compactMap(\.role))
      let paths = ["tele/hello/busy.yaml", "tele/pose/latest-value-wins.yaml", "tele/tcp/framing.yaml"]
      let results = try await RealSystems.run(try paths.map(RealSystems.scenario), against: system)
      try await host.stop()
      #expect(
        results.map(\.verdict) == [.pass, .inconclusive, .unsupported],
        "\(results.map(\.story).joined(separator: "\n"))")
    }

    @Test(
      "An error in a system's address names what was probably meant",
      arguments: [
        ("udp://127.0.0.1:5?rol=host", "unknown option \"rol=host\"; did you mean role=…?"),
        ("udp://127.0.0.1:5?role=hst", "no role \"hst\"; did you mean host?"),
        ("udp://127.0.0.1:5?role=nonsense", "no role \"nonsense\"; there are host, phone, mouse and mouse-host"),
        ("udp://127.0.0.1:5", "does not say what it is: add ?role=host, phone, mouse or mouse-host"),
        ("udp://127.0.0.1:5?role=host&code=1", "a code has six characters of A–Z and 0–9"),
        ("udp://127.0.0.1:5?role=host&code=abcdef", "a code has six characters of A–Z and 0–9"),
        ("udp://127.0.0.1:5?role=mouse-host&code=ABC123", "a mouse-host has no code; leave it out"),
        ("udp://127.0.0.1:5?role=phone&haptics=yes", "a phone sends no HAPTIC; leave haptics out"),
        ("udp://127.0.0.1:5?role=host&haptics=y", "haptics is yes or no"),
        ("udp://127.0.0.1:5?role=host&role=phone", "role is given twice"),
        ("udp://127.0.0.1:5?role=host&tcp=0", "\"0\" is no port"),
        ("udp://127.0.0.1?role=host", "'127.0.0.1' names no port: write 127.0.0.1:PORT"),
      ])
    func mistakes(text: String, complaint: String) {
      let error = #expect(throws: SystemNameError.self) {
        try WireSystem(parsing: text, among: Suites.all.parts.compactMap(\.role))
      }
      #expect(error?.description.hasSuffix(complaint) == true, "\(error?.description ?? "")")
    }

    @Test(
      "A mouse in Python obeys lines on its standard input, and its packets get verdicts",
      .enabled(if: hasPython))
    func told() async throws {
      let directory = RealSystems.root.appending(path: "Tests/Independent").path
      let text = try String(contentsOfFile: "\(directory)/mouse-sender.yaml", encoding: .utf8)
      let system = ProgramSystem(
        try SystemFile(text, file: "mouse-sender.yaml", suites: .all), directory: directory, telecap: "")
      let paths = ["mouse/sender/not-connected.yaml", "mouse/sender/form.yaml", "mouse/split/sum.yaml"]
      var results = try await RealSystems.run(try paths.map(RealSystems.scenario), against: system)
      // Next to all other tests on two cores a program may be later than the rules allow; once, not twice.
      let unlucky = results.filter { $0.verdict != .pass }.map(\.scenario)
      if !unlucky.isEmpty { results = try await RealSystems.run(unlucky, against: system) }
      #expect(results.allSatisfy { $0.verdict == .pass }, "\(results.map(\.story).joined(separator: "\n"))")
    }

    @Test("Events are read from a file and over UDP as well")
    func feeds() async throws {
      let folder = try Folder()
      let text = """
        role: host
        command: [/bin/sh, -c, "echo ready; sleep 0.1; echo '{\\"intensity\\": 0.5}' >> events; exec sleep 100"]
        directory: \(folder.path)
        addresses: { udp: free }
        ready: { line: ready }
        shows: { from: [{ file: events }, { udp: free }], events: [{ is: strength }] }
        """
      _ = try folder.write(Array("{\"intensity\": 0.25}\n".utf8), to: "events")
      let system = ProgramSystem(try SystemFile(text, file: "feeds.yaml", suites: .all), directory: "/", telecap: "")
      let log = try await system.run(try Programs.hello(end: 500_000_000))
      let events = log.entries.compactMap { entry -> PeerEvent? in
        guard case .event(let event) = entry.what else { return nil }
        return event
      }
      #expect(events == [.hapticApplied(0.5)])
    }
  }
}
