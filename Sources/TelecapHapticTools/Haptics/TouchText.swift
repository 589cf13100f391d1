import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText

/// The events of touches as text and as JSON.
public enum TouchText {
  /// The line of an event at `time`, in ns.
  public static func line(_ event: TouchEvent, at time: Nanoseconds) -> String {
    "\(Numbers.fixed(Double(time) / 1e9, 3).rightAligned(to: 8)) s  \("\(event)".printable)"
  }

  /// Writes the event as a line of JSON.
  public static func write(_ event: TouchEvent, at time: Nanoseconds, to json: inout JSONWriter) {
    json.beginObject()
    json.put("time_ns", time)
    switch event {
    case .impact(let style, let view, let reason):
      json.put("event", "impact")
      json.put("style", style.rawValue)
      json.put("view", view)
      json.put("reason", reason.rawValue)
    case .handedOn(let phase, let view):
      json.put("event", "handed-on")
      json.put("phase", phase.rawValue)
      if let view { json.put("view", view) }
    case .scrolled(let view, let x, let y):
      json.put("event", "scrolled")
      json.put("view", view)
      json.put("x", x)
      json.put("y", y)
    case .sinks(let view, let depth):
      json.put("event", "sinks")
      json.put("view", view)
      json.put("depth", depth)
    }
    json.endObject()
    json.endLine()
  }
}
