import TelecapRecording

/// The number of a step's messages and their interval, from `count`, `for`, `rate` and `every`.
struct StepPace {
  /// The maximum number of messages, opens and closes in all steps of a scenario: all are in memory before the first is
  /// sent.
  static let mostMessages = 50_000

  /// 1…`mostMessages`.
  let count: Int
  /// The interval, in ns.
  let every: Nanoseconds

  /// The pace of a step.
  /// - Throws: `YAMLFileError` where two keys contradict each other or give no valid number of messages.
  init(_ step: YAMLValue) throws(YAMLFileError) {
    every = try StepPace.every(step)
    count = try StepPace.count(step, every)
  }

  private static func every(_ step: YAMLValue) throws(YAMLFileError) -> Nanoseconds {
    guard let value = step["rate"] else { return step["every"]?.time ?? 10_000_000 }
    if step["every"] != nil { throw value.error("\"rate\" and \"every\" set the same: leave one of them out") }
    guard let rate = value.number, rate >= 0.001, rate <= 1e9 else {
      throw value.error("\"rate\" is 0.001 to 1,000,000,000 a second")
    }
    return Int64(clampingRounded: 1e9 / rate)
  }

  private static func count(_ step: YAMLValue, _ every: Nanoseconds) throws(YAMLFileError) -> Int {
    if let value = step["count"] {
      if step["for"] != nil { throw value.error("\"count\" and \"for\" set the same: leave one of them out") }
      return try StepPace.count("count", value)
    }
    guard let value = step["for"], let length = value.time else {
      return step["hex"]?.list.count ?? step["with"]?.pairs.map { $0.value.holdsEntries ? 1 : $0.value.list.count }
        .max() ?? 1
    }
    guard every > 0 else { throw value.error("\"for\" requires an \"every\" of more than 0") }
    guard every <= length else { throw value.error("nothing is sent: \"for\" is shorter than from one to the next") }
    return try held(length / every, value)
  }

  /// The count of a key.
  static func count(_ name: String, _ value: YAMLValue) throws(YAMLFileError) -> Int {
    guard let count = value.integer, count > 0 else { throw value.error("\"\(name)\" is 1 or more") }
    return try held(count, value)
  }

  /// A count within the maximum of a scenario.
  static func held(_ count: Int64, _ place: YAMLValue) throws(YAMLFileError) -> Int {
    guard count <= mostMessages else {
      throw place.error(
        "\(count) messages, where all steps of a scenario send at most \(mostMessages): "
          + "for more, send a capture with \"capture\"")
    }
    return Int(count)
  }
}

extension Step.Work {
  /// The part of a scenario's maximum that it uses.
  func count(_ pace: StepPace) -> Int {
    switch self {
    case .send(let messages, _): messages.count
    case .mutate(_, let count, _): count
    case .open, .close, .reset: pace.count
    case .endSession, .ask: 1
    }
  }
}
