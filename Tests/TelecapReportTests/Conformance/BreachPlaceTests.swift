import TelecapConformance
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapReport

/// Where a breach is, and what of a long log is shown.
@Suite struct BreachPlaceTests {
  private static let impacts = """
    # Each impact.
    requirement: tele.haptic.impact-mapping
    role: phone
    impacts: true
    steps:
      - {at: 1s, send: HAPTIC, with: {intensity: [0.2, 0.5, 0.8]}, every: 200ms}
    expect:
      impacts: [light, medium, heavy]
    """

  @Test("A packet is named by what it brought")
  func aPacketIsNamedByWhatItBrought() throws {
    let result = try Suites.run(Suites.pose, "tele/pose/latest-value-wins.yaml", "model:host+order-of-arrival")
    let breach = try #require(result.shown.breaches.first { $0.packet > 0 })
    let place = result.place(of: breach)
    #expect(place.hasPrefix("at ") && place.contains(", after packet \(breach.packet) (POSE seq "), "\(place)")
    let report = SuiteReport(
      SuiteResult(system: "a", scenarios: [result]), command: ["a"], began: .zero, host: "h", tool: "0")
    for text in [SuiteJUnit.text(report), SuiteMarkdown.text(report), SuiteHTML.text(report), SuiteTAP.text(report)] {
      #expect(text.contains("after packet \(breach.packet) (POSE seq "))
    }
  }

  @Test("A long log says how much of it is shown")
  func aLongLogSaysHowMuchOfItIsShown() throws {
    let result = try Suites.run(
      Suites.pose.replacing("count: 60", with: "count: 600"), "tele/pose/latest-value-wins.yaml",
      "model:host+order-of-arrival")
    let log = try #require(result.shown.log)
    let table = LogTable.element(log, result).text
    let count = log.entries.count
    #expect(count > 1_000)
    #expect(table.contains("<summary>Log: 400 of \(count / 1_000),"))
    #expect(table.contains(" lines, around the breach</summary>"))
    #expect(table.contains("lines are left out"))
    #expect(table.matches(of: /<tr class="(?!gap)/).count == 400)
  }

  @Test("Impacts are named in the picture")
  func impactsAreNamedInThePicture() throws {
    let result = try Suites.run(Self.impacts, "tele/haptic/impact-mapping.yaml", "model:phone")
    let picture = TimelineChart.figure(RunTimeline(try #require(result.shown.log), of: result)).text
    for impact in ["light", "medium", "heavy"] { #expect(picture.contains(">\(impact)</text>")) }
  }

  @Test("What senses get is drawn in three lanes")
  func whatSensesGetIsDrawnInThreeLanes() throws {
    let event = """
      # An explosion.
      requirement: senses.drain
      role: senses
      steps:
        - {at: 0s, ask: {explosion: {position: [1, 0, 0]}}}
        - {at: 100ms, ask: {tick: true}}
        - {at: 100ms, ask: {drain: true}}
      expect: {includes: [1 burst all]}
      """
    let result = try Suites.run(event, "senses/drain.yaml", "model:senses")
    let timeline = RunTimeline(try #require(result.shown.log), of: result)
    #expect(timeline.lanes.map(\.name) == ["asked", "seen", "heard", "felt"])
    #expect(timeline.lanes.last?.marks.map(\.label) == ["pattern intensity 1.0"])
    let picture = TimelineChart.figure(timeline).text
    for label in ["burst all", "placed left 0.0 right 1.0"] {
      #expect(picture.contains(">\(label)</text>"))
    }
  }
}
