import TelecapModels
import TelecapRecording

/// Decodes the expectations of a scenario.
struct ExpectationDecoder {
  private let known: [ScenarioKey<[any Expectation]>]
  /// The ids of the requirements on streams.
  private let judged: [String]
  /// The ids of the requirements on sent messages.
  private let sent: [String]

  init(_ suites: Suites) {
    known = ExpectationDecoder.keys(suites.all)
    judged = ExpectationDecoder.judged(suites.all)
    sent = ExpectationDecoder.sent(suites.all)
  }

  /// The expectations; by default the oracle or the sender rule of the requirement.
  func read(
    _ expect: YAMLValue?, _ requirement: Requirement, _ steps: [Step], at root: YAMLValue
  ) throws(YAMLFileError) -> [any Expectation] {
    var result: [any Expectation] = []
    for (name, value) in expect?.pairs ?? [] {
      guard let key = known.first(where: { $0.key.name == name }) else { continue }
      result += try key.read(value)
    }
    if steps.contains(where: { !$0.answers.isEmpty }) { result.append(WireExpectation.answers) }
    if expect == nil, judged.contains(requirement.id) { result.append(WireExpectation.stream(requirement.id)) }
    if expect == nil, sent.contains(requirement.id) { result.append(WireExpectation.sends(requirement.id)) }
    guard !result.isEmpty else { throw root.error("the scenario expects nothing, so it could never fail") }
    return result
  }

  /// Whether a scenario without expectations tests a requirement.
  func judges(_ requirement: Requirement) -> Bool {
    judged.contains(requirement.id) || sent.contains(requirement.id)
  }

  /// Every key of `expect`: the oracle, those of the suites, and thresholds.
  static func keys(_ suites: [Suite]) -> [ScenarioKey<[any Expectation]>] {
    let own = suites.flatMap(\.expectationKeys).map { key in
      ScenarioKey<[any Expectation]>(key.key) { (value) throws(YAMLFileError) in [try key.read(value)] }
    }
    return [streams(judged(suites)), sends(sent(suites))] + own + [thresholds]
  }

  /// The ids of the requirements on streams, in the order of the suites.
  private static func judged(_ suites: [Suite]) -> [String] {
    let all = suites.flatMap(\.models).flatMap(\.judging.streams).flatMap(\.requirements).map(\.requirement.id)
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// The ids of the requirements on sent messages.
  private static func sent(_ suites: [Suite]) -> [String] {
    suites.flatMap(\.models).flatMap(\.judging.sending).map(\.requirement.id)
  }

  private static func key(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> [WireExpectation]
  ) -> ScenarioKey<[any Expectation]> {
    ScenarioKey(name, type, meaning) { (value) throws(YAMLFileError) in try read(value) }
  }

  /// The key for stream requirements.
  private static func streams(_ judged: [String]) -> ScenarioKey<[any Expectation]> {
    key(
      "streams", .either([.oneOf(["all"]), .list(.oneOf(judged))]),
      "The oracle's verdict on these requirements; all: on every stream that the system shows."
    ) { value in value.isList ? value.list.compactMap(\.text).map(WireExpectation.stream) : [.everyStream] }
  }

  /// The key for sender rules.
  private static func sends(_ sent: [String]) -> ScenarioKey<[any Expectation]> {
    key("sends", .list(.oneOf(sent)), "The messages of the system meet these requirements, and the run exercises them.")
    { value in
      value.list.compactMap(\.text).map(WireExpectation.sends)
    }
  }

  /// The key for thresholds.
  private static let thresholds = key(
    "at-most", .mapping(limits), "The maximum of each measured value."
  ) { (value) throws(YAMLFileError) in try limits(value) }

  private static let limits = YAMLShape(
    "thresholds",
    Measure.allCases.map { YAMLKey($0.rawValue, $0.isTime ? .time : .number, $0.meaning) })
}

// MARK: - Values

extension ExpectationDecoder {
  private static func limits(_ value: YAMLValue) throws(YAMLFileError) -> [WireExpectation] {
    var result: [WireExpectation] = []
    for (key, limit) in value.pairs {
      guard let measure = Measure(rawValue: key) else { continue }
      let number = measure.isTime ? limit.time.map { Double($0) } : limit.number
      guard let number, number >= 0 else { throw limit.error("a threshold is a number of 0 or more") }
      result.append(.atMost(measure, number))
    }
    return result
  }
}
