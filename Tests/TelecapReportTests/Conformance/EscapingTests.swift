import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText
import Testing

@testable import TelecapReport

@Suite struct EscapingTests {
  /// A page is well-formed XML but for its empty elements and its doctype: a parser of XML finds every tag that text
  /// could have opened or closed.
  func page(_ html: String) throws -> XMLTree {
    let body = try #require(html.firstRange(of: "<body>"))
    let end = try #require(html.firstRange(of: "</body>"))
    return try XMLTree.read(String(html[body.lowerBound..<end.upperBound]))
  }

  func elements(_ tree: XMLTree) -> [XMLTree] { [tree] + tree.children.flatMap(elements) }

  @Test("Hostile text opens no element of a page")
  func hostileTextOpensNoElementOfAPage() throws {
    let html = SuiteHTML.text(try Suites.hostileReport())
    let all = elements(try page(html))
    #expect(Set(all.map(\.name)).isDisjoint(with: ["script", "b2", "iframe"]))
    #expect(all.allSatisfy { $0.name != "script" && $0.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
    #expect(
      !html.contains("</script>") && !html.contains("\u{1b}") && !html.contains("\u{0}") && !html.contains("\u{202e}"))
    #expect(all.contains { $0.text.contains("</script>\"'&<b>|`*_") })
  }

  @Test("A page is self contained and needs no script")
  func aPageIsSelfContainedAndNeedsNoScript() throws {
    let html = SuiteHTML.text(try Suites.mixed())
    for word in ["<script", "http:", "https:", "src=", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.matches(of: #/href="([^"]*)"/#).allSatisfy { $0.1.hasPrefix("#") || $0.1 == "data:," })
    #expect(html.contains("prefers-color-scheme: dark"))
    // What a browser may do for it: nothing but show it in its own styles.
    #expect(PagePolicy.still.hasPrefix("default-src 'none'; img-src data:; style-src 'sha256-"))
    #expect(!PagePolicy.still.contains("script") && !PagePolicy.still.contains("unsafe"))
    let head = try #require(html.firstRange(of: "<head>"))
    let meta =
      "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"\(Escaping.markup(PagePolicy.still))\">"
    #expect(html[head.upperBound...].hasPrefix(meta))
    // The policy allows no style of an element's own.
    #expect(!html.contains("style=\""))
    let all = elements(try page(html))
    // One of each that ran, and one more around the breach of the long run.
    #expect(all.filter { $0.name == "svg" && $0.attributes["class"] == "run" }.count == 4)
    #expect(all.filter { $0.name == "details" && $0.attributes["class"] == "rule" }.count == 7)
  }

  @Test("The timeline shows what was sent delivered and applied")
  func theTimelineShowsWhatWasSentDeliveredAndApplied() throws {
    let all = elements(try page(SuiteHTML.text(try Suites.mixed())))
    let svg = try #require(all.first { $0.name == "svg" && $0.attributes["class"] == "run" })
    let drawn = svg.children + svg.children.filter { $0.name == "svg" }.flatMap(\.children)
    let paths = Dictionary(grouping: drawn.filter { $0.name == "path" }) { $0.attributes["class"] ?? "" }
    for name in ["sent step", "delivered points", "applied step"] {
      let data = try #require(paths[name]?.first?.attributes["d"])
      #expect(data.split(separator: "M").count >= 1 && data.count > 100, "\(name): \(data)")
    }
    #expect(paths["breach"]?.isEmpty == false)
  }

  @Test("A lost packet is marked in the picture and in the log")
  func aLostPacketIsMarkedInThePictureAndInTheLog() throws {
    let text = Suites.pose.replacing("reorder: [\"none\", \"20%\"]", with: "").replacing("\"0%\", ", with: "")
    let result = try Suites.run(text, "tele/pose/latest-value-wins.yaml", "model:host")
    let rates = try #require(result.shown.rates)
    #expect(rates.lost > 0)
    let all = elements(try page(SuiteHTML.text(Suites.report([result]))))
    #expect(all.filter { $0.attributes["class"] == "mark lost" }.count == rates.lost)
    let rows = all.filter { $0.name == "tr" && $0.attributes["class"] == "lost" }
    #expect(!rows.isEmpty && rows.allSatisfy { $0.children[3].text.hasSuffix(", lost") })
  }

  @Test("Hostile text stays on its line of TAP")
  func hostileTextStaysOnItsLineOfTAP() throws {
    let lines = SuiteTAP.text(try Suites.hostileReport()).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3) == ["TAP version 14", "1..1", "not ok 1 - tele.haptic.clamp-high"])
    #expect(lines[3] == "  ---")
    let end = try #require(lines.firstIndex(of: "  ..."))
    #expect(lines[4..<end].allSatisfy { $0.hasPrefix("  ") && $0.hasSuffix("\"") && $0.contains(": \"") })
    #expect(Escaping.tap("a # b\\c\nd") == "a \\# b\\\\c d")
  }

  @Test("Hostile text cannot move the cursor or forge a line")
  func hostileTextCannotMoveTheCursorOrForgeALine() throws {
    let report = try Suites.hostileReport()
    let lines = SuiteText(style: .plain).ending(report)
    #expect(
      lines.allSatisfy { line in
        line.unicodeScalars.allSatisfy { $0.value >= 32 && !(0x7f...0x9f).contains($0.value) }
          || line.hasPrefix("  repeat")
      })
  }

  @Test("Hostile text makes no table cell tag or link in markdown")
  func hostileTextMakesNoTableCellTagOrLinkInMarkdown() throws {
    let markdown = SuiteMarkdown.text(try Suites.hostileReport())
    #expect(!markdown.contains("</script>") && !markdown.contains("<b>") && !markdown.contains("\u{1b}"))
    let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("| at") }
    #expect(rows.count == 1 && rows.allSatisfy { $0.count { $0 == "|" } == 4 }, "\(rows)")
    #expect(Escaping.markdown("[x](y)") == "&#91;x&#93;(y)")
  }

  @Test("A command is one word each for the shell")
  func aCommandIsOneWordEachForTheShell() throws {
    #expect(Escaping.shell("model:phone+no-clamp") == "model:phone+no-clamp")
    #expect(Escaping.shell("my file.yaml") == "'my file.yaml'")
    #expect(Escaping.shell("it's") == "'it'\\''s'")
    #expect(Escaping.shell("") == "''")
    #expect(Escaping.shell("$(rm)") == "'$(rm)'")
    #expect(Escaping.shell("٣") == "'٣'")
  }

  @Test("A date is right in leap years and before 1970")
  func aDateIsRightInLeapYearsAndBefore1970() {
    func text(_ seconds: Int64) -> String { CalendarTime.text(Timestamp(nanoseconds: seconds * 1_000_000_000)) }
    #expect(text(0) == "1970-01-01T00:00:00")
    #expect(text(951_782_400) == "2000-02-29T00:00:00")
    #expect(text(4_107_542_399) == "2100-02-28T23:59:59")
    #expect(text(4_107_542_400) == "2100-03-01T00:00:00")
    #expect(text(-1) == "1969-12-31T23:59:59")
  }

  @Test("Dates are right across leap years and before 1970")
  func datesAreRightAcrossLeapYearsAndBefore1970() {
    let dates = [
      (0, "1970-01-01 00:00:00.000000 UTC"), (951_782_399_999_999_999, "2000-02-28 23:59:59.999999 UTC"),
      (951_782_400_000_000_000, "2000-02-29 00:00:00.000000 UTC"), (-1, "1969-12-31 23:59:59.999999 UTC"),
      (4_107_542_400_000_000_000, "2100-03-01 00:00:00.000000 UTC"),
    ]
    for (nanoseconds, text) in dates { #expect(CalendarTime.exact(Timestamp(nanoseconds: Int64(nanoseconds))) == text) }
  }

  @Test("Every scenario that is no pass can be repeated by the command shown")
  func everyScenarioThatIsNoPassCanBeRepeatedByTheCommandShown() throws {
    let report = try Suites.mixed()
    #expect(
      report.command(repeating: report.result.scenarios[2])
        == "telecap conform --sut 'my systems/host.yaml' --only tele.haptic.impact-mapping --case-seed 1")
    #expect(
      report.command(repeating: report.result.scenarios[0]).hasSuffix(
        "--only tele.pose.latest-value-wins '--case-network=--loss 0% --reorder 20%' --case-seed 1"))
  }
}

