import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapText
import Testing

@testable import TelecapConformance

/// A right program may round or cut what it prints, and never fails for that; a wrong one never passes for it.
@Suite("Numbers that a program rounds when it prints")
struct RoundingTests {
  private static let strength = "is: strength, when: { event: haptic-applied }"
  private static let near = "tele/haptic/latest-value-wins.near.yaml"

  /// How a program prints a number.
  enum Printing: String, CustomTestStringConvertible {
    case rounded, cut, full
    var testDescription: String { rawValue }

    /// A number with so many decimals.
    func print(_ value: Double, _ decimals: Int) -> String {
      guard self != .full else { return "\(value)" }
      let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
      return Numbers.fixed(
        (value * scale).rounded(self == .cut ? .towardZero : .toNearestOrAwayFromZero) / scale, decimals)
    }
  }

  /// How one scenario comes out, and why, of a phone that prints its strengths so.
  private static func judge(
    decimals said: String = "", _ path: String = near, fault: String? = nil,
    print: @escaping @Sendable (_ strength: Double) -> String
  ) async throws -> (verdict: Verdict, reason: String) {
    let field = said.isEmpty ? "" : ", fields: { intensity: { path: intensity, \(said) } }"
    let system = try PrintingSystem("    - { \(strength)\(field) }\n", part: .phone, fault: fault, suites: .all) {
      line, _ in
      replacing("intensity", in: line, print)
    }
    let result = try await SuiteRunner(system).run(Case(), of: try ScenarioFiles.read(path))
    return (result.verdict, result.reason)
  }

  /// The line with another text in the place of a number.
  private static func replacing(_ field: String, in line: String, _ print: (Double) -> String) -> String {
    guard let name = line.firstRange(of: "\"\(field)\":") else { return line }
    let rest = line[name.upperBound...]
    let number = rest.prefix { !",}".contains($0) }
    return line[..<name.upperBound] + print(Double(number) ?? .nan) + rest.dropFirst(number.count)
  }

  // MARK: - A right program

  @Test(
    "A rounded or cut value is inconclusive, and the reason names what to do",
    arguments: [Printing.rounded, .cut], [0, 1, 2])
  func unsaid(_ printing: Printing, _ decimals: Int) async throws {
    for path in [Self.near, "tele/haptic/latest-value-wins.small.yaml"] {
      let (verdict, reason) = try await Self.judge(path) { printing.print($0, decimals) }
      #expect(verdict == .inconclusive)
      #expect(reason.contains("shows \"intensity\" with "), "\(reason)")
      #expect(reason.contains("print more decimals, or say by \"decimals\""), "\(reason)")
    }
  }

  @Test(
    "A rounded or cut value passes if the file states its decimals",
    arguments: [
      (Printing.rounded, 2, "decimals: 2"), (.rounded, 1, "decimals: 1"), (.cut, 2, "decimals: 2, cut: true"),
      (.full, 0, "decimals: 20"), (.rounded, 3, "decimals: 3"),
    ])
  func said(_ printing: Printing, _ decimals: Int, _ words: String) async throws {
    let (verdict, reason) = try await Self.judge(decimals: words) { printing.print(Double(Float($0)), decimals) }
    #expect(verdict == .pass, "\(reason)")
  }

  @Test("Steps of a motor, or per cent, are rounded to whole numbers")
  func steps() async throws {
    @Sendable func seventh(_ value: Double) -> String { "\(Int((value * 7).rounded()))" }
    let unsaid = try await Self.judge(decimals: "times: 0.14285714285714285") { seventh($0) }
    #expect(unsaid.verdict == .inconclusive, "\(unsaid.reason)")
    let said = try await Self.judge(decimals: "times: 0.14285714285714285, decimals: 0") { seventh($0) }
    #expect(said.verdict == .pass, "\(said.reason)")
  }

  @Test("A line with more decimals than the file states is reported, and makes the result inconclusive")
  func moreDecimals() async throws {
    let (verdict, reason) = try await Self.judge(decimals: "decimals: 1") { Printing.rounded.print($0, 2) }
    #expect(verdict == .inconclusive)
    #expect(reason.contains("0.53 at intensity has 2 decimals, and \"decimals\" is 1"), "\(reason)")
  }

