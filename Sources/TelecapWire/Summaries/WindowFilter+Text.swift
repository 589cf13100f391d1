import TelecapRecording
import TelecapText

extension WindowFilter {
  /// The window and its packets: `from 1.000 s until 2.000 s: 40 of 120 packets`.
  public var words: String { "\(bounds): \(Numbers.grouped(count)) of \(Numbers.counted(total, "packet"))" }

  /// A note about the range that is shown, for stderr.
  public var note: String {
    if count > 0 { return "\(words); counts are of this range" }
    if total == 0 { return "nothing to show \(bounds): the recording has no packets" }
    return "nothing to show \(bounds): the last of \(Numbers.counted(total, "packet")) is at \(seconds(length))"
  }

  private var bounds: String {
    let until = window.until == .max ? nil : "until \(seconds(window.until))"
    let from = window.from == 0 && until != nil ? nil : "from \(seconds(window.from))"
    return [from, until].compactMap(\.self).joined(separator: " ")
  }

  private func seconds(_ nanoseconds: Nanoseconds) -> String { "\(Numbers.fixed(Double(nanoseconds) / 1e9, 3)) s" }
}
