import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText

/// The report on a played script: the actions of each sense with their times and reasons, and the skew. Text for users,
/// JSON Lines for programs.
public struct SensesReport: PrintedResult {
  private let run: SensesRun

  /// The report on a played script.
  public init(_ run: SensesRun) { self.run = run }

  /// The action of a sense for an event.
  private struct ActionBinding {
    var time: Timestamp
    var event: SensedEvent
    var sense: Sense
  }

  /// The actions in order of time; those of one time in the order of the script.
  private var deeds: [ActionBinding] {
    let all = run.sensed.flatMap { event in
      let senses: [Sense] = event.perception.heard == nil ? [.seen] : Sense.allCases
      return senses.map { ActionBinding(time: event.time(of: $0), event: event, sense: $0) }
    }
    return all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  public var lines: [String] {
    let told = deeds.map { deed in
      "\(Numbers.fixed(deed.time.seconds, 3).rightAligned(to: 8)) s  "
        + "\(deed.event.number) \(deed.event.event.name)  \(deed.sense.rawValue)  \(deed.event.words(deed.sense))"
    }
    var table = TextTable(rightAligned: Set([2, 3, 4, 5, 6, 7]))
    table.add("event", "skew of", "p50", "p99", "max", "over 3 frames", "p50 now", "p99 now")
    for event in run.sensed {
      guard let (ahead, now) = event.skew else { continue }
      table.add(
        "\(event.number) \(event.event.name)", SkewText.names(event.perception.senses),
        SkewText.milliseconds(ahead.quantile(0.5)), SkewText.milliseconds(ahead.quantile(0.99)),
        SkewText.milliseconds(ahead.quantile(1)), Numbers.grouped(ahead.count(over: SyncStudy.limit)),
        SkewText.milliseconds(now.quantile(0.5)), SkewText.milliseconds(now.quantile(0.99)))
    }
    return [run.script.title.printable, ""] + told + [
      "", "\(Numbers.grouped(run.script.trials)) trials, seed \(run.script.seed)",
    ]
      + table.lines()
  }

  public func write(to json: inout JSONWriter) {
    for deed in deeds {
      json.beginObject()
      json.put("time_ns", deed.time.nanoseconds)
      json.put("event", deed.event.number)
      json.put("what", deed.event.event.name)
      json.put("happened_ns", deed.event.happened.nanoseconds)
      json.put("drained_ns", deed.event.drained.nanoseconds)
      json.put("sense", deed.sense.rawValue)
      deed.event.write(deed.sense, to: &json)
      json.endObject()
      json.endLine()
    }
    for event in run.sensed { write(skewOf: event, to: &json) }
  }

  private func write(skewOf event: SensedEvent, to json: inout JSONWriter) {
    guard let (ahead, now) = event.skew else { return }
    json.beginObject()
    json.put("event", event.number)
    json.put("what", event.event.name)
    json.put("skew_of", SkewText.names(event.perception.senses))
    json.put("trials", ahead.skews.count)
    json.put("lead_ns", run.script.lead)
    for (name, result) in [("ahead", ahead), ("now", now)] {
      json.key(name)
      json.beginObject()
      json.put("p50_ns", result.quantile(0.5))
      json.put("p95_ns", result.quantile(0.95))
      json.put("p99_ns", result.quantile(0.99))
      json.put("max_ns", result.quantile(1))
      json.put("over_3_frames", result.count(over: SyncStudy.limit))
      json.endObject()
    }
    json.endObject()
    json.endLine()
  }
}
