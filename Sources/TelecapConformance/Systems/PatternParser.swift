/// A regular expression as a tree.
indirect enum PatternTree {
  case empty
  case set(ScalarSet)
  case begin
  case end
  case sequence([PatternTree])
  case alternatives([PatternTree])
  /// A named group, by its index.
  case group(Int, PatternTree)
  /// The minimum and maximum number of repetitions; unlimited where the maximum is nil.
  case repeated(PatternTree, Int, Int?, isLazy: Bool)
}

/// The characters that match at one position.
struct ScalarSet: Sendable {
  private var ranges: [ClosedRange<UInt32>] = []
  private var classes: [(Class, isNegated: Bool)] = []
  var isNegated = false
  var ignoresCase = false

  enum Class { case digit, word, space }

  mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }
  mutating func insert(_ kind: Class, isNegated: Bool) { classes.append((kind, isNegated)) }

  func contains(_ scalar: Unicode.Scalar) -> Bool { holds(scalar) != isNegated }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    if holdsAsIs(scalar) { return true }
    guard ignoresCase else { return false }
    let (low, high) = (scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping)
    return (low + high).unicodeScalars.contains { holdsAsIs($0) }
  }

  private func holdsAsIs(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) }
      || classes.contains { ScalarSet.belongs(scalar, to: $0.0) != $0.isNegated }
  }

  private static func belongs(_ scalar: Unicode.Scalar, to kind: Class) -> Bool {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      let isDigit = (48...57).contains(byte)
      switch kind {
      case .digit: return isDigit
      case .word: return isDigit || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
      case .space: return byte == 32 || (9...13).contains(byte)
      }
    }
    switch kind {
    case .digit: return scalar.properties.generalCategory == .decimalNumber
    case .word:
      let category = scalar.properties.generalCategory
      return scalar.properties.isAlphabetic
        || [.decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation].contains(category)
    case .space: return scalar.properties.isWhitespace
    }
  }
}

/// Parses expressions that need no backtracking: characters, classes, groups, alternatives, repetitions, `^` and `$`.
struct PatternParser {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var names: [String] = []
  private var ignoresCase = false
  private var depth = 0

  private static let deepest = 50
  private static let mostRepeats = 1_000

