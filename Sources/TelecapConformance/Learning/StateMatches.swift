import TelecapText

extension SampleMatches {
  /// Finds states: values that accumulate, such as a pointer, or stay until changed, such as buttons. The last record
  /// after each sample shows the sum so far or the current value.
  init(states samples: [ExpectedEvent], in records: [SeenRecord]) {
    var places: [String: [Place]] = [:]
    let names = samples.reduce(into: Set<String>()) { $0.formUnion($1.fields.keys) }
    let paths = records.flatMap { $0.values.map(\.path) }.reduce(into: [[String]]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    for name in names.sorted() {
      for path in paths {
        let seen = SampleMatches.states(samples, records, name, path)
        guard seen.count >= SampleMatches.fewest, 10 * seen.count >= 7 * samples.count else { continue }
        for factor in [1.0, -1.0] where SampleMatches.isState(seen, times: factor) {
          places[name, default: []].append(Place(field: name, path: path, times: factor))
          break
        }
      }
    }
    // If one number shows all buttons, single buttons are not needed.
    if places["buttons"] != nil { places = places.filter { $0.key == "buttons" } }
    let found = Set(places.values.compactMap(\.first?.path))
    var shown: [Int: Int] = [:]
    for (place, record) in records.enumerated() where !found.isEmpty && found.allSatisfy({ record[$0] != nil }) {
      shown[place] = samples.lastIndex { $0.span.lowerBound <= record.time } ?? 0
    }
    self.init(shown: shown, places: shown.isEmpty ? [:] : places)
  }

  /// The last value at a path after each sample, with the sent value.
  private static func states(
    _ samples: [ExpectedEvent], _ records: [SeenRecord], _ name: String, _ path: [String]
  ) -> [(shown: Double, sent: KnownValue)] {
    samples.compactMap { sample in
      guard let sent = sample.fields[name],
        let last = records.last(where: { sample.span.contains($0.time) && $0[path]?.meantNumber != nil }),
        let shown = last[path]?.meantNumber
      else { return nil }
      return (shown, sent)
    }
  }

  /// Whether the shown values follow the sent ones, absolute or relative, and change at all.
  private static func isState(_ seen: [(shown: Double, sent: KnownValue)], times factor: Double) -> Bool {
    guard let first = seen.first, let start = first.sent.number, Set(seen.map(\.sent)).count > 1 else { return false }
    var offset = 0.0
    if case .distance = first.sent {
      guard Set(seen.map(\.sent)).count >= fewest else { return false }
      offset = first.shown * factor - start
    } else if factor != 1 {
      return false
    }
    return seen.allSatisfy { $0.shown * factor - offset == $0.sent.number }
  }
}
