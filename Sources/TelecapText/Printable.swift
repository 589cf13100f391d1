extension String {
  /// The text as it may stand on a terminal: what is no visible character (control, format, line separators, private and
  /// unassigned ones) is shown by its number, `\\u{1b}`. Text off the wire may hold escape sequences.
  public var printable: String {
    if utf8.allSatisfy({ (32..<127).contains($0) }) { return self }
    return unicodeScalars.reduce(into: "") { $0.append($1, isPlain: $1.isVisible) }
  }

  /// The same of several lines, which stay lines.
  public var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }

  /// Lines as they may stand on a terminal, with the colours that they were given: what else a terminal obeys, and what turns the
  /// direction of text, is shown by its number. Unlike `printable` it takes whole output; use that for each part that is not ours.
  public var harmless: String {
    if utf8.allSatisfy({ (32..<127).contains($0) || $0 == 10 }) { return self }
    var text = ""
    var rest = unicodeScalars[...]
    while let scalar = rest.first {
      let colour = scalar == "\u{1b}" ? rest.colour : rest.prefix(0)
      if colour.isEmpty {
        text.append(scalar, isPlain: scalar == "\n" || scalar == "\t" || !scalar.isObeyed)
        rest.removeFirst()
      } else {
        text.unicodeScalars.append(contentsOf: colour)
        rest = rest[colour.endIndex...]
      }
    }
    return text
  }

  private mutating func append(_ scalar: Unicode.Scalar, isPlain: Bool) {
    if isPlain { unicodeScalars.append(scalar) } else { self += "\\u{\(Escaping.hexadecimal(scalar))}" }
  }
}

extension Substring.UnicodeScalarView {
  /// The sequence that sets a colour with which it begins (ECMA-48, SGR); empty where it begins otherwise.
  fileprivate var colour: Substring.UnicodeScalarView {
    let parameters = dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard dropFirst().first == "[", parameters.endIndex < endIndex, self[parameters.endIndex] == "m" else {
      return prefix(0)
    }
    return self[...parameters.endIndex]
  }
}

extension Unicode.Scalar {
  /// Its number as Unicode writes it: `202E`.
  public var number: String { Escaping.hexadecimal(self, digits: 4).uppercased() }

  /// It is seen: no control, no format, no separator of lines, and known to Unicode.
  var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// A terminal does something for it, or it turns the direction of the text around it (Unicode, Bidi_Control). JSON is written
  /// without (`JSONWriter`).
  var isObeyed: Bool {
    switch value {
    case ..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
