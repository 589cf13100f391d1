import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapText

/// The results of a study of clocks as text for a terminal.
public struct SyncText {
  private let style: Style
  /// The width of the longest bar, in characters.
  private static let width = 48

  /// Text with this style.
  public init(style: Style) { self.style = style }

  /// The mean times at which an event was seen, heard and felt, and the skew, with a row a strategy.
  public func table(_ rows: [(name: String, result: SyncStudy.Result)]) -> [String] {
    var table = TextTable(rightAligned: Set(1...8))
    table.add("", "seen", "heard", "felt", "skew p50", "p95", "p99", "max", "over 3 frames")
    for (name, result) in rows {
      let starts = result.meanStarts
      let over = result.count(over: SyncStudy.limit)
      let share = Numbers.fixed(Double(over) / Double(max(1, result.skews.count)) * 100, 1) + " %"
      table.add(
        name, SyncText.time(starts.display), SyncText.time(starts.audio), SyncText.time(starts.haptic),
        SyncText.time(result.quantile(0.5)), SyncText.time(result.quantile(0.95)), SyncText.time(result.quantile(0.99)),
        SyncText.time(result.quantile(1)), share)
    }
    return table.lines()
  }

  /// The distribution of the skew: a bar for each interval, with a mark at the limit.
  public func distribution(_ name: String, _ result: SyncStudy.Result, width: Nanoseconds) -> [String] {
    let counts = result.histogram(width: width)
    let most = max(1, counts.max() ?? 1)
    var lines = ["skew, \(name)"]
    for (index, count) in counts.enumerated() {
      let from = Int64(index) * width
      let label = "\(from / 1_000_000)–\((from + width) / 1_000_000) ms"
      let bar = SyncText.bar(Double(count) / Double(most))
      lines.append(
        "\(label.rightAligned(to: 12)) │" + (from >= SyncStudy.limit ? style.bad(bar) : bar)
          + " \(Numbers.grouped(count))")
    }
    return lines
  }

  private static func time(_ nanoseconds: Nanoseconds) -> String {
    Numbers.fixed(Double(nanoseconds) / 1e6, 1) + " ms"
  }

  /// A bar with a length of 0…1, to an eighth of a character.
  private static func bar(_ share: Double) -> String {
    let eighths = Int((share * Double(width) * 8).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
