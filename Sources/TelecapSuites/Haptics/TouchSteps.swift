import TelecapConformance
import TelecapHaptics
import TelecapRecording

/// The samples of a touch in a scenario. Each is a datagram with a line of a trace.
enum TouchSteps {
  static let key = ScenarioKey<StepMaker>("touch", .mapping(shape), "Samples of a touch.") {
    (value) throws(YAMLFileError) in try read(value)
  }

  private static let shape = YAMLShape(
    "touch",
    [
      YAMLKey("phase", .oneOf(TouchSample.Phase.allCases.map(\.rawValue)), required: true, "The phase of the touch."),
      YAMLKey("at", .list(.number), required: true, "Where: [x, y] in points."),
      YAMLKey("to", .list(.number), "Where it goes from there, in equal steps: [x, y]."),
      YAMLKey("steps", .integer, "In how many samples; 1 unless given."),
      YAMLKey("every", .time, "The time from one to the next; 10ms unless given."),
      YAMLKey("force", .either([.number, .list(.number)]), "How hard; of a list, each sample takes the next."),
      YAMLKey("finger", .integer, "Which finger; 0 unless given."),
    ])

  private static func read(_ value: YAMLValue) throws(YAMLFileError) -> StepMaker {
    let from = value["at"]?.list.compactMap(\.number) ?? []
    let to = value["to"]?.list.compactMap(\.number) ?? from
    guard from.count == 2, to.count == 2 else { throw value.error("a place is [x, y]") }
    let count = Int(max(1, min(100_000, value["steps"]?.integer ?? 1)))
    let every = value["every"]?.time ?? 10_000_000
    let forces = value["force"]?.list.compactMap(\.number) ?? []
    let phase = value["phase"]?.text.flatMap(TouchSample.Phase.init) ?? .moved
    let samples = (1...count).map { step in
      // A touch without a target stays at its position; one with a target reaches it with its last sample.
      let share = value["to"] == nil ? 0 : Double(step) / Double(count)
      return TouchSample(
        time: Int64(step - 1) * every, finger: Int(clamping: value["finger"]?.integer ?? 0), phase,
        x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share,
        force: forces.isEmpty ? 0.5 : forces[(step - 1) % forces.count])
    }
    return { begin in .send(samples.map { Array($0.after(begin).line.utf8) }, every: every) }
  }
}

extension TouchSample {
  /// Whether it is neither the first nor the last of its touch.
  var isBetween: Bool { phase == .moved || phase == .stationary }

  /// The sample, this time later.
  fileprivate func after(_ begin: Timestamp) -> TouchSample {
    var sample = self
    sample.time += begin.nanoseconds
    return sample
  }
}
