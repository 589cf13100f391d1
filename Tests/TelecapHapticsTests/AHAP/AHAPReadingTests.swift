import TelecapHaptics
import TelecapRecording
import TelecapWire
import TelecapTestSupport
import TelecapText
import Testing

/// Reading is lenient, and reports each correction with its path (haptics.md, AHAP).
@Suite struct AHAPReadingTests {
  private func read(_ text: String) -> AHAPReading { AHAPReading(Array(text.utf8)) }

  private func event(_ inside: String) -> String { "{\"Version\":1,\"Pattern\":[{\"Event\":{\(inside)}}]}" }

  /// A transient that states every default, with more keys after them.
  private func transient(_ more: String) -> String {
    event(
      "\"Time\":0,\"EventType\":\"HapticTransient\",\"EventParameters\":["
        + "{\"ParameterID\":\"HapticIntensity\",\"ParameterValue\":1},"
        + "{\"ParameterID\":\"HapticSharpness\",\"ParameterValue\":1}]\(more)")
  }

  /// Each of what the format says, on its own.
  static let cases: [(String, [String])] = [
    ("", []),
    (",\"Mood\":1", ["warning ahap.key.unknown $.Pattern[0].Event.Mood"]),
    (",\"Time\":0", ["warning ahap.json.repeated-key $.Pattern[0].Event.Time"]),
    (",\"EventDuration\":1", ["note ahap.event.duration-unused $.Pattern[0].Event.EventDuration"]),
    (",", ["warning ahap.json.trailing-comma $"]),
  ]

  @Test("A corrected mistake is a finding with its path", arguments: cases)
  func whatIsForgivenIsAFindingWithItsPath(_ more: String, _ findings: [String]) {
    let reading = read(transient(more))
    #expect(reading.findings.map { "\($0.severity.name) \($0.rule.rawValue) \($0.path)" } == findings)
    #expect(!reading.hasErrors && reading.pattern.pattern.count == 1)
  }

  @Test(
    "An event that no player accepts is an error",
    arguments: [
      ("\"Time\":-1,\"EventType\":\"HapticTransient\"", "ahap.time.negative"),
      ("\"Time\":0,\"EventType\":\"HapticTap\"", "ahap.event.type"),
      ("\"Time\":\"now\",\"EventType\":\"HapticTransient\"", "ahap.value.type"),
      ("\"Time\":1e999,\"EventType\":\"HapticTransient\"", "ahap.value.not-finite"),
    ])
  func whatNoPlayerTakesIsAnError(_ inside: String, _ rule: String) {
    let reading = read(event(inside))
    #expect(reading.findings.filter { $0.severity == .error }.map(\.rule.rawValue) == [rule])
  }

  @Test("A text that breaks off gives one syntax error, and none for missing keys")
  func brokenOff() {
    for text in [
      "{\"Pattern\":[{\"Event\":{\"Time\" 0,\"EventType\":\"HapticTransient\"}}]}", "{\"Pattern\":[{\"Event\":{",
    ] {
      #expect(read(text).findings.filter { $0.severity == .error }.map(\.rule) == [.syntax])
    }
    let unknown = read("{\"Pattern\":[{\"Event\":{\"EventType\":\"HapticTap\", 0}}]}")
    #expect(unknown.findings.filter { $0.severity == .error }.map(\.rule) == [.eventType, .syntax])
  }

  @Test("The version is a number with the value 1", arguments: ["1", "1.0", "1e0"]) func aVersionIsANumber(
    _ version: String
  ) {
    let reading = read("{\"Version\":\(version),\"Pattern\":[]}")
    #expect(!reading.findings.contains { $0.rule == .version } && reading.pattern.version == 1)
  }

  @Test("Any other version is a note", arguments: ["", "\"Version\":\"1.0\",", "\"Version\":2,"])
  func anyOtherVersionIsANote(_ member: String) {
    let finding = read("{\(member)\"Pattern\":[]}").findings.first { $0.rule == .version }
    #expect(finding?.severity == .note)
  }

  @Test("Line and column are those of the value")
  func lineAndColumnAreThoseOfTheValue() throws {
    let text = "{\n  \"Version\": 1,\n  \"Pattern\": [\n    {\"Event\": {\"Time\": -2}}\n  ]\n}"
    let finding = try #require(read(text).findings.first { $0.rule == .negativeTime })
    #expect("\(finding.position)" == "4:24" && finding.path == "$.Pattern[0].Event.Time")
  }

