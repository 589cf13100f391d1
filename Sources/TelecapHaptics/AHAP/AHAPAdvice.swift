import TelecapRecording

/// The advice of seed 001 in addition to the rules of the format, as notes.
enum AHAPAdvice {
  /// The minimum time between a transient and the start of the rumble that would hide it, in s (2.2).
  static let gap = 0.02
  /// The maximum duration of a decay, in s, to save battery (6.2).
  static let longestDecay = 0.5
  /// The maximum duration of a continuous event, in s, for the same reason (haptics.md, One event, three senses).
  static let longestContinuous = 1.0
  /// The number of items from which on a note warns of slow parsing (2.3). The number is ours.
  static let manyItems = 100

  static func give(_ pattern: AHAP, to reader: inout AHAPReader) {
    gaps(pattern, &reader)
    lengths(pattern, &reader)
    for (item, seconds) in HapticTimeline(pattern).fades() where seconds > longestDecay {
      let rounded = (seconds * 1_000).rounded() / 1_000
      reader.find(
        .adviceDecay, "$.Pattern[\(item)].Event", reader.itemOffsets[item],
        "this event takes \(rounded) s to fade; keep a decay to 0.5 s, for the battery's sake")
    }
    if pattern.pattern.count >= manyItems {
      reader.find(
        .adviceLoad, "$.Pattern", 0,
        "\(pattern.pattern.count) items: parse it when the app loads, never while it renders")
    }
  }

  private static func lengths(_ pattern: AHAP, _ reader: inout AHAPReader) {
    for (index, item) in pattern.pattern.enumerated() {
      guard case .event(let event) = item, event.type == .hapticContinuous, let duration = event.duration,
        duration > longestContinuous
      else { continue }
      reader.find(
        .adviceLong, "$.Pattern[\(index)].Event", reader.itemOffsets[index],
        "this event lasts \(duration) s; a continuous event over 1 s costs power")
    }
  }

  private static func gaps(_ pattern: AHAP, _ reader: inout AHAPReader) {
    var transients: [Double] = []
    for case .event(let event) in pattern.pattern where event.type == .hapticTransient { transients.append(event.time) }
    transients.sort()
    for (index, item) in pattern.pattern.enumerated() {
      guard case .event(let event) = item, event.type == .hapticContinuous else { continue }
      let before = transients.firstIndex(after: event.time, by: \.self)
      guard before > 0 else { continue }
      let since = event.time - transients[before - 1]
      guard since < gap - 1e-9 else { continue }
      let milliseconds = (since * 1e5).rounded() / 100
      reader.find(
        .adviceGap, "$.Pattern[\(index)].Event", reader.itemOffsets[index],
        "this rumble starts \(milliseconds) ms after a transient; leave 20 ms, or it masks the transient")
    }
  }
}
