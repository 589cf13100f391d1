/// The differences of two texts, element by element: numbers and words between spaces, commas, brackets and quotes.
struct TextDifference {
  /// The elements of each text; those that differ are marked.
  let expected: [Element], observed: [Element]

  /// An element of a text, or the separators between two elements.
  struct Element: Hashable {
    /// Its characters.
    var text: String
    /// Whether the other text has another element here, or none.
    var differs = false
  }

  /// Compares two texts. If their numbers of elements differ, the equal elements at both ends are compared, and all
  /// between them differ.
  init(expected: String, observed: String) {
    // How often it was observed is no part of the value.
    let times = observed.firstMatch(of: #/ \(\d[\d,]* times\)$/#).map { String($0.output) } ?? ""
    var left = TextDifference.elements(of: expected)
    var right = TextDifference.elements(of: String(observed.dropLast(times.count)))
    let (leftWords, rightWords) = (TextDifference.words(in: left), TextDifference.words(in: right))
    var (first, last) = (0, 0)
    let shortest = min(leftWords.count, rightWords.count)
    if leftWords.count == rightWords.count {
      for (one, other) in zip(leftWords, rightWords) where left[one].text != right[other].text {
        (left[one].differs, right[other].differs) = (true, true)
      }
    } else {
      while first < shortest, left[leftWords[first]].text == right[rightWords[first]].text { first += 1 }
      while last < shortest - first,
        left[leftWords[leftWords.count - 1 - last]].text == right[rightWords[rightWords.count - 1 - last]].text
      { last += 1 }
      for word in leftWords.dropFirst(first).dropLast(last) { left[word].differs = true }
      for word in rightWords.dropFirst(first).dropLast(last) { right[word].differs = true }
    }
    if !times.isEmpty { right.append(Element(text: times)) }
    (self.expected, self.observed) = (left, right)
  }

  /// Whether some elements are equal and others differ: only then do marks help a reader.
  var isPartial: Bool {
    let words = expected.filter { !TextDifference.isSeparator($0.text.first) }
    return words.contains { $0.differs } && words.contains { !$0.differs }
  }

  /// The first element of each text that differs; nil where one text has none.
  var first: (expected: String, observed: String)? {
    guard let one = expected.first(where: \.differs), let other = observed.first(where: \.differs) else { return nil }
    return (one.text, other.text)
  }

  /// A line of carets below the elements that differ.
  static func carets(below elements: [Element]) -> String {
    var line = elements.map { String(repeating: $0.differs ? "^" : " ", count: $0.text.count) }.joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func words(in elements: [Element]) -> [Int] {
    elements.indices.filter { !isSeparator(elements[$0].text.first) }
  }

  private static func isSeparator(_ character: Character?) -> Bool {
    character.map { " ,;:[](){}\"'".contains($0) } ?? true
  }

  /// The elements of a text, with the separators between them.
  private static func elements(of text: String) -> [Element] {
    var elements: [Element] = []
    for character in text {
      if let last = elements.last?.text.first, isSeparator(last) == isSeparator(character) {
        elements[elements.count - 1].text.append(character)
      } else {
        elements.append(Element(text: String(character)))
      }
    }
    return elements
  }
}
