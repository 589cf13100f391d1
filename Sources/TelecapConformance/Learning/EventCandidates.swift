import TelecapText

/// The records of one shape that were printed just after an event, and those that were printed at other times.
struct EventCandidates {
  /// A record, and the index of the event that it followed.
  struct Seen {
    let record: SeenRecord
    let occasion: Int
  }

  /// The records that followed an event.
  private(set) var inside: [Seen]
  /// The records of other times.
  let outside: [SeenRecord]

  /// The number of events with such a record.
  var count: Int { Set(inside.map(\.occasion)).count }

  /// The shapes of records of which at least one followed one of `occasions`.
  static func all(_ occasions: [ExpectedEvent], in records: [SeenRecord]) -> [EventCandidates] {
    let shapes = Dictionary(grouping: records) { Shape(source: $0.source, shape: $0.shape) }
    return shapes.sorted { $0.key < $1.key }.compactMap { _, records in
      var (inside, outside): ([Seen], [SeenRecord]) = ([], [])
      for record in records {
        if let index = occasions.firstIndex(where: { $0.span.contains(record.time) }) {
          inside.append(Seen(record: record, occasion: index))
        } else {
          outside.append(record)
        }
      }
      return inside.isEmpty ? nil : EventCandidates(inside: inside, outside: outside)
    }
  }

  private struct Shape: Hashable, Comparable {
    let source: SystemFile.Source
    let shape: String

    static func < (one: Shape, other: Shape) -> Bool {
      (one.source.rank, one.shape) < (other.source.rank, other.shape)
    }
  }

  /// Those that a word discriminates from all records of other times, with the path of the word; nil where none does.
  /// If no other record has their shape, no word is needed.
  var discriminated: (happenings: EventCandidates, path: [String]?)? {
    guard !outside.isEmpty else { return (self, nil) }
    var best: (happenings: EventCandidates, path: [String]?)?
    for path in paths {
      let others = Set(outside.compactMap { $0[path]?.meantText })
      var kept = self
      kept.inside = inside.filter { seen in
        seen.record[path].map { ($0.isName || $0.isFlag) && !others.contains($0.meantText ?? "") } ?? false
      }
      if kept.count > best?.happenings.count ?? 0 { best = (kept, path) }
    }
    return best
  }

  /// The candidates without those records of other times that `isLeftOut`.
  func without(_ isLeftOut: (SeenRecord) -> Bool) -> EventCandidates {
    EventCandidates(inside: inside, outside: outside.filter { !isLeftOut($0) })
  }

  /// The path of a flag that is true in all of them and false in the others; nil without others or such a flag.
  func flag(falseIn others: [SeenRecord]) -> [String]? {
    guard !others.isEmpty else { return nil }
    return paths.first { path in
      inside.allSatisfy { $0.record[path]?.value == .bool(true) }
        && others.allSatisfy { $0[path]?.value == .bool(false) }
    }
  }

  /// The paths of their values, in order.
  var paths: [[String]] { inside.first?.record.values.map(\.path) ?? [] }

  /// The values at a path, each with the index of its event.
  func values(at path: [String]) -> [(value: JSONNode, occasion: Int)] {
    inside.compactMap { seen in seen.record[path].map { ($0, seen.occasion) } }
  }

  /// The path at which each record has the `known` value of its event; nil where one lacks it.
  func source(of known: (Int) -> KnownValue?) -> FieldSource? {
    paths.first { path in
      let values = values(at: path)
      return values.count == inside.count && values.allSatisfy { EventCandidates.is($0.value, known($0.occasion)) }
    }.map { FieldSource(path: $0) }
  }

  /// The path of words or codes that stand for the `known` value of each event. Each word has one meaning, and none
  /// occurs only once, as a counter value would. A constant is ignored.
  func words(meaning known: (Int) -> KnownValue?, eachAtLeast fewest: Int) -> FieldSource? {
    for path in paths {
      let values = values(at: path)
      guard values.count == inside.count else { continue }
      let meanings = Dictionary(grouping: values) { $0.value.meantText ?? "" }.mapValues {
        $0.map { known($0.occasion) }
      }
      guard meanings.count > 1, meanings.count <= 8, meanings.values.allSatisfy({ Set($0).count == 1 }),
        meanings.values.allSatisfy({ $0.count >= fewest }), Set(meanings.values.compactMap(\.first)).count > 1
      else { continue }
      let words = meanings.compactMapValues { $0.first??.node }
      if words.count == meanings.count, !EventCandidates.isCounter(words) {
        return FieldSource(path: path, words: words)
      }
    }
    return nil
  }

  /// Whether the words are a clock or a counter: long numbers and times, or several with one meaning.
  private static func isCounter(_ words: [String: JSONNode]) -> Bool {
    func isLong(_ word: String) -> Bool { word.contains { ".:".contains($0) } || word.count(where: \.isNumber) > 4 }
    return words.keys.allSatisfy { $0.contains(where: \.isNumber) }
      && (words.count > Set(words.values).count || words.keys.contains(where: isLong))
  }

  /// The known value, if it is the same for all events; nil where it differs.
  func constant(_ known: (Int) -> KnownValue?) -> KnownValue? {
    let all = Set(inside.map { known($0.occasion) })
    return all.count == 1 ? all.first ?? nil : nil
  }

  private static func `is`(_ value: JSONNode, _ known: KnownValue?) -> Bool {
    switch known {
    case .text(let text)?: value.meantText == text
    case let known?: value.meantNumber == known.number
    case nil: false
    }
  }
}

extension KnownValue {
  /// The value in a system file.
  var node: JSONNode {
    switch self {
    case .text(let text): .string(text)
    case .flag(let flag): JSONNode(.bool(flag))
    default: .number(number ?? 0)
    }
  }
}