  @Test("A host that shows no seq may print its poses in centimetres")
  func poses() async throws {
    let rule = "    - { is: pose, when: { event: pose-applied }, fields: { seq: none, timestamp_us: none } }\n"
    let system = try PrintingSystem(rule, suites: .all) { line, _ in
      ["x", "y", "z", "qx", "qy", "qz", "qw"].reduce(line) { line, field in
        Self.replacing(field, in: line) { Printing.rounded.print($0, 2) }
      }
    }
    // Programs are not tested over Bluetooth.
    let scenarios = try ScenarioFiles.all(of: .host).filter {
      $0.id.hasPrefix("tele.pose.latest-value-wins") && !$0.id.hasSuffix(".ble")
    }
    #expect(scenarios.count > 5)
    for scenario in scenarios {
      let result = try await SuiteRunner(system).run(Case(), of: scenario)
      #expect(result.verdict != .fail, "\(scenario.id): \(result.breaches)")
    }
  }

  // MARK: - A wrong program

  @Test("A phone that plays hundredths, or ignores smaller changes, fails if it prints in full")
  func full() async throws {
    // The last force, 0.545, is applied as 0.55, as the one before.
    let said = try await Self.judge(decimals: "decimals: 6") { Printing.rounded.print($0, 2) }
    #expect(said.verdict == .fail)
    // A force with all its decimals shows that it prints in full.
    let shown = try await Self.judge { $0 == 0.5 ? "0.5000001" : Printing.rounded.print($0, 2) }
    #expect(shown.verdict == .fail)
  }

  @Test("A value that is wrong by more than its rounding fails all the same", arguments: ["", "decimals: 2"])
  func wrong(_ words: String) async throws {
    let path = "tele/haptic/clamp-high.yaml"
    let result = try await Self.judge(decimals: words, path, fault: "no-clamp") { Printing.rounded.print($0, 2) }
    #expect(result.verdict == .fail)
    let stuck = try await Self.judge(decimals: words) { Printing.rounded.print($0 == 0.56 ? $0 : 0.53, 2) }
    #expect(stuck.verdict == .fail)
  }

  // MARK: - Borders

  @Test("A rounded number differs by at most half a unit, and a cut one by less than a unit")
  func borders() throws {
    let precision = PrintedPrecision(decimals: 2)
    let rounded = RoundingTolerance(precision: precision, factor: 1, isCut: false).allowed(for: 0.62)
    #expect(0.625 - 0.62 <= rounded && 0.6251 - 0.62 > rounded)
    let cut = RoundingTolerance(precision: precision, factor: 1, isCut: true).allowed(for: 0.28)
    // 0.29 as a float is a little less.
    #expect(Double(Float(0.29)) - 0.28 <= cut && 0.29 - 0.28 > cut && 0.2901 - 0.28 > cut)
    let percent = RoundingTolerance(precision: PrintedPrecision(decimals: 0), factor: -0.01, isCut: false)
    #expect(percent.allowed(for: -0.62) > 0.0049 && percent.allowed(for: -0.62) < 0.0051)
  }

  @Test("The precision of a number is that of its printed digits and decimals")
  func precision() throws {
    for (text, number, unit) in [
      ("0.62", 0.62, 0.01), ("1", 0, 1), ("-12.30", -12.3, 0.01), ("6.25e-1", 0.625, 0.001), ("1E3", 1_000, 1_000),
      ("0.000", 0, 0.001),
    ] {
      let precision = try #require(PrintedPrecision(of: text), "\(text)")
      #expect((precision.unit(of: number) / unit - 1).magnitude < 1e-9, "\(text): \(precision.unit(of: number))")
    }
    for text in ["", ".", "-", "NaN", "0x1p3", "1e", "1e999", "one", "1_000", "1.2.3"] {
      #expect(PrintedPrecision(of: text) == nil, "\(text)")
    }
    // A program that prints three significant digits shows five decimals of what is small, and one of what is not.
    var three = try #require(PrintedPrecision(of: "0.00123"))
    three.merge(try #require(PrintedPrecision(of: "12.3")))
    #expect((three.unit(of: 12.3) - 0.1).magnitude < 1e-12 && (three.unit(of: 0.002) - 1e-5).magnitude < 1e-12)
  }

  @Test(
    "An error in the file names what is wrong with the key",
    arguments: [
      ("times: 0", "\"times\" is a finite number other than 0, found 0"),
      ("times: .nan", "\"times\" is a finite number other than 0, found .nan"),
      ("decimals: 21", "\"decimals\" is 0 to 20, found 21"), ("decimals: -1", "\"decimals\" is 0 to 20, found -1"),
      ("cut: true", "\"cut\" says nothing without \"decimals\""),
    ])
  func mistakes(_ words: String, _ problem: String) throws {
    let rule = "    - { \(Self.strength), fields: { intensity: { path: level, \(words) } } }\n"
    let error = #expect(throws: YAMLFileError.self) { try PrintingSystem(rule, part: .phone, suites: .all) }
    #expect("\(try #require(error))".contains(problem))
  }
}
