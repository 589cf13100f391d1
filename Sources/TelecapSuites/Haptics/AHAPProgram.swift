import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapText

extension DeviceProgram {
  /// A player of AHAP patterns as a program: it reads the text of a pattern and prints its findings; for a sample it
  /// prints the output at that time.
  static let ahap = DeviceProgram(
    shows: [.tellings],
    events: [
      DeviceEvent("read"), DeviceEvent("refused"), DeviceEvent("felt", [.number("intensity"), .number("sharpness")]),
      DeviceEvent(
        "finding",
        [
          .text("severity", ["note", "warning", "error"]), .number("line", isNeeded: false),
          .number("column", isNeeded: false), .text("path", isNeeded: false),
        ]),
    ],
    asked: { deed in (deed as? HapticsAction)?.told ?? [] },
    listener: { _ in AHAPListener() })
}

/// Maps the output of a program that plays AHAP patterns.
private struct AHAPListener: DeviceListener {
  func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent] {
    let words: String
    switch event {
    case "felt":
      words =
        "intensity \(DeviceWords.number(fields.number("intensity") ?? .nan)) "
        + "sharpness \(DeviceWords.number(fields.number("sharpness") ?? .nan))"
    case "finding": words = "(\(([fields.text("severity"), "at"] + AHAPListener.place(fields)).joined(separator: " ")))"
    default: words = event
    }
    return [TimedEvent(.told(words), at: time)]
  }

  /// `2:22`, `$.Pattern[0]`, or both.
  private static func place(_ fields: DeviceFields) -> [String] {
    let line = fields.number("line").flatMap { Int(exactly: $0) }
    let column = fields.number("column").flatMap { Int(exactly: $0) } ?? 0
    return [line.map { "\($0):\(column)" } ?? "", fields.text("path")].filter { !$0.isEmpty }
  }
}
