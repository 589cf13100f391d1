import TelecapText

/// The records of one shape that were printed just after something happened, and those that were printed at other times.
struct EventCandidates {
  /// A record, and which of the things that happened it followed.
  struct Seen {
    let record: SeenRecord
    let occasion: Int
  }

  /// What followed.
  private(set) var inside: [Seen]
  /// What came at other times.
  let outside: [SeenRecord]

  /// How many of the things that happened it followed.
  var count: Int { Set(inside.map(\.occasion)).count }

  /// All shapes of records of which some followed one of `occasions`.
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

  /// Those that a word tells from all that came at other times, with the place of the word; nil where none does. Where
  /// nothing else has their shape, no word is needed.
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

  /// Without those of other times that `isLeftOut`.
  func without(_ isLeftOut: (SeenRecord) -> Bool) -> EventCandidates {
    EventCandidates(inside: inside, outside: outside.filter { !isLeftOut($0) })
  }

  /// Where a flag stands that is true in all of them and false in others, of which there is one; nil where there is none.
  func flag(falseIn others: [SeenRecord]) -> [String]? {
    guard !others.isEmpty else { return nil }
    return paths.first { path in
      inside.allSatisfy { $0.record[path]?.value == .bool(true) }
        && others.allSatisfy { $0[path]?.value == .bool(false) }
    }
  }

  /// The paths of their values, in order.
  var paths: [[String]] { inside.first?.record.values.map(\.path) ?? [] }

  /// The values at a path, each with what it followed.
  func values(at path: [String]) -> [(value: JSONNode, occasion: Int)] {
    inside.compactMap { seen in seen.record[path].map { ($0, seen.occasion) } }
  }

  /// Where a field stands that is `known` of each occasion, as it is: nil where it is not there in every one.
  func source(of known: (Int) -> KnownValue?) -> FieldSource? {
    paths.first { path in
      let values = values(at: path)
      return values.count == inside.count && values.allSatisfy { EventCandidates.is($0.value, known($0.occasion)) }
    }.map { FieldSource(path: $0) }
  }

  /// Where words or codes stand that mean what is `known` of each occasion: each word always means the same, and none came once
  /// only, as a count would. A path that is always the same says nothing.
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

  /// Numbers and times of which several mean the same, or that are long, are a clock's or a counter's, and no words for anything.
  private static func isCounter(_ words: [String: JSONNode]) -> Bool {
    func isLong(_ word: String) -> Bool { word.contains { ".:".contains($0) } || word.count(where: \.isNumber) > 4 }
    return words.keys.allSatisfy { $0.contains(where: \.isNumber) }
      && (words.count > Set(words.values).count || words.keys.contains(where: isLong))
  }

  /// What is the same after all that it followed; nil where it differs.
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
  /// As it stands in a system file.
  var node: JSONNode {
    switch self {
    case .text(let text): .string(text)
    case .flag(let flag): JSONNode(.bool(flag))
    default: .number(number ?? 0)
    }
  }
}
