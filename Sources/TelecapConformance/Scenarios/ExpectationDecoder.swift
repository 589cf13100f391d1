import TelecapModels
import TelecapRecording

/// Reads what a scenario expects.
struct ExpectationDecoder {
  private let known: [ScenarioKey<[any Expectation]>]
  /// The ids of the requirements that the oracle judges.
  private let judged: [String]

  init(_ suites: Suites) {
    known = ExpectationDecoder.keys(suites.all)
    judged = ExpectationDecoder.judged(suites.all)
  }

  /// The expectations; where none is written, what the oracle says of the requirement.
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
    guard !result.isEmpty else { throw root.error("the scenario expects nothing, so it could never fail") }
    return result
  }

  /// Every key of `expect`: those of the wire, with those of the suites among them.
  static func keys(_ suites: [Suite]) -> [ScenarioKey<[any Expectation]>] {
    let own = suites.flatMap(\.expectationKeys).map { key in
      ScenarioKey<[any Expectation]>(key.key) { (value) throws(YAMLFileError) in [try key.read(value)] }
    }
    return [streams(judged(suites))] + shown + sent + own + last
  }

  /// The ids of the requirements on streams, in the order of the suites.
  private static func judged(_ suites: [Suite]) -> [String] {
    let all = suites.flatMap(\.models).flatMap(\.judging.streams).flatMap(\.requirements).map(\.requirement.id)
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  private static func key(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> [WireExpectation]
  ) -> ScenarioKey<[any Expectation]> {
    ScenarioKey(name, type, meaning) { (value) throws(YAMLFileError) in try read(value) }
  }

  private static let numbers = YAMLType.list(.number)
  private static let integers = YAMLType.list(.integer)

  /// What the oracle says.
  private static func streams(_ judged: [String]) -> ScenarioKey<[any Expectation]> {
    key(
      "streams", .either([.oneOf(["all"]), .list(.oneOf(judged))]),
      "The oracle's verdict on these requirements; all: on every stream that the system shows."
    ) { value in value.isList ? value.list.compactMap(\.text).map(WireExpectation.stream) : [.everyStream] }
  }

  /// What the system shows of its state.
  private static let shown = [
    key(
      "poses", .either([integers, .list(integers)]),
      "The seq of the poses applied, in order; or several lists, one of which."
    ) { [.poses(lists($0).map(seqs))] },
    key(
      "strengths", .either([numbers, .list(numbers)]),
      "The strengths at which the motor ran, each change once; or several lists, one of which."
    ) { [.strengths(lists($0).map { $0.list.compactMap(\.number).map { Float($0) } })] },
    key("impacts", .list(.oneOf(HapticImpact.allCases.map(\.rawValue))), "The impacts that were played.") {
      [.impacts($0.list.compactMap { $0.text.flatMap(HapticImpact.init) })]
    },
    key("commands", .list(integers), "The commands that made a difference: [cmd_type, value] each.") {
      (value) throws(YAMLFileError) in [.commands(try commands(value.list))]
    },
    key("pointer", integers, "Where the pointer is at the end, from where it began: [x, y].") {
      (value) throws(YAMLFileError) in
      let integers = value.list.compactMap(\.integer)
      guard integers.count == 2 else { throw value.error("pointer is [x, y]") }
      return [.pointer(deltaX: Int(integers[0]), deltaY: Int(integers[1]))]
    },
    key("buttons", .integer, "Which buttons are down at the end.") {
      [.buttons(UInt8(clamping: $0.integer ?? 0))]
    },
  ]

  /// What the system sends, and refuses to.
  private static let sent = [
    key("hello-every", .mapping(helloEvery), "HELLO comes so often.") { value in
      [
        .helloEvery(
          value["at-most"]?.time ?? 0, from: Timestamp(nanoseconds: value["from"]?.time ?? 0),
          to: Timestamp(nanoseconds: value["until"]?.time ?? 0))
      ]
    },
    key(
      "notices-loss", .list(.time), "The phone notices the loss of its session this long after the last ACK."
    ) { (value) throws(YAMLFileError) in
      let times = value.list.compactMap(\.time)
      guard times.count == 2, times[0] <= times[1] else { throw value.error("notices-loss is [earliest, latest]") }
      return [.noticesLoss(after: times[0]...times[1])]
    },
    key("haptic-in-range", .integer, "Every HAPTIC is in range, and at least so many come.") {
      [.hapticInRange(atLeast: Int(clamping: $0.integer ?? 1))]
    },
    key(
      "movements", .list(.oneOf(WireExpectation.MovementRule.allCases.map(\.rawValue))),
      "What the packets of each movement keep to."
    ) { $0.list.compactMap { $0.text.flatMap(WireExpectation.MovementRule.init) }.map(WireExpectation.movements) },
    key(
      "refused", .oneOf(["not-connected", "invalid-data"]), "The last call is refused, and nothing is sent for it."
    ) { $0.text.flatMap(MouseError.init).map { [.refused($0)] } ?? [] },
  ]

  private static let last = [
    key("at-most", .mapping(thresholds), "What is measured is no more than this.") {
      (value) throws(YAMLFileError) in try limits(value)
    },
    key("reports", .list(.hex), "The HID reports that are sent.") { [.reports($0.list.compactMap(\.bytes))] },
  ]

  private static let thresholds = YAMLShape(
    "thresholds",
    Measure.allCases.map { YAMLKey($0.rawValue, $0.isTime ? .time : .number, $0.meaning) })

  private static let helloEvery = YAMLShape(
    "hello-every",
    [
      YAMLKey("at-most", .time, required: true, "The longest time without one."),
      YAMLKey("from", .time, required: true, "From this time on."),
      YAMLKey("until", .time, required: true, "Up to this time."),
    ])
}

// MARK: - Values

extension ExpectationDecoder {
  /// The lists of a list of lists; a plain list is the only one.
  private static func lists(_ value: YAMLValue) -> [YAMLValue] {
    value.list.contains(where: \.isList) ? value.list : [value]
  }

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

  private static func seqs(_ value: YAMLValue) -> [UInt16] {
    value.list.compactMap { $0.integer.map { UInt16(truncatingIfNeeded: $0) } }
  }

  private static func commands(_ list: [YAMLValue]) throws(YAMLFileError) -> [WireExpectation.Command] {
    var result: [WireExpectation.Command] = []
    for entry in list {
      let numbers = entry.list.compactMap(\.integer)
      guard numbers.count == 2 else { throw entry.error("a command is [cmd_type, value]") }
      result.append(.init(type: UInt8(clamping: numbers[0]), value: UInt8(clamping: numbers[1])))
    }
    return result
  }
}
