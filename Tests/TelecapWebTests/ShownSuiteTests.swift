import TelecapConformance
import TelecapRecording
import TelecapReport
import TelecapTransport
import Testing

@testable import TelecapWeb

/// The page of a suite that runs.
@Suite struct ShownSuiteTests {
  private static let gate = PageGate(token: "t", hosts: ["h"])

  private static func report(_ system: String) -> SuiteReport {
    SuiteReport(
      SuiteResult(system: system, scenarios: []), command: ["telecap"], began: Timestamp(nanoseconds: 0), host: "here",
      tool: "test")
  }

  @Test("The page of a suite shows results as they come and then the end, with escaped names")
  func grows() async throws {
    let suite = ShownSuite(tool: "test")
    let server = PageServer([SuiteSite(suite: suite)], at: HostPort(host: "127.0.0.1", port: nil))
    let request = PageRequest(path: "/t/0/", host: "h")
    let early = await server.answer(request, Self.gate)
    #expect(early.status == 200 && early.body.contains("No scenario has come out yet."))
    #expect(early.body.contains("data-events=\"events\""))
    suite.finish(Self.report("<script>x"))
    let late = await server.answer(request, Self.gate)
    #expect(late.status == 200 && late.body.contains(">fails</span>"))
    #expect(late.body.contains("&lt;script&gt;x") && !late.body.contains("<script>x"))
    var news = suite.feed.listen()?.makeAsyncIterator()
    #expect(await news?.next() == PageFeed.News(number: 1, words: "the run ended: 0 scenarios", isOver: true))
    #expect(await server.answer(PageRequest(path: "/t/0/x", host: "h"), Self.gate).status == 404)
    #expect(await server.answer(PageRequest(method: "POST", path: "/t/0/", host: "h"), Self.gate).status == 405)
  }

  @Test("The page of an interrupted run shows that")
  func brokenOff() async throws {
    let suite = ShownSuite(tool: "test")
    let stop = StopFlag()
    stop.raise()
    await SuiteSite(suite: suite).run(until: stop)
    var news = suite.feed.listen()?.makeAsyncIterator()
    #expect(await news?.next()?.words == "telecap ended")
  }
}
