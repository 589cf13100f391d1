import TelecapWire

/// The values that the rules allow a receiver to apply: one, and for NaN also an end of the range.
struct AcceptableValues: Sendable {
  /// The value; nil where no applicable value was received.
  var value: StreamValue?
  /// 0 is acceptable too.
  var off = false
  /// The lowest values are acceptable too.
  var lowest = false
  /// The highest values are acceptable too.
  var highest = false
  /// Further acceptable values: those of messages with trailing bytes, which may be read or dropped.
  var others: [StreamValue] = []
  /// Having applied no value is acceptable too.
  var nothing = false
  /// Any value is acceptable, since the right one is unknown.
  var anything = false
  /// The largest magnitude of a sum since it was shown last, to which its rounding error is relative.
  var reach = 0.0

  /// The maximum number of further values.
  static let most = 256

  init(_ value: StreamValue?) { self.value = value }

  /// The acceptable values where a message may have been applied or not: this before it, `taken` with it.
  func or(_ taken: AcceptableValues) -> AcceptableValues {
    var both = taken
    // A message that changed nothing adds nothing.
    for other in others + [value].compactMap(\.self) where other != both.value && !both.others.contains(other) {
      both.others.append(other)
    }
    both.nothing = nothing || value == nil || taken.nothing
    (both.off, both.lowest, both.highest) = (off || taken.off, lowest || taken.lowest, highest || taken.highest)
    both.anything = anything || taken.anything
    // Each value is compared with all: after very many any is acceptable.
    if both.others.count > AcceptableValues.most { (both.others, both.anything) = ([], true) }
    return both
  }

  /// Whether a shown value is acceptable.
  func contains(_ shown: StreamValue, of stream: JudgedStream) -> Bool {
    if anything { return true }
    if let value, stream.isShown(value.values, by: shown.values, reach: reach) { return true }
    if others.contains(where: { stream.isShown($0.values, by: shown.values) }) { return true }
    return off && shown.values.isOff || lowest && stream.isShown(stream.end(\.lowerBound), by: shown.values)
      || highest && stream.isShown(stream.end(\.upperBound), by: shown.values)
  }
}
