import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapText

/// The results of a study of clocks: started now, started ahead, and the smallest sufficient lead.
public struct SyncReport: Sendable {
  private let now: SyncStudy.Result
  private let ahead: SyncStudy.Result
  private let smallest: Nanoseconds?
  private let delta: Nanoseconds

  /// Runs the study; `delta` is the lead of the event, in ns.
  public init(_ study: SyncStudy, delta: Nanoseconds) {
    now = study.run(.naive)
    ahead = study.run(.future(delta: delta))
    smallest = study.smallestDelta()
    self.delta = delta
  }

  /// Whether every trial that is planned ahead is within the limit.
  public var holds: Bool { ahead.count(over: SyncStudy.limit) == 0 }

  /// The lines of the report.
  ///
  /// - Parameter device: a description of the device.
  public func text(of device: String, style: Style) -> [String] {
    let name = "\(Interval(nanoseconds: delta))"
    let text = SyncText(style: style)
    var lines = [device] + text.table([("now", now), ("\(name) ahead", ahead)]) + [""]
    let width = now.histogram(bars: 16).width
    lines += text.distribution("now", now, width: width) + [""]
    lines += text.distribution("\(name) ahead", ahead, width: width) + [""]
    if let smallest {
      lines.append("the smallest δ that keeps every trial within 3 frames: \(Interval(nanoseconds: smallest))")
    } else {
      lines.append("no δ up to 1 s keeps every trial within 3 frames: refresh, jitter and drift alone are more")
    }
    return lines
  }

  /// Writes the report as two lines of JSON.
  public func write(to json: inout JSONWriter) {
    for (name, result) in [("now", now), ("ahead", ahead)] {
      json.beginObject()
      json.put("start", name)
      json.put("trials", result.skews.count)
      if name == "ahead" { json.put("delta_ns", delta) }
      json.put("seen_ns", result.meanStarts.display)
      json.put("heard_ns", result.meanStarts.audio)
      json.put("felt_ns", result.meanStarts.haptic)
      json.put("skew_p50_ns", result.quantile(0.5))
      json.put("skew_p95_ns", result.quantile(0.95))
      json.put("skew_p99_ns", result.quantile(0.99))
      json.put("skew_max_ns", result.quantile(1))
      json.put("over_3_frames", result.count(over: SyncStudy.limit))
      if name == "ahead", let smallest { json.put("smallest_delta_ns", smallest) }
      json.endObject()
      json.endLine()
    }
  }
}
