import TelecapText

/// The sent numbers in every unit, sorted, to find a printed one fast.
struct SampleIndex {
  /// A field of a sample in a unit.
  struct Entry {
    /// The number in the output.
    let printed: Double
    let sample: Int
    let field: String
    let times: Double
    let known: KnownValue
  }

  /// Sorted by the number in the output.
  private let entries: [Entry]

  init(_ samples: [ExpectedEvent]) {
    var entries: [Entry] = []
    for (place, sample) in samples.enumerated() {
      for (field, known) in sample.fields {
        guard let sent = known.number, sent.isFinite else { continue }
        for factor in Scale.factors(for: known) {
          entries.append(Entry(printed: sent / factor, sample: place, field: field, times: factor, known: known))
        }
      }
    }
    self.entries = entries.sorted { $0.printed < $1.printed }
  }

  /// The fields that a printed number may be.
  func shown(by value: JSONNode) -> [Entry] {
    guard let number = value.meantNumber, number.isFinite else { return [] }
    let reach = Scale.reach(of: value, number)
    var place = first(from: number - reach)
    var found: [Entry] = []
    while place < entries.count, entries[place].printed <= number + reach {
      let entry = entries[place]
      if Scale.isShown(value, times: entry.times, as: entry.known) { found.append(entry) }
      place += 1
    }
    return found
  }

  /// The index of the first entry that is not less than a number.
  private func first(from number: Double) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = entries[middle].printed < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
