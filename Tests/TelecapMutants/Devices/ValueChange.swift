/// The numbers that a place may have: a change that makes no difference to any of them is left out there.
enum ValueFit: Sendable {
  /// 0…1.
  case share
  /// −1…1.
  case signedShare
  /// 0 or more.
  case size
  /// 1, 2, 3 …
  case count
  /// It distinguishes one thing from another, and means nothing else.
  case name
  case any

  var isSigned: Bool { self == .any || self == .signedShare }
  var isWithin1: Bool { self == .share || self == .signedShare }
}

/// A way of taking a number of a device's for another, whichever it is.
struct ValueChange: Sendable {
  /// Its name in those of mutants.
  let name: String
  let kind: Operator
  /// The ranges of numbers that it changes.
  private let isFor: @Sendable (ValueFit) -> Bool
  /// The number, changed; `step` is the least change that matters, and the numbers that came before may be kept.
  let of: @Sendable (_ value: Double, _ step: Double, _ before: inout [Double]) -> Double

  init(
    _ name: String, _ kind: Operator, for isFor: @escaping @Sendable (ValueFit) -> Bool = { _ in true },
    _ of: @escaping @Sendable (Double, Double, inout [Double]) -> Double
  ) { (self.name, self.kind, self.isFor, self.of) = (name, kind, isFor, of) }

  /// Whether it makes a difference to such numbers.
  func fits(_ fit: ValueFit) -> Bool {
    isFor(fit) && (fit != .name || [.ignored, .late, .reset].contains(kind))
  }

  /// All of them.
  static let all: [ValueChange] = [
    ValueChange("ignored", .ignored) { _, _, _ in 0 }, ValueChange("doubled", .scaled) { value, _, _ in value * 2 },
    ValueChange("halved", .scaled) { value, _, _ in value / 2 },
    ValueChange("negated", .scaled) { value, _, _ in -value },
    ValueChange("sign-lost", .scaled, for: \.isSigned) { value, _, _ in value.magnitude },
    ValueChange("plus-step", .step) { value, step, _ in value + step },
    ValueChange("minus-step", .step) { value, step, _ in value - step },
    ValueChange("whole", .cut, for: { $0 != .count }) { value, _, _ in value.rounded(.towardZero) },
    ValueChange("held-to-1", .bound, for: { !$0.isWithin1 }) { value, _, _ in max(-1, min(1, value)) },
    ValueChange("above-0-only", .bound, for: \.isSigned) { value, _, _ in max(0, value) },
    ValueChange("below-0-only", .bound) { value, _, _ in min(0, value) },
    ValueChange("previous", .late) { value, _, before in
      defer { before = [value] }
      return before.first ?? value
    },
    ValueChange("first-kept", .ignored) { value, _, before in
      before = [before.first ?? value]
      return before[0]
    },
    ValueChange("largest-kept", .reset) { value, _, before in
      before = [max(before.first ?? value, value)]
      return before[0]
    },
    ValueChange("smallest-kept", .reset) { value, _, before in
      before = [min(before.first ?? value, value)]
      return before[0]
    },
  ]
}

/// A way of taking a word of a device's for another.
struct WordChange: Sendable {
  /// Its name in those of mutants.
  let name: String
  let kind: Operator
  let of: @Sendable (_ word: String, _ before: inout [String]) -> String

  init(_ name: String, _ kind: Operator, _ of: @escaping @Sendable (String, inout [String]) -> String) {
    (self.name, self.kind, self.of) = (name, kind, of)
  }

  /// All of one of these words.
  static func all(of words: [String]) -> [WordChange] { codes(of: words) + before }

  /// One of these words for another of them.
  static func codes(of words: [String]) -> [WordChange] {
    words.flatMap { from in
      words.filter { $0 != from }.map { to in
        WordChange("\(from)-is-\(to)", .code) { word, _ in word == from ? to : word }
      }
    }
  }

  /// Of a name, which is one of these: the next of them, or one that came before.
  static func mixups(of words: [String]) -> [WordChange] {
    [
      WordChange("another", .code) { word, _ in
        words.firstIndex(of: word).map { words[($0 + 1) % words.count] } ?? word
      }
    ] + before
  }

  private static let before: [WordChange] = [
    WordChange("previous", .late) { word, before in
      defer { before = [word] }
      return before.first ?? word
    },
    WordChange("first-kept", .ignored) { word, before in
      before = [before.first ?? word]
      return before[0]
    },
  ]
}