  /// The tree of an expression and the names of its groups; nil for an expression that is invalid or needs
  /// backtracking.
  static func parse(_ text: String) -> (tree: PatternTree, names: [String])? {
    var parser = PatternParser(text: Array(text.unicodeScalars))
    guard let tree = parser.alternatives(), parser.place == parser.text.count,
      Set(parser.names).count == parser.names.count
    else { return nil }
    return (tree, parser.names)
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func take(_ words: String) -> Bool {
    let wanted = Array(words.unicodeScalars)
    guard text[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private mutating func alternatives() -> PatternTree? {
    depth += 1
    defer { depth -= 1 }
    guard depth < PatternParser.deepest else { return nil }
    var parts: [PatternTree] = []
    repeat {
      var sequence: [PatternTree] = []
      while let next, next != "|", next != ")" {
        guard let one = repeated() else { return nil }
        sequence.append(one)
      }
      parts.append(sequence.isEmpty ? .empty : .sequence(sequence))
    } while take("|")
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func repeated() -> PatternTree? {
    guard var tree = atom() else { return nil }
    while let (least, most) = quantifier() {
      if least > PatternParser.mostRepeats || most ?? 0 > PatternParser.mostRepeats || most ?? least < least {
        return nil
      }
      let isLazy = take("?")
      // Possessive repetitions need backtracking.
      if next == "+" { return nil }
      tree = .repeated(tree, least, most, isLazy: isLazy)
    }
    return next == "*" || next == "+" || next == "?" || next == "{" ? nil : tree
  }

  /// Nil where there is no quantifier.
  private mutating func quantifier() -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    let least = number()
    var most = least
    if take(",") { most = number() }
    guard let whole = least ?? (most == nil ? nil : 0), take("}") else {
      place = start
      return nil
    }
    return (whole, most)
  }

  private mutating func number() -> Int? {
    let digits = text[place...].prefix { ("0"..."9").contains($0) }
    place += digits.count
    return Int(String(String.UnicodeScalarView(digits)))
  }

  private mutating func atom() -> PatternTree? {
    guard let next else { return nil }
    switch next {
    case "(": return group()
    case "[": return take("[") ? characters() : nil
    case "^": return take("^") ? .begin : nil
    case "$": return take("$") ? .end : nil
    case ".":
      place += 1
      var set = ScalarSet()
      set.isNegated = true
      for line in [0x0a...0x0d, 0x85...0x85, 0x2028...0x2029] as [ClosedRange<UInt32>] { set.insert(line) }
      return .set(set)
    case "\\":
      place += 1
      var set = ScalarSet()
      set.ignoresCase = ignoresCase
      return escape(into: &set) == nil ? nil : .set(set)
    case "*", "+", "?", "{": return nil
    default:
      place += 1
      var set = ScalarSet()
      set.ignoresCase = ignoresCase
      set.insert(next.value...next.value)
      return .set(set)
    }
  }

  private mutating func group() -> PatternTree? {
    let before = ignoresCase
    defer { ignoresCase = before }
    var number: Int?
    if take("(?:") {
    } else if take("(?i:") {
      ignoresCase = true
    } else if take("(?<") || take("(?P<") {
      let name = text[place...].prefix { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
      place += name.count
      guard !name.isEmpty, take(">") else { return nil }
      number = names.count
      names.append(String(String.UnicodeScalarView(name)))
    } else if text[place...].starts(with: "(?".unicodeScalars) || text[place...].starts(with: "(*".unicodeScalars) {
      return nil
    } else if !take("(") {
      return nil
    }
    guard let inner = alternatives(), take(")") else { return nil }
    return number.map { .group($0, inner) } ?? inner
  }

  /// Parses a class in brackets, after the opening one.
  private mutating func characters() -> PatternTree? {
    var set = ScalarSet()
    set.ignoresCase = ignoresCase
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      place += 1
      // Nested and named classes are not supported.
      if scalar == "[" || scalar == "]" || (scalar == next && "&-~".unicodeScalars.contains(scalar)) { return nil }
      var low: UInt32? = scalar.value
      if scalar == "\\" {
        guard let escaped = escape(into: &set) else { return nil }
        low = escaped.value
      }
      guard let low, next == "-", place + 1 < text.count, text[place + 1] != "]" else {
        if scalar != "\\", let low { set.insert(low...low) }
        continue
      }
      place += 1
      guard var high = next else { return nil }
      place += 1
      if high == "[" { return nil }
      if high == "\\" {
        var other = ScalarSet()
        guard let escaped = escape(into: &other)?.value, let scalar = Unicode.Scalar(escaped) else { return nil }
        high = scalar
      }
      guard low <= high.value else { return nil }
      set.insert(low...high.value)
    }
    return take("]") ? .set(set) : nil
  }

  /// Parses the escape after a backslash into a set; `value` is nil for a class. Nil for an escape that is not
  /// supported.
  private mutating func escape(into set: inout ScalarSet) -> (value: UInt32?, Void)? {
    guard let scalar = next else { return nil }
    place += 1
    switch scalar {
    case "d", "D": set.insert(.digit, isNegated: scalar == "D")
    case "w", "W": set.insert(.word, isNegated: scalar == "W")
    case "s", "S": set.insert(.space, isNegated: scalar == "S")
    case "t": return literal(9, &set)
    case "n": return literal(10, &set)
    case "r": return literal(13, &set)
    default:
      // Escaped letters and digits have special meanings.
      if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return nil }
      return literal(scalar.value, &set)
    }
    return (nil, ())
  }

  private func literal(_ value: UInt32, _ set: inout ScalarSet) -> (value: UInt32?, Void)? {
    set.insert(value...value)
    return (value, ())
  }
}
