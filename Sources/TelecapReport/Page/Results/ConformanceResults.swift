import TelecapText

/// The results of a run of `conform`, as its JSON keeps them (`SuiteJSON`).
public struct ConformanceResults: Sendable {
  /// How one scenario came out.
  struct Scenario: Sendable {
    let id: String
    let sentence: String
    let source: String
    let level: String
    /// `pass`, `fail` …; `broken` where the system broke.
    let outcome: String
    let cases: Int
    let reason: String
    let breaches: [Failure]
    let command: String
    /// The picture and the log of the run that is shown; nil where the file does not hold them.
    let timeline: RunTimeline?
    let log: ShownLog?
  }

  /// Where a requirement was broken.
  struct Failure: Sendable {
    let place: String
    let expected: String
    let observed: String
  }

  /// The name of the file.
  public let name: String
  let system: String
  let began: String
  let tool: String
  let passes: Bool
  let notices: [String]
  let scenarios: [Scenario]

  /// Whether text may be such results: it begins as an object does.
  public static func mayBe(_ bytes: [UInt8]) -> Bool {
    bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `ResultsProblem` where it is no JSON, or no results.
  public init(_ text: [UInt8], name: String) throws(ResultsProblem) {
    let reading = JSONReading(text, allowing: [])
    if let problem = reading.problem {
      throw ResultsProblem("\(name):\(TextLines(text).position(at: problem.offset)): \(problem)")
    }
    guard let root = reading.node, root["format"]?.string == "telecap-conformance" else {
      throw ResultsProblem("\(name): it is JSON, but not results of telecap conform --json")
    }
    guard root["version"]?.number == 1 else {
      throw ResultsProblem("\(name): results of another version than 1: a newer telecap wrote them")
    }
    self.name = name
    system = root["system"]?.string ?? ""
    began = root["began"]?.string ?? ""
    tool = root["tool"]?.string ?? ""
    passes = root["passes"]?.value == .bool(true)
    notices = (root["notices"]?.elements ?? []).compactMap(\.string)
    scenarios = (root["scenarios"]?.elements ?? []).map { Scenario($0) }
  }
}

extension ConformanceResults.Scenario {
  fileprivate init(_ node: JSONNode) {
    id = node["id"]?.string ?? ""
    sentence = node["sentence"]?.string ?? ""
    source = node["source"]?.string ?? ""
    level = node["level"]?.string ?? ""
    outcome = node["broken"]?.value == .bool(true) ? "broken" : node["verdict"]?.string ?? ""
    cases = node["cases"]?.number.flatMap { Int(exactly: $0) } ?? 0
    reason = node["shown"]?["reason"]?.string ?? ""
    command = node["repeat"]?.string ?? ""
    let shown = node["shown"]
    let broken = shown?["breaches"]?.elements ?? []
    let times = broken.compactMap { $0["time_ns"]?.number.flatMap { Int64(exactly: $0) } }
    timeline = shown?["timeline"].flatMap { RunTimeline($0, breaches: times) }
    log = shown?["log"].flatMap { ShownLog($0) }
    breaches = broken.map { breach in
      let time = breach["time_ns"]?.number.map { "\(Numbers.fixed($0 / 1e9, 6)) s" } ?? ""
      return ConformanceResults.Failure(
        place: time, expected: breach["expected"]?.string ?? "", observed: breach["observed"]?.string ?? "")
    }
  }
}

/// The reason why a file has no results.
public struct ResultsProblem: Advising, Hashable, Sendable, CustomStringConvertible {
  /// The problem and its location.
  public let description: String

  /// Something else is wrong, in words.
  public init(_ description: String) { self.description = description }

  /// The advice.
  public var advice: String { "give a recording, or results of telecap conform --json" }
}
