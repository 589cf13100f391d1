import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele

/// The expectations of TELE's scenarios, in addition to those of every scenario.
enum TeleExpectation: Hashable {
  /// The applied poses by seq, in this order and no others: one of these lists.
  case poses([[UInt16]])
  /// The applied poses by seq: these where the last HELLO was answered with OK, those where it was not.
  case posesAfterHello(accepted: [UInt16], refused: [UInt16])
  /// The strengths of the motor, each change once, from 0 at the start: one of these lists.
  case strengths([[Float]])
  /// The played impacts, in order.
  case impacts([HapticImpact])
  /// The applied commands, in order, without those that changed nothing.
  case commands([CommandSample])
  /// HELLO comes at least this often, in ns, from the first time to the second.
  case helloEvery(Nanoseconds, from: Timestamp, to: Timestamp)
  /// The phone notices the loss of its session this long after the last ACK, over Bluetooth HEARTBEAT, in ns.
  case noticesLoss(after: ClosedRange<Nanoseconds>)
  /// The host closes each connection over which no HELLO came, this long after it came up, in ns.
  case closesSilent(after: ClosedRange<Nanoseconds>)
  /// The host closes each connection whose HELLO it rejected.
  case closesRefused
}

extension TeleExpectation: Expectation {
  func judge(_ run: JudgedRun) -> Outcome {
    switch self {
    case .poses(let either): run.poses(either)
    case .posesAfterHello(let accepted, let refused):
      run.poses([run.isLastHelloAccepted ? accepted : refused])
    case .strengths(let either): run.strengths(either)
    case .impacts(let impacts): run.impacts(impacts)
    case .commands(let commands): run.commands(commands)
    case .helloEvery(let longest, let from, let to): run.helloEvery(longest, from, to)
    case .noticesLoss(let after): run.noticesLoss(after)
    case .closesSilent(let after): run.closesSilent(after)
    case .closesRefused: run.closesRefused()
    }
  }
}

extension TeleExpectation {
  /// The keys of a scenario's `expect`.
  static let keys: [ScenarioKey<any Expectation>] = [
    key(
      "poses", .either([integers, .list(integers)]),
      "The seq of the poses applied, in order; or several lists, one of which."
    ) { .poses(lists($0).map(seqs)) },
    key(
      "poses-after-hello", .mapping(afterHello),
      "The seq of the poses applied, in order, by what the last HELLO was answered."
    ) { .posesAfterHello(accepted: $0["accepted"].map(seqs) ?? [], refused: $0["refused"].map(seqs) ?? []) },
    key(
      "strengths", .either([numbers, .list(numbers)]),
      "The strengths at which the motor ran, each change once; or several lists, one of which."
    ) { .strengths(lists($0).map { $0.list.compactMap(\.number).map { Float($0) } }) },
    key("impacts", .list(.oneOf(HapticImpact.allCases.map(\.rawValue))), "The impacts that were played.") {
      .impacts($0.list.compactMap { $0.text.flatMap(HapticImpact.init) })
    },
    key("commands", .list(integers), "The commands that made a difference: [cmd_type, value] each.") {
      (value) throws(YAMLFileError) in .commands(try commands(value.list))
    },
    key("hello-every", .mapping(helloEvery), "HELLO comes so often.") { value in
      .helloEvery(
        value["at-most"]?.time ?? 0, from: Timestamp(nanoseconds: value["from"]?.time ?? 0),
        to: Timestamp(nanoseconds: value["until"]?.time ?? 0))
    },
    key(
      "notices-loss", .list(.time),
      "The phone notices the loss of its session this long after the last ACK, over Bluetooth HEARTBEAT."
    ) { (value) throws(YAMLFileError) in .noticesLoss(after: try range(value, "notices-loss")) },
    key(
      "closes-silent", .list(.time), "The host closes each connection without a HELLO this long after it came up."
    ) { (value) throws(YAMLFileError) in .closesSilent(after: try range(value, "closes-silent")) },
    key(
      "closes-refused", .flag, "The host closes each connection whose HELLO it refused, or was of another version."
    ) { _ in .closesRefused },
  ]

  private static func range(_ value: YAMLValue, _ name: String) throws(YAMLFileError) -> ClosedRange<Nanoseconds> {
    let times = value.list.compactMap(\.time)
    guard times.count == 2, times[0] <= times[1] else { throw value.error("\(name) is [earliest, latest]") }
    return times[0]...times[1]
  }

  private static let numbers = YAMLType.list(.number)
  private static let integers = YAMLType.list(.integer)

  private static let afterHello = YAMLShape(
    "poses-after-hello",
    [
      YAMLKey("accepted", integers, required: true, "Where it was answered with OK."),
      YAMLKey("refused", integers, required: true, "Where it was not."),
    ])

  private static let helloEvery = YAMLShape(
    "hello-every",
    [
      YAMLKey("at-most", .time, required: true, "The longest time without one."),
      YAMLKey("from", .time, required: true, "From this time on."),
      YAMLKey("until", .time, required: true, "Up to this time."),
    ])

  private static func key(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> TeleExpectation
  ) -> ScenarioKey<any Expectation> {
    ScenarioKey(name, type, meaning) { (value) throws(YAMLFileError) in try read(value) }
  }

  /// The lists of a list of lists; a plain list is the only one.
  private static func lists(_ value: YAMLValue) -> [YAMLValue] {
    value.list.contains(where: \.isList) ? value.list : [value]
  }

  private static func seqs(_ value: YAMLValue) -> [UInt16] {
    value.list.compactMap { $0.integer.map { UInt16(truncatingIfNeeded: $0) } }
  }

  private static func commands(_ list: [YAMLValue]) throws(YAMLFileError) -> [CommandSample] {
    var result: [CommandSample] = []
    for entry in list {
      let numbers = entry.list.compactMap(\.integer)
      guard numbers.count == 2 else { throw entry.error("a command is [cmd_type, value]") }
      result.append(CommandSample(type: UInt8(clamping: numbers[0]), value: UInt8(clamping: numbers[1])))
    }
    return result
  }
}
