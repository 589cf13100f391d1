import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapText

/// The result of a suite with all that its formats contain.
public struct SuiteReport: Sendable {
  /// How the suite came out.
  public var result: SuiteResult
  /// `should` counts like `must`.
  public var isStrict: Bool
  /// The words of the command line that run this suite again, without what chooses scenarios, seeds or reports:
  /// `telecap conform --sut model:phone`.
  public var command: [String]
  /// Whether that command runs each of its cases unchanged, without options that choose one.
  public var repeatsWhole: Bool
  /// When it began, in ns since 1970 UTC.
  public var began: Timestamp
  /// The machine that it ran on, by its name.
  public var host: String
  /// The version of this tool.
  public var tool: String
  /// The result of shrinking a failure, by the id of the scenario: `fails with just: packet 4 late by 40ms`.
  public var shrunk: [String: String]
  /// Where the files about a failure are, by the id of the scenario.
  public var artifacts: [String: String]

  /// A report on a suite.
  public init(
    _ result: SuiteResult, isStrict: Bool = false, command: [String], repeatsWhole: Bool = false, began: Timestamp,
    host: String, tool: String, shrunk: [String: String] = [:], artifacts: [String: String] = [:]
  ) {
    self.result = result
    self.isStrict = isStrict
    self.command = command
    self.repeatsWhole = repeatsWhole
    self.began = began
    self.host = host
    self.tool = tool
    self.shrunk = shrunk
    self.artifacts = artifacts
  }

  /// Whether the suite passes.
  public var passes: Bool { result.passes(strict: isStrict) }

  /// How it came out as a whole: what does not pass though nothing failed could not be decided.
  var outcome: ScenarioOutcome {
    if passes { return .passed }
    return result.scenarios.contains { counts($0) && $0.outcome != .inconclusive } ? .failed : .inconclusive
  }

  /// The outcome in a word: `PASS`, `FAIL`, `INCONCLUSIVE`.
  var headline: String { outcome.badge }

  /// The command that repeats the shown case of a scenario, ready for a shell.
  public func command(repeating scenario: ScenarioResult) -> String {
    guard !repeatsWhole else { return Escaping.shellCommand(command) }
    var words = command + ["--only", scenario.ran.id]
    if scenario.ran.id != scenario.scenario.id { words += ["--only", scenario.scenario.id] }
    if scenario.isRepeatable {
      let one = scenario.shown.case
      if scenario.ran.combinations.count > 1 || one.impairments != .none {
        words.append("--case-network=\(one.impairments == .none ? "none" : one.impairments.description)")
      }
      if let pieces = one.pieces { words += ["--pieces", "\(pieces)"] }
      words += ["--case-seed", "\(one.seed)"]
    }
    return Escaping.shellCommand(words)
  }

  /// The scenarios that a reader must look at, the worst first.
  var troubles: [ScenarioResult] {
    result.scenarios.filter { $0.outcome == .failed || $0.outcome == .broken }
      + result.scenarios.filter { $0.outcome == .inconclusive }
  }

  /// Whether this scenario makes the suite fail.
  func counts(_ scenario: ScenarioResult) -> Bool {
    switch scenario.outcome {
    case .failed, .broken, .inconclusive: isStrict || scenario.requirement.level == .must
    case .passed, .unsupported, .notRun: false
    }
  }
}

/// How a scenario came out, as reports name it.
enum ScenarioOutcome: String, CaseIterable {
  case failed
  case broken
  case inconclusive
  case unsupported
  case notRun
  case passed

  /// At the start of a sentence: `not run: left out`.
  var words: String {
    switch self {
    case .broken: "error"
    case .notRun: "not run"
    default: rawValue
    }
  }

  /// In a list of counts: `3 not run`, `2 errors`.
  func words(for count: Int) -> String { self == .broken && count != 1 ? "errors" : words }

