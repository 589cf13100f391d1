import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTestSupport
import TelecapText
import Testing

@testable import TelecapReport

/// The picture and the log of a failure, as the JSON of results keeps them and their page shows them.
@Suite struct KeptRunTests {
  private static func results(_ report: SuiteReport) throws -> ConformanceResults {
    try ConformanceResults(Array(SuiteJSON.text(report).utf8), name: "a.json")
  }

  @Test(
    "A failure is kept with its picture, its log and its command, and the page shows the same picture as conform --html"
  )
  func failure() throws {
    let result = try Suites.run(Suites.clamp, "tele/haptic/clamp-high.yaml", "model:phone+no-clamp")
    let results = try Self.results(Suites.report([result]))
    let page = ResultsPage.text([results], tool: "test")
    let picture = TimelineChart.figure(RunTimeline(try #require(result.shown.log), of: result)).text
    #expect(page.contains(picture))
    let log = try #require(result.shown.log)
    #expect(
      page.contains(
        LogTable.element(ShownLog(log, result, most: ShownLog.mostKept), of: "tele.haptic.clamp-high in a.json").text))
    #expect(page.contains("--only tele.haptic.clamp-high --case-seed"))
    // Side by side each run has its own.
    let both = ResultsPage.text([results, results], tool: "test")
    #expect(both.matches(of: /<svg [^>]*class="run"/).count == 2 * picture.matches(of: /<svg [^>]*class="run"/).count)
  }

  @Test("What the network did to packets is marked as in every picture of a network, and kept")
  func fates() throws {
    func bytes(_ value: UInt8) -> [UInt8] { [0x54, 0x45, 0x4c, 0x45, 7, 1, 0, 0, 0, value, 0, 0] }
    let result = try Suites.run(Suites.clamp, "tele/haptic/clamp-high.yaml", "model:phone+no-clamp")
    var log = try #require(result.shown.log)
    log.entries = []
    func add(_ what: RunLog.What, _ milliseconds: Int64) {
      log.entries.append(RunLog.Entry(Timestamp(nanoseconds: milliseconds * 1_000_000), what))
    }
    for packet in 1...5 { add(.sent(bytes(0), packet: packet, by: "host", over: .udp), Int64(packet)) }
    for (packet, value) in [(1, 0), (3, 0), (2, 0), (4, 9), (4, 9), (3, 0)] as [(Int, UInt8)] {
      add(.delivered(bytes(value), packet: packet, from: "host", over: .udp, sentAt: .zero), 10)
    }
    let timeline = RunTimeline(log, of: result)
    #expect(timeline.lanes[0].marks.map(\.fate) == [nil, nil, nil, nil, .lost])
    #expect(timeline.lanes[1].marks.map(\.fate) == [nil, nil, .reordered, .changed, .changed, .duplicated])
    var json = JSONWriter()
    json.beginObject()
    timeline.write(to: &json)
    json.endObject()
    let node = try #require(JSONReading(Array(json.text.utf8), allowing: []).node?["timeline"])
    let kept = try #require(RunTimeline(node, breaches: []))
    #expect(kept.lanes.map { $0.marks.map(\.fate) } == timeline.lanes.map { $0.marks.map(\.fate) })
    // Results of telecap 0.1.0 call it late.
    let older = json.text.replacing("\"fate\":\"reordered\"", with: "\"fate\":\"late\"")
    let read = try #require(JSONReading(Array(older.utf8), allowing: []).node?["timeline"])
    #expect(try older != json.text && #require(RunTimeline(read, breaches: [])).lanes[1].marks[2].fate == .reordered)
    let picture = TimelineChart.figure(kept).text
    for fate in PacketFate.Kind.allCases {
      #expect(picture.contains("class=\"mark \(fate.rawValue)\" d=\"\(fate.shape)\""), "\(fate)")
      #expect(picture.contains(" \(fate == .changed ? 2 : 1) \(fate.rawValue)</li>"), "\(fate)")
    }
  }

  @Test("What passed is kept without its run, and so is each line of a stream")
  func others() throws {
    let result = try Suites.run(Suites.clamp, "tele/haptic/clamp-high.yaml", "model:phone")
    #expect(!SuiteJSON.text(Suites.report([result])).contains("timeline"))
    let failed = try Suites.run(Suites.clamp, "tele/haptic/clamp-high.yaml", "model:phone+no-clamp")
    #expect(!SuiteJSON.line(failed, Suites.report([failed])).contains("timeline"))
  }

  @Test("A run of whatever length takes the same room, and keeps its peaks")
  func bounded() throws {
    var points = (0..<200_000).map { RunTimeline.Point(time: $0 * 1_000_000, value: Double($0 % 7) / 10) }
    points[123_456].value = 1.5
    points[150_000].value = .infinity
    let marks = points.map { RunTimeline.Mark(time: $0.time, text: String(repeating: "x", count: 500)) }
    let timeline = RunTimeline(
      PlottedScale(axis: "strength", range: 0...1), sent: points, delivered: points, applied: [],
      lanes: [(name: "sent", marks: marks)], end: 200_000_000_000, breaches: [5])
    var json = JSONWriter()
    json.beginObject()
    timeline.write(to: &json)
    json.endObject()
    #expect(json.text.utf8.count < 400_000)
    let node = try #require(JSONReading(Array(json.text.utf8), allowing: []).node?["timeline"])
    let kept = try #require(RunTimeline(node, breaches: [5, 300_000_000_000]))
    #expect(
      kept.sent.map(\.value).filter(\.isFinite).max() == 1.5 && kept.sent.contains { $0.value == .infinity }
        && kept.sent.first == points.first && kept.breaches == [5])
    let count = kept.lanes[0].marks.count
    #expect(kept.scale == timeline.scale && (790...810).contains(count) && kept.leftOut == 200_000 - count)
    let around = (kept.aroundFirstBreach?.sent ?? [], timeline.aroundFirstBreach?.sent ?? [])
    #expect(around.0 == around.1 && around.0.count == 501, "nothing is missing where it broke")
  }

  @Test("A run that somebody made up draws nothing but text, and ends")
  func hostile() throws {
    let text = """
      {"format":"telecap-conformance","version":1,"system":"s","scenarios":[{"id":"one","verdict":"fail","shown":{
      "breaches":[{"time_ns":1e300,"expected":"","observed":""},{"time_ns":-5}],
      "timeline":{"axis":"</text><script>alert(1)</script>","least":-1e300,"greatest":1e308,"end_ns":1e15,
        "wrapping_bits":1e9,"least":"-inf","greatest":"inf","sent":[[1,"inf"],[1,1e400],[1e300,1],[-1,1],[5,1e308],[5,1e12],[6,-1e12],"x",[1]],"applied":7,
        "lanes":[{"name":"\\"><script>","marks":[{"time_ns":1,"what":"<script>alert(2)</script>","fate":"lost","label":"<b>"}]},3]},
      "log":{"lines":-1,"earlier":1e300,"shown":[{"kind":"sent","time_ns":-9e18,"what":"<script>"},{"kind":"\\"x"}]}}}]}
      """
    let page = ResultsPage.text([try ConformanceResults(Array(text.utf8), name: "a.json")], tool: "test")
    #expect(page.contains("&lt;script&gt;alert(2)") && page.contains("Log: 1 "))
    #expect(page.matches(of: /<script/).count == 1)
  }
}