@Suite struct TimelineTests {
  func timeline(_ text: String, _ system: String) throws -> RunTimeline {
    let result = try Suites.run(text, "tele/pose/latest-value-wins.yaml", system)
    return RunTimeline(try #require(result.shown.log), of: result)
  }

  @Test("Numbers that wrap go on")
  func numbersThatWrapGoOn() throws {
    let text = Suites.pose.replacing("send: POSE, count", with: "send: POSE, with: {seq: [65534, 65535, 0, 1]}, count")
    let timeline = try timeline(text.replacing("count: 60", with: "count: 4"), "model:host")
    #expect(timeline.sent.map(\.value) == [65_534, 65_535, 65_536, 65_537])
    #expect(timeline.scale.text(65_536) == "0" && timeline.scale.text(65_535) == "65535")
  }

  @Test("A long run is also shown around its first breach")
  func aLongRunIsAlsoShownAroundItsFirstBreach() throws {
    let long = try timeline(Suites.pose.replacing("count: 60", with: "count: 240"), "model:host+order-of-arrival")
    let near = try #require(long.aroundFirstBreach)
    let breach = try #require(long.breaches.min())
    #expect(near.end - near.start == 500_000_000 && (near.start...near.end).contains(breach))
    #expect(near.sent.count < long.sent.count && near.sent.allSatisfy { $0.time >= near.start && $0.time <= near.end })
    #expect(near.applied.first?.time == near.start || near.start == 0)
    #expect(try timeline(Suites.pose, "model:host").aroundFirstBreach == nil)
  }
}
