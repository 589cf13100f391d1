import TelecapConformance
import TelecapPlatform
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport

/// A suite on a page while it runs: its verdicts so far, and at the end all results.
public final class ShownSuite: SuiteWatcher {
  private struct State {
    var report: SuiteReport?
    var isOver = false
  }

  let feed = PageFeed()
  private let tool: String
  private let state = Locked(State())

  /// A suite that has not started.
  ///
  /// - Parameter tool: the tool that runs it, with its version.
  public init(tool: String) { self.tool = tool }

  /// Adds the result of a scenario.
  public func take(_ result: ScenarioResult, of open: SuiteReport) {
    let count = state.with { state in
      if state.report == nil { state.report = open }
      state.report?.result.scenarios.append(result)
      return state.report?.result.scenarios.count ?? 0
    }
    feed.tell("\(Numbers.grouped(count)) scenarios so far")
  }

  /// Sets the final results.
  public func finish(_ report: SuiteReport) {
    state.with { $0 = State(report: report, isOver: true) }
    feed.tell("the run ended: \(Numbers.grouped(report.result.scenarios.count)) scenarios", isOver: true)
  }

  /// Its page.
  func page() throws -> String {
    let (report, isOver) = state.with { ($0.report, $0.isOver) }
    let results = try report.map { try ConformanceResults(Array(SuiteJSON.text($0).utf8), name: "this run") }
    return ResultsPage.living(results, isOver: isOver, tool: tool)
  }
}

/// The page of a running suite.
struct SuiteSite: PageSite {
  let suite: ShownSuite
  var feed: PageFeed? { suite.feed }

  func answer(_ parts: [String], _ query: [String: String]) throws -> PageAnswer {
    parts == [""] ? PageAnswer(body: try suite.page()) : .problem(404, "There is no such page.")
  }

  func run(until stop: StopFlag) async {
    try? await stop.waitUntilRaised()
    // An interrupted suite has no other notification.
    feed?.tell("telecap ended", isOver: true)
  }
}
