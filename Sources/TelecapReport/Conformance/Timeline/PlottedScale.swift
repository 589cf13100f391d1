import TelecapRecording

/// The scale of a run's values in a picture.
struct PlottedScale: Hashable {
  /// How their axis is called.
  var axis = ""
  /// Its steps have names of whole numbers.
  var isWhole = false
  /// The bits of a number that wraps; nil where it does not.
  var wrappingBits: Int?
  /// The range of the values; nil where they have none.
  var range: ClosedRange<Double>?

  /// A value at the axis; a number that wraps, as its raw number.
  func text(_ value: Double) -> String {
    guard let bits = wrappingBits else { return Axis.text(value) }
    let number = UInt64(bitPattern: Int64(clampingRounded: value))
    return "\(bits < 64 ? number & (1 << UInt64(bits) - 1) : number)"
  }
}