  /// The verdict in reports for people.
  var badge: String {
    switch self {
    case .failed: "FAIL"
    case .broken: "ERROR"
    case .inconclusive: "INCONCLUSIVE"
    case .unsupported, .notRun: "SKIP"
    case .passed: "PASS"
    }
  }

  /// Whether it was skipped: the reason is in its words.
  var isSkip: Bool { self == .unsupported || self == .notRun }
}

extension ScenarioResult {
  /// The verdict; a run that broke is an error, a wrong answer a failure.
  var outcome: ScenarioOutcome {
    switch verdict {
    case .pass: .passed
    case .fail: shown.isBroken ? .broken : .failed
    case .inconclusive: .inconclusive
    case .unsupported: .unsupported
    case .notRun: .notRun
    }
  }

  /// Its shown case was run, and can be run again.
  var isRepeatable: Bool { verdict != .notRun && verdict != .unsupported }

  /// `must`, `should`, with «derived» where the rule is ours.
  var level: String { requirement.level.rawValue + (requirement.isDerived ? " «derived»" : "") }

  /// The sentence, with the mark of a rule that is ours and not the text's.
  var sentence: String { requirement.sentence + (requirement.isDerived ? " «derived»" : "") }

  /// `12 of 180 cases failed`, `180 cases`, `1 case`; with repeated seeds the rate, and flaky as its own word.
  var tally: String {
    var words: [String] = []
    if isFlaky { words.append("flaky") }
    let bad = counts[verdict, default: 0]
    if verdict != .pass, cases > 1 {
      let how = outcome == .broken ? "in error" : outcome.words
      words.append("\(Numbers.grouped(bad)) of \(Numbers.grouped(cases)) cases \(how)")
    } else {
      words.append(cases == 1 ? "1 case" : "\(Numbers.grouped(cases)) cases")
    }
    // Fewer repetitions say next to nothing: the interval of 4 out of 4 begins at one half.
    if isFlaky || seeds.count >= 5, let passRate { words.append(passRate.words) }
    return words.joined(separator: ", ")
  }
}

extension PassRate {
  /// `18 of 20 seeds passed: 90.0 %, 95 % interval 69.9…97.2 %`.
  var words: String {
    let range = interval()
    return "\(passed) of \(total) seeds passed: \(Numbers.fixed((share ?? 0) * 100, 1)) %, 95 % interval "
      + "\(Numbers.fixed(range.lowerBound * 100, 1))…\(Numbers.fixed(range.upperBound * 100, 1)) %"
  }
}

extension Failure {
  /// `at 1.250000 s, after packet 7`; empty where it is no moment.
  var place: String {
    var words: [String] = []
    if let time { words.append("at \(Numbers.seconds(time.nanoseconds)) s") }
    if packet > 0 { words.append("after packet \(packet)") }
    return words.joined(separator: ", ")
  }
}

extension ScenarioResult {
  /// `at 1.250000 s, after packet 7 (POSE seq 3)`: when a breach of the shown case showed, and what came before it.
  func place(of breach: Failure) -> String {
    guard breach.packet > 0, let payload = shown.log?.payload(of: breach.packet) else { return breach.place }
    return "\(breach.place) (\(PayloadText(scenario).text(payload.bytes, over: payload.carrier)))"
  }
}

extension RunLog {
  /// The payload of a packet, also of one that did not arrive.
  fileprivate func payload(of number: Int) -> (bytes: [UInt8], carrier: Carrier)? {
    var sent: (bytes: [UInt8], carrier: Carrier)?
    for entry in entries {
      switch entry.what {
      case .delivered(let bytes, number, _, let carrier, _): return (bytes, carrier)
      case .sent(let bytes, number, _, let carrier): sent = (bytes, carrier)
      default: continue
      }
    }
    return sent
  }
}

extension Numbers {
  /// Nanoseconds as seconds with six decimals: `1.250000`.
  static func seconds(_ nanoseconds: Nanoseconds) -> String { fixed(Double(nanoseconds) / 1e9, 6) }
}
