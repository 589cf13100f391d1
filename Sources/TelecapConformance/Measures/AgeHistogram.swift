import TelecapRecording

/// The time that an age of information spent at each value, where age grows by one per unit of time. Growth from age a
/// to age b spends the same time at every age between, so two entries store it, for any length.
struct AgeHistogram: Sendable {
  /// The buckets in each doubling of the age; a percentile is exact to about 1 in 16.
  private static let parts = 16
  private static let count = 64 * parts

  private struct Bucket: Sendable {
    /// The number of growths that begin, and that end, in the bucket.
    var begins: Nanoseconds = 0
    var ends: Nanoseconds = 0
    /// The times from their beginnings, and from their ends, to the bucket's upper edge, in ns.
    var beginRest = 0.0
    var endRest = 0.0
  }

  private var buckets = [Bucket](repeating: Bucket(), count: AgeHistogram.count)
  private(set) var total = 0.0

  /// Adds a growth of the age from `low` to `high` ns.
  mutating func add(from low: Nanoseconds, to high: Nanoseconds) {
    guard low >= 0, high > low else { return }
    let first = AgeHistogram.index(low)
    let last = AgeHistogram.index(high)
    buckets[first].begins += 1
    buckets[first].beginRest += AgeHistogram.upperEdge(first) - Double(low)
    buckets[last].ends += 1
    buckets[last].endRest += AgeHistogram.upperEdge(last) - Double(high)
    total += Double(high - low)
  }

  /// The age in ns that was not exceeded for the share `quantile` of the time; 0 without data.
  func quantile(_ quantile: Double) -> Nanoseconds {
    let wanted = quantile * total
    var before = 0.0
    var open: Nanoseconds = 0
    var lower = 0.0
    for index in buckets.indices {
      let bucket = buckets[index]
      let upper = AgeHistogram.upperEdge(index)
      let mass = Double(open) * (upper - lower) + bucket.beginRest - bucket.endRest
      if mass > 0, before + mass >= wanted {
        return Int64(lower + (upper - lower) * max(0, min(1, (wanted - before) / mass)))
      }
      before += mass
      open += bucket.begins - bucket.ends
      lower = upper
    }
    return 0
  }

  /// Ages below 16 ns have a bucket each; above, each doubling has 16.
  private static func index(_ age: Nanoseconds) -> Int {
    guard age >= Int64(parts) else { return Int(max(0, age)) }
    let exponent = 63 - age.leadingZeroBitCount
    let part = Int(age >> Int64(exponent - 4)) & (parts - 1)
    return (exponent - 3) * parts + part
  }

  /// The upper edge of the bucket.
  private static func upperEdge(_ index: Int) -> Double {
    guard index >= parts else { return Double(index + 1) }
    let exponent = index / parts + 3
    return Double(parts + index % parts + 1) * Double(sign: .plus, exponent: exponent - 4, significand: 1)
  }
}
