import TelecapText

/// Finds sent values in records of one form: the path of a field is the one that shows it for several samples, times a
/// factor.
struct SampleMatches {
  /// A field at a path, in a unit.
  struct Place: Hashable {
    let field: String
    let path: [String]
    let times: Double
  }

  /// The minimum number of samples that show a field at a path: two may be chance.
  static let fewest = 3

  /// The index of the sample that a record shows, by the index of the record.
  private(set) var shown: [Int: Int]
  /// The paths of each field, the best first; the others are ambiguities.
  private(set) var places: [String: [Place]]

  /// Known matches.
  init(shown: [Int: Int], places: [String: [Place]]) { (self.shown, self.places) = (shown, places) }

  /// - Parameters:
  ///   - samples: the sent values, in order of time.
  ///   - records: of one form, in order of time.
  init(_ samples: [ExpectedEvent], in records: [SeenRecord]) {
    self.init(shown: [:], places: [:])
    let hits = SampleMatches.hits(samples, records)
    let likely = Set(SampleMatches.samples(of: hits).filter { $0.value.count >= SampleMatches.fewest }.keys)
    choose(hits.mapValues { $0.filter { likely.contains($0.place) } })
    rank(hits, likely, records, samples)
    guard !places.isEmpty else {
      shown = [:]
      return
    }
    // Keep only records that show most of the found fields.
    let best = Set(places.values.compactMap(\.first))
    shown = shown.filter { record, sample in
      let found = hits[record]?.count { $0.sample == sample && best.contains($0.place) } ?? 0
      return 2 * found > best.count
    }
  }

  /// The records that show one of the samples at the best known paths.
  init(_ samples: [ExpectedEvent], in records: [SeenRecord], at places: [String: [Place]]) {
    self.init(shown: [:], places: places)
    let index = SampleIndex(samples)
    let best = places.values.compactMap(\.first)
    for (number, record) in records.enumerated() {
      let shown = best.map { place in
        let found = record[place.path].map(index.shown) ?? []
        return Set(
          found.filter {
            $0.field == place.field && $0.times == place.times && samples[$0.sample].span.lowerBound <= record.time
          }.map(\.sample))
      }
      guard let first = shown.first else { continue }
      self.shown[number] = shown.dropFirst().reduce(first) { $0.intersection($1) }.max()
    }
  }

  private typealias Hit = (place: Place, sample: Int)

  /// All paths of all records with the value of a sample that was sent before.
  private static func hits(_ samples: [ExpectedEvent], _ records: [SeenRecord]) -> [Int: [Hit]] {
    let index = SampleIndex(samples)
    var hits: [Int: [Hit]] = [:]
    for (number, record) in records.enumerated() {
      for (path, value) in record.values where !value.isFlag {
        for found in index.shown(by: value) where samples[found.sample].span.lowerBound <= record.time {
          hits[number, default: []].append((Place(field: found.field, path: path, times: found.times), found.sample))
        }
      }
    }
    return hits
  }

  private static func samples(of hits: [Int: [Hit]]) -> [Place: Set<Int>] {
    hits.values.joined().reduce(into: [:]) { $0[$1.place, default: []].insert($1.sample) }
  }

  /// The sample of each record: the one with most fields in it; of equal ones the newer.
  private mutating func choose(_ hits: [Int: [Hit]]) {
    for (record, hits) in hits where !hits.isEmpty {
      let votes = hits.reduce(into: [Int: Set<String>]()) { $0[$1.sample, default: []].insert($1.place.field) }
      shown[record] = votes.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
    }
  }

  /// The paths of each field at which nearly every record with a value shows it.
  private mutating func rank(
    _ hits: [Int: [Hit]], _ likely: Set<Place>, _ records: [SeenRecord], _ samples: [ExpectedEvent]
  ) {
    var agreeing: [Place: Set<Int>] = [:]
    var count: [Place: Int] = [:]
    for (record, sample) in shown {
      for hit in hits[record] ?? [] where hit.sample == sample && likely.contains(hit.place) {
        agreeing[hit.place, default: []].insert(sample)
        count[hit.place, default: 0] += 1
      }
    }
    let order = SampleMatches.order(of: records)
    for (place, found) in agreeing where found.count >= SampleMatches.fewest {
      // Skip the whole seconds of a time in two parts: they stay equal while the sent values change.
      let printed = Set(shown.keys.compactMap { records[$0][place.path]?.meantNumber })
      let sent = Set(found.compactMap { samples[$0].fields[place.field] })
      if !printed.isEmpty, 2 * printed.count < sent.count { continue }
      let standing = shown.keys.count { records[$0][place.path] != nil }
      if 10 * (count[place] ?? 0) >= 8 * standing { places[place.field, default: []].append(place) }
    }
    for field in places.keys {
      places[field]?.sort { one, other in
        let found = (agreeing[one]?.count ?? 0, agreeing[other]?.count ?? 0)
        if found.0 != found.1 { return found.0 > found.1 }
        if (one.times == 1) != (other.times == 1) { return one.times == 1 }
        if one.path.count != other.path.count { return one.path.count < other.path.count }
        return (order[one.path] ?? 0, one.times) < (order[other.path] ?? 0, other.times)
      }
    }
  }

  /// The order of paths in the records.
  private static func order(of records: [SeenRecord]) -> [[String]: Int] {
    var order: [[String]: Int] = [:]
    for record in records {
      for (path, _) in record.values where order[path] == nil { order[path] = order.count }
    }
    return order
  }
}

extension JSONNode {
  /// True or false.
  var isFlag: Bool {
    if case .bool = value { true } else { false }
  }
}
