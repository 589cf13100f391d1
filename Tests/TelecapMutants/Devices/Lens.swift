import TelecapConformance
import TelecapHaptics
import TelecapSuites

/// A part of a whole: how it is read, and how the whole is with another in its place.
struct Lens<Whole, Part>: Sendable {
  /// Nil where the whole has none.
  let get: @Sendable (Whole) -> Part?
  let set: @Sendable (Whole, Part) -> Whole

  /// A part of the part.
  func then<Piece>(_ get: @escaping @Sendable (Part) -> Piece?, _ set: @escaping @Sendable (inout Part, Piece) -> Void)
    -> Lens<Whole, Piece>
  {
    Lens<Whole, Piece> {
      self.get($0).flatMap(get)
    } set: { whole, piece in
      guard var part = self.get(whole) else { return whole }
      set(&part, piece)
      return self.set(whole, part)
    }
  }
}

/// A number in a whole that mutants change.
struct NumberPlace<Whole>: Sendable {
  let name: String
  /// The step to the next value.
  var step = 0.01
  var fit = ValueFit.any
  let lens: Lens<Whole, Double>
}

/// Numbers of one kind in a whole, which a mutant changes all in the same way.
struct NumberPlaces<Whole>: Sendable {
  let name: String
  /// The step to the next value.
  var step = 0.01
  var fit = ValueFit.any
  /// The whole with another in place of each.
  let each: @Sendable (Whole, (Double) -> Double) -> Whole
}

extension NumberPlaces {
  /// The one number of a place.
  init(_ place: NumberPlace<Whole>) {
    self.init(name: place.name, step: place.step, fit: place.fit) { whole, change in
      place.lens.get(whole).map { place.lens.set(whole, change($0)) } ?? whole
    }
  }
}

/// Words of one kind in a whole, which a mutant changes all in the same way.
struct WordPlaces<Whole>: Sendable {
  let name: String
  /// The ways in which it does.
  let changes: [WordChange]
  /// The whole with another in place of each.
  let each: @Sendable (Whole, (String) -> String) -> Whole
}

extension WordPlaces {
  /// The one word of a place.
  init(_ place: WordPlace<Whole>) {
    self.init(name: place.name, changes: WordChange.all(of: place.words)) { whole, change in
      place.lens.get(whole).map { place.lens.set(whole, change($0)) } ?? whole
    }
  }
}

/// A word in a whole that mutants change, of these.
struct WordPlace<Whole>: Sendable {
  let name: String
  let words: [String]
  let lens: Lens<Whole, String>

  /// One of the cases of `Word`.
  init<Word: RawRepresentable & CaseIterable & Sendable>(_ name: String, _ lens: Lens<Whole, Word>)
  where Word.RawValue == String {
    self.name = name
    words = Word.allCases.map(\.rawValue)
    self.lens = lens.then({ $0.rawValue }) { if let word = Word(rawValue: $1) { $0 = word } }
  }

  /// One of these words.
  init(_ name: String, of words: [String], _ lens: Lens<Whole, String>) {
    (self.name, self.words, self.lens) = (name, words, lens)
  }

  /// Yes or no.
  init(_ name: String, flag lens: Lens<Whole, Bool>) {
    self.name = name
    words = ["true", "false"]
    self.lens = lens.then({ $0 ? "true" : "false" }) { $0 = $1 == "true" }
  }
}

extension Lens where Part == Vector3 {
  /// Its three numbers.
  func numbers(_ name: String) -> [NumberPlace<Whole>] {
    [
      NumberPlace(name: "\(name).x", lens: then({ $0.x }) { $0.x = $1 }),
      NumberPlace(name: "\(name).y", lens: then({ $0.y }) { $0.y = $1 }),
      NumberPlace(name: "\(name).z", lens: then({ $0.z }) { $0.z = $1 }),
    ]
  }
}

extension Lens where Part == Rotation {
  /// The four numbers of its quaternion.
  func numbers(_ name: String) -> [NumberPlace<Whole>] {
    [
      NumberPlace(
        name: "\(name).w", fit: .signedShare,
        lens: then({ $0.w }) { $0 = Rotation(w: $1, x: $0.vector.x, y: $0.vector.y, z: $0.vector.z) }),
      NumberPlace(
        name: "\(name).x", fit: .signedShare,
        lens: then({ $0.vector.x }) { $0 = Rotation(w: $0.w, x: $1, y: $0.vector.y, z: $0.vector.z) }),
      NumberPlace(
        name: "\(name).y", fit: .signedShare,
        lens: then({ $0.vector.y }) { $0 = Rotation(w: $0.w, x: $0.vector.x, y: $1, z: $0.vector.z) }),
      NumberPlace(
        name: "\(name).z", fit: .signedShare,
        lens: then({ $0.vector.z }) { $0 = Rotation(w: $0.w, x: $0.vector.x, y: $0.vector.y, z: $1) }),
    ]
  }
}
