import TelecapModels
import TelecapRecording

/// Reads what a scenario expects.
enum ExpectationDecoder {
  /// The expectations; where none is written, what the oracle says of the requirement.
  static func read(
    _ expect: YAMLValue?, _ requirement: Requirement, _ steps: [Step], at root: YAMLValue
  ) throws(YAMLFileError) -> [Expectation] {
    var result: [Expectation] = []
    for (key, value) in expect?.pairs ?? [] { result += try read(key, value) }
    if steps.contains(where: { !$0.answers.isEmpty }) { result.append(.answers) }
    if expect == nil, let stream = StreamRequirement(rawValue: requirement.id) { result.append(.stream(stream)) }
    guard !result.isEmpty else { throw root.error("the scenario expects nothing, so it could never fail") }
    return result
  }

  private static func read(_ key: String, _ value: YAMLValue) throws(YAMLFileError) -> [Expectation] {
    let list = value.list
    let integers = list.compactMap(\.integer)
    switch key {
    case "streams":
      if !value.isList { return [.everyStream] }
      return list.compactMap { $0.text.flatMap(StreamRequirement.init) }.map(Expectation.stream)
    case "poses":
      return [.poses(lists(value).map(seqs))]
    case "strengths":
      return [.strengths(lists(value).map { $0.list.compactMap(\.number).map { Float($0) } })]
    case "impacts": return [.impacts(list.compactMap { $0.text.flatMap(HapticImpact.init) })]
    case "commands": return [.commands(try commands(list))]
    case "pointer":
      guard integers.count == 2 else { throw value.error("pointer is [x, y]") }
      return [.pointer(deltaX: Int(integers[0]), deltaY: Int(integers[1]))]
    case "buttons": return [.buttons(UInt8(clamping: value.integer ?? 0))]
    case "hello-every":
      return [
        .helloEvery(
          value["at-most"]?.time ?? 0, from: Timestamp(nanoseconds: value["from"]?.time ?? 0),
          to: Timestamp(nanoseconds: value["until"]?.time ?? 0))
      ]
    case "notices-loss":
      let times = list.compactMap(\.time)
      guard times.count == 2, times[0] <= times[1] else { throw value.error("notices-loss is [earliest, latest]") }
      return [.noticesLoss(after: times[0]...times[1])]
    case "haptic-in-range": return [.hapticInRange(atLeast: Int(clamping: value.integer ?? 1))]
    case "movements":
      return list.compactMap { $0.text.flatMap(Expectation.MovementRule.init) }.map(Expectation.movements)
    case "refused": return value.text.flatMap(MouseError.init).map { [.refused($0)] } ?? []
    case "tells": return [.tells(list.compactMap(\.text))]
    case "includes": return [.includes(list.compactMap(\.text))]
    case "never": return [.never(list.compactMap(\.text))]
    case "at-most": return try thresholds(value)
    case "reports": return [.reports(list.compactMap(\.bytes))]
    default: return []
    }
  }

  /// The lists of a list of lists; a plain list is the only one.
  private static func lists(_ value: YAMLValue) -> [YAMLValue] {
    value.list.contains(where: \.isList) ? value.list : [value]
  }

  private static func thresholds(_ value: YAMLValue) throws(YAMLFileError) -> [Expectation] {
    var result: [Expectation] = []
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

  private static func commands(_ list: [YAMLValue]) throws(YAMLFileError) -> [Expectation.Command] {
    var result: [Expectation.Command] = []
    for entry in list {
      let numbers = entry.list.compactMap(\.integer)
      guard numbers.count == 2 else { throw entry.error("a command is [cmd_type, value]") }
      result.append(.init(type: UInt8(clamping: numbers[0]), value: UInt8(clamping: numbers[1])))
    }
    return result
  }
}