  @Test("A curve of more than sixteen points is a warning")
  func aCurveOfMoreThanSixteenPointsIsAWarning() {
    func curve(_ count: Int) -> AHAPReading {
      let points = (0..<count).map { "{\"Time\":\($0),\"ParameterValue\":1}" }.joined(separator: ",")
      return read(
        "{\"Version\":1,\"Pattern\":[{\"ParameterCurve\":{\"ParameterID\":\"HapticIntensityControl\",\"Time\":0,"
          + "\"ParameterCurveControlPoints\":[\(points)]}}]}")
    }
    #expect(!curve(16).findings.contains { $0.rule == .curvePoints })
    #expect(curve(17).findings.first { $0.rule == .curvePoints }?.severity == .warning)
  }

  @Test("The advice of the document gives notes")
  func theAdviceOfTheSeedIsNotes() {
    let close = AHAP([
      .event(.transient(at: 0, intensity: 1, sharpness: 1)),
      .event(.continuous(at: 0.01, lasting: 0.2, intensity: 1, sharpness: 0.5)),
    ])
    let found = read(close.text).findings
    #expect(found.map(\.rule) == [.adviceGap] && found.first?.severity == .note)
    #expect(read(AHAP(.explosion).text).findings.isEmpty)
  }

  @Test(
    "A parameter of an unknown name is a finding of its own; one without a name is not",
    arguments: [("\"ParameterID\":\"Warmth\",", true), ("", false)])
  func unknownParameter(_ id: String, _ isUnknown: Bool) {
    let found = read("{\"Version\":1,\"Pattern\":[{\"Parameter\":{\(id)\"Time\":0,\"ParameterValue\":1}}]}").findings
    #expect(!found.isEmpty && found.contains { $0.rule == .unknownParameter } == isUnknown, "\(found)")
  }

  static let explosion = Array(AHAP(.explosion).text.utf8)

  @Test("A key that is repeated very often costs no more than its text", .timeLimit(.minutes(10)))
  func aKeyManyTimes() {
    // One by one they took minutes.
    let count = Tier.isDeep ? 300_000 : 30_000
    let reading = read("{" + repeatElement("\"Version\":1.0", count: count).joined(separator: ",") + ",\"Pattern\":[]}")
    #expect(reading.findings.count { $0.rule == .repeatedKey } == count - 1)
  }

  @Test("Every truncation is an error with a position and never a trap")
  func everyTruncationIsAnErrorWithAPlaceAndNeverATrap() {
    let whole = AHAPReading(AHAPReadingTests.explosion).pattern
    let last = AHAPReadingTests.explosion.lastIndex(of: UInt8(ascii: "}")) ?? 0
    for length in 0...last {
      let reading = AHAPReading(Array(AHAPReadingTests.explosion.prefix(length)))
      #expect(reading.findings.contains { $0.rule == .syntax && $0.position.line >= 1 }, "\(length)")
      #expect(reading.pattern.pattern.count <= whole.pattern.count)
    }
  }

  @Test("Mutations never trap and stay in range")
  func mutationsNeverTrapAndStayInRange() {
    var random = SplitMix64(seed: 42)
    func next() -> UInt64 { random.next() >> 33 }
    for _ in 0..<3_000 {
      var text = AHAPReadingTests.explosion
      for _ in 0...(next() % 8) { text[Int(next()) % text.count] = UInt8(truncatingIfNeeded: next()) }
      let reading = AHAPReading(text)
      let timeline = HapticTimeline(reading.pattern)
      for step in 0..<10 {
        let felt = timeline.sample(at: Double(step) / 10)
        #expect((0...1).contains(felt.intensity) && (0...1).contains(felt.sharpness))
      }
    }
  }

  @Test(
    "A written pattern reads the same",
    arguments: [
      AHAP(.explosion), AHAP(.manager(.heavy)), AHAP(.manager(.gradual(intensity: 0.6))), AHAP(.manager(.normal)),
    ])
  func whatIsWrittenReadsTheSame(_ pattern: AHAP) {
    let reading = read(pattern.text)
    #expect(reading.pattern == pattern && !reading.hasErrors)
    #expect(reading.pattern.text == pattern.text)
  }

  @Test("Unknown keys and events are kept")
  func whatNobodyUnderstandsIsKept() {
    let text =
      "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"AudioCustom\",\"Mood\":[1,{\"a\":null}]"
      + ",\"EventParameters\":[{\"ParameterID\":\"HapticIntensity\",\"ParameterValue\":7}]}},{\"Later\":true}],\"x\":0.5}"
    let written = read(text).pattern.text
    for part in ["Mood", "null", "7", "Later", "\"x\": 0.5"] { #expect(written.contains(part), "\(part)") }
    #expect(read(written).pattern == read(text).pattern)
  }
}
