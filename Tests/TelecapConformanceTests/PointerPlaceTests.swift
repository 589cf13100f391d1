import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import Testing

@testable import TelecapConformance

/// A mouse host's screen and where its pointer begins are its own: right ones pass, whatever they are and whether or not they
/// say or show it before anything moves, and wrong ones fail all the same.
@Suite struct PointerPlaceTests {
  /// A right host, and how much is known of it.
  struct Host: CustomStringConvertible {
    var width: Int
    var height: Int
    var x: Int
    var y: Int
    /// It shows its pointer before anything was received.
    var isShown = false

    var model: MouseHostModel {
      MouseHostModel(screen: ScreenSize(width: width, height: height), start: PointerPosition(x: x, y: y))
    }
    var description: String { "\(width)x\(height) at \(x),\(y)\(isShown ? ", shown" : "")" }
  }

  static let hosts = [
    Host(width: 1_366, height: 768, x: 100, y: 100), Host(width: 1_366, height: 768, x: 100, y: 100, isShown: true),
    Host(width: 320, height: 200, x: 319, y: 199), Host(width: 320, height: 200, x: 319, y: 199, isShown: true),
    Host(width: 7_680, height: 4_320, x: 0, y: 0), Host(width: 1_920, height: 1_080, x: 960, y: 540),
    Host(width: 640, height: 480, x: 0, y: 479, isShown: true),
  ]

  /// One case of each scenario of a mouse host, tested by a log without a stated screen and start.
  private static func failed(
    isShown: Bool = false, _ log: (Script) throws -> RunLog
  ) throws -> [(requirement: String, story: String)] {
    var failed: [(String, String)] = []
    for scenario in try ScenarioFiles.all(of: .mouseHost) {
      for one in [scenario.cases().first, scenario.cases().last].compactMap(\.self) {
        let script = scenario.script(for: one)
        var log = try log(script)
        log.said = SetupOptions()
        let result = Judge.judge(log, script, of: one, in: scenario)
        let breach = result.breaches.first.map { "\($0.expected); \($0.observed)" } ?? result.reason
        // A pointer in a corner may have nothing to show: it is inconclusive then.
        if isShown ? result.verdict != .pass : result.verdict == .fail {
          failed.append((scenario.requirement.id, "\(scenario.id): \(breach)"))
        }
      }
    }
    return failed
  }

  @Test("A right host of any screen passes", arguments: sampled(Array(hosts), oneIn: 7))
  func aRightHostOfAnyScreenPasses(_ host: Host) throws {
    let failed = try PointerPlaceTests.failed(isShown: host.isShown) { script in
      var log = script.run(against: host.model, shows: [.pointer, .buttons, .scroll])
      let shown = RunLog.Entry(.zero, .event(.pointer(host.model.pointer)))
      if host.isShown { log.entries.insert(shown, at: 0) }
      return log
    }
    #expect(failed.map(\.story) == [], "\(host)")
  }

  @Test(
    "A wrong host fails even if its screen is not stated",
    arguments: sampled(Array(PartModel.mouseHost.faults), oneIn: 11))
  func aWrongHostFailsThoughItSaysNothing(
    _ fault: String
  ) throws {
    let failed = try PointerPlaceTests.failed { try ModelSystem(.mouseHost, fault: fault).runNow($0) }
    let expected = try #require(FaultTable.mouseHost[fault])
    #expect(!expected.isDisjoint(with: failed.map(\.requirement)), "\(fault): \(failed.map(\.story))")
  }

  /// A stated screen is used, and reported for a host only if it was inferred from what the host showed.
  @Test("A screen that was inferred from what the host showed is reported")
  func whatWasTakenIsTold() throws {
    let scenario = try ScenarioFiles.read("mouse/pointer/screen.yaml")
    let script = scenario.script(for: Case())
    let host = Host(width: 1_366, height: 768, x: 100, y: 100)
    var log = script.run(against: host.model, shows: [.pointer])
    #expect(
      Judge.judge(log, script, of: Case(), in: scenario).measures.taken.map(\.words) == [
        "taken from what it showed: begins at (100, 100), goes at most from 0 to 1365 and from 0 to 767"
      ])
    log.said = host.model.said
    #expect(Judge.judge(log, script, of: Case(), in: scenario).measures.taken == [])
  }
}
