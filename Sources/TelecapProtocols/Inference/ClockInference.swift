import TelecapWire

/// Looks for clocks: numbers that grow as the time of the capture does.
struct ClockInference {
  /// The payloads of the sender that sent the most.
  private let samples: [TrafficSample]

  /// The fewest payloads that show a clock.
  private static let fewest = 5
  /// The fewest payloads whose quarters are compared.
  private static let fewestEven = 32

  init(_ samples: [TrafficSample]) {
    let senders = Dictionary(grouping: samples, by: \.sender).values
    self.samples = senders.max { ($0.count, $1[0].sender) < ($1.count, $0[0].sender) } ?? []
  }

  /// The clock at an offset; nil where the bytes show none.
  func clock(at offset: Int, _ size: Int, _ order: ByteOrder) -> InferredField? {
    guard samples.count >= ClockInference.fewest, let first = samples.first?.bytes, let last = samples.last?.bytes,
      first[offset..<offset + size] != last[offset..<offset + size]
    else { return nil }
    let numbers = samples.numbers(at: offset, size, order)
    guard let whole = rate(numbers, size, 0..<numbers.count), isEven(numbers, size, whole) else { return nil }
    let units = [("ns", 1.0), ("µs", 1e-3), ("ms", 1e-6)]
    if let unit = units.first(where: { (whole / $0.1 - 1).magnitude < 0.05 }) {
      return .number("time", at: offset, size, order, keys: ["unit: \(unit.0)"], "grows by the time of the capture")
    }
    return size == 4 && offset.isMultiple(of: 4) ? ticks(numbers, at: offset, order, whole) : nil
  }

  /// Whether a number grows as fast in each quarter of the payloads, if there are enough. A number that changes rarely is no clock.
  private func isEven(_ numbers: [UInt64], _ size: Int, _ whole: Double) -> Bool {
    guard numbers.count >= ClockInference.fewestEven else { return true }
    let quarter = numbers.count / 4
    return Set(numbers).count * 8 >= numbers.count
      && (0..<4).allSatisfy { index in
        rate(numbers, size, index * quarter..<(index + 1) * quarter).map { ($0 / whole - 1).magnitude < 0.2 } ?? false
      }
  }

  /// A clock with a unit of its own: its lowest byte changes as often as any.
  private func ticks(_ numbers: [UInt64], at offset: Int, _ order: ByteOrder, _ whole: Double) -> InferredField? {
    guard numbers.count >= ClockInference.fewestEven, (1e-6...0.1).contains(whole) else { return nil }
    let changes = zip(numbers, numbers.dropFirst()).filter { $0 != $1 }
    let isWhole = changes.count { ($0 ^ $1) & 0xff != 0 } * 2 >= changes.count
    guard isWhole else { return nil }
    return .number(
      "time", at: offset, 4, order, "grows evenly, by about \(Int(whole * 1e9 + 0.5)) in a second")
  }

  /// The growth in a nanosecond; nil where the number goes back in more than a twentieth of the steps. A number of four
  /// bytes may wrap.
  private func rate(_ numbers: [UInt64], _ size: Int, _ range: Range<Int>) -> Double? {
    guard range.count >= 2 else { return nil }
    // As doubles: the clock of a capture may have been set by any amount.
    let time = Double(samples[range.upperBound - 1].time) - Double(samples[range.lowerBound].time)
    var (growth, backwards) = (0.0, 0)
    for index in range.dropFirst() {
      let difference = Int64(bitPattern: numbers[index] &- numbers[index - 1])
      let step = Double(size == 4 ? Int64(Int32(truncatingIfNeeded: difference)) : difference)
      growth += step
      if step < 0 { backwards += 1 }
    }
    guard time > 0, growth > 0, backwards * 20 <= range.count else { return nil }
    return growth / time
  }
}
