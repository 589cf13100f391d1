import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapConformance
@testable import TelecapSuites

/// The sums that scenarios state are those of a pointer that is clamped after each packet, in the space in which it was seen to
/// move, wherever it begins there.
@Suite("The space of a pointer") struct PointerSpaceTests {
  /// A right host that shows its pointer before anything moves.
  struct Host: CustomStringConvertible, Sendable {
    var size: (width: Int, height: Int)
    /// The start of the pointer, in its screen's coordinates.
    var start: (x: Int, y: Int)
    /// The coordinates of its upper left corner.
    var corner = (x: 0, y: 0)

    var description: String { "\(size.width)x\(size.height) at \(start.x),\(start.y) of \(corner.x),\(corner.y)" }

    /// The log of a run, of which nothing is said.
    func log(_ script: Script, freezing: Bool = false) -> RunLog {
      let screen = ScreenSize(width: size.width, height: size.height)
      let begin = PointerPosition(x: start.x, y: start.y)
      var log = script.run(
        against: MouseHostModel(screen: screen, start: begin), shows: [.pointer, .buttons, .scroll])
      log.entries.insert(RunLog.Entry(.zero, .event(.pointer(begin))), at: 0)
      log.entries = log.entries.compactMap { entry in
        guard case .event(let event) = entry.what, let at = event.pointer else { return entry }
        let shown = freezing ? begin : at
        return RunLog.Entry(entry.time, .event(.pointer(PointerPosition(x: shown.x + corner.x, y: shown.y + corner.y))))
      }
      log.said = SetupOptions()
      return log
    }
  }

  private static func results(_ host: Host, freezing: Bool = false) throws -> [(id: String, result: CaseResult)] {
    try ScenarioFiles.all(of: .mouseHost).map { scenario in
      let script = scenario.script(for: Case())
      return (scenario.id, Judge.judge(host.log(script, freezing: freezing), script, of: Case(), in: scenario))
    }
  }

  static let corners = [(0, 0), (1_919, 0), (0, 1_079), (1_919, 1_079)].map {
    Host(size: (1_920, 1_080), start: $0)
  }
  static let edges = [(960, 0), (0, 540), (1_918, 1), (1, 1_078)].map { Host(size: (1_920, 1_080), start: $0) }
  static let middles = [(960, 540), (0, 0), (1_919, 1_079)].map {
    Host(size: (1_920, 1_080), start: $0, corner: (-960, -540))
  }

  @Test(
    "A right host passes wherever its pointer begins, corners, edges and an origin in the middle",
    arguments: corners + edges + middles)
  func begins(_ host: Host) throws {
    for (id, result) in try Self.results(host) {
      let breach = result.breaches.first.map { "\($0.expected); \($0.observed)" } ?? result.reason
      #expect(result.verdict == .pass, "\(host) \(id): \(breach)")
    }
  }

  @Test(
    "A right host with a screen of a few counts that is not stated does not fail",
    arguments: [(1, 1), (1, 1_080), (1_920, 1), (2, 2), (63, 40)] as [(Int, Int)])
  func tiny(_ width: Int, _ height: Int) throws {
    for (id, result) in try Self.results(Host(size: (width, height), start: (0, 0))) {
      let breach = result.breaches.first.map { "\($0.expected); \($0.observed)" } ?? ""
      #expect(result.verdict != .fail, "\(width)x\(height) \(id): \(breach)")
    }
  }

  @Test("A pointer that never moves fails")
  func frozen() throws {
    let failed = try Self.results(Host(size: (1_920, 1_080), start: (960, 540)), freezing: true)
      .filter { $0.result.verdict == .fail }
    #expect(failed.contains { $0.id == "mouse.pointer.sum" })
  }

  @Test("A host that gives movement beyond an edge back fails")
  func keeps() throws {
    var failed: Set<String> = []
    for scenario in try ScenarioFiles.all(of: .mouseHost) {
      let script = scenario.script(for: Case())
      var log = Host(size: (1_920, 1_080), start: (0, 0)).log(script)
      log.entries.removeAll { entry in
        if case .event(let event) = entry.what { event.pointer != nil } else { false }
      }
      var sum = (x: 0, y: 0)
      for one in MouseDelivery.all(in: DecodedLog(log, Mouse.wire)).reversed() {
        log.entries.insert(RunLog.Entry(one.time, .event(.pointer(PointerPosition(x: 0, y: 0)))), at: one.entry + 1)
      }
      let deliveries = MouseDelivery.all(in: DecodedLog(log, Mouse.wire))
      for one in deliveries {
        sum = (sum.x + Int(one.sample.deltaX), sum.y + Int(one.sample.deltaY))
        let shown = PointerPosition(x: min(1_919, max(0, sum.x)), y: min(1_079, max(0, sum.y)))
        log.entries[one.entry + 1].what = .event(.pointer(shown))
      }
      log.entries.insert(RunLog.Entry(.zero, .event(.pointer(PointerPosition(x: 0, y: 0)))), at: 0)
      if Judge.judge(log, script, of: Case(), in: scenario).verdict == .fail { failed.insert(scenario.requirement.id) }
    }
    #expect(failed.contains("mouse.pointer.screen"), "\(failed)")
  }
}
