import TelecapWire

/// The values that the rules allow a receiver to apply: one, and where a number was none also an end of the range.
struct AcceptableValues: Sendable {
  /// The value; nil where nothing was received that could be applied.
  var value: StreamValue?
  /// 0 is right as well.
  var off = false
  /// The lowest values are right as well.
  var lowest = false
  /// The highest values are right as well.
  var highest = false
  /// These are right as well: what came with bytes behind it may be read or dropped.
  var others: [StreamValue] = []
  /// To have applied nothing yet is right as well.
  var nothing = false
  /// Nobody can tell what is right.
  var anything = false
  /// The largest magnitude that a sum had since it was shown last: a receiver may have rounded it by a share of that.
  var reach = 0.0

  init(_ value: StreamValue?) { self.value = value }

  /// What is right where a message may have been taken or not: this before it, and what is right with it.
  func or(_ taken: AcceptableValues) -> AcceptableValues {
    var both = taken
    both.others += others + [value].compactMap(\.self)
    both.nothing = nothing || value == nil || taken.nothing
    (both.off, both.lowest, both.highest) = (off || taken.off, lowest || taken.lowest, highest || taken.highest)
    both.anything = anything || taken.anything
    return both
  }

  /// Whether a receiver that shows this does what is right.
  func contains(_ shown: StreamValue, of stream: JudgedStream) -> Bool {
    if anything { return true }
    if let value, stream.isShown(value.values, by: shown.values, reach: reach) { return true }
    if others.contains(where: { stream.isShown($0.values, by: shown.values) }) { return true }
    return off && shown.values.isOff || lowest && stream.isShown(stream.end(\.lowerBound), by: shown.values)
      || highest && stream.isShown(stream.end(\.upperBound), by: shown.values)
  }
}
