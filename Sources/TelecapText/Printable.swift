extension String {
  /// The text with invisible characters (control, format, line separators, private and unassigned ones) escaped as
  /// their numbers, `\\u{1b}`. Untrusted text may contain escape sequences for terminals.
  public var printable: String {
    if utf8.allSatisfy({ (32..<127).contains($0) }) { return self }
    return unicodeScalars.reduce(into: "") { $0.append($1, isPlain: $1.isVisible) }
  }

  /// The same for several lines, whose line breaks stay.
  public var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }

  /// Output for a terminal: control characters, and those that change the direction of text, are escaped, except for
  /// line feeds and colours. It is for whole output; use `printable` for untrusted parts.
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
  /// The colour sequence at the start (ECMA-48, SGR); empty if there is none.
  fileprivate var colour: Substring.UnicodeScalarView {
    let parameters = dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard dropFirst().first == "[", parameters.endIndex < endIndex, self[parameters.endIndex] == "m" else {
      return prefix(0)
    }
    return self[...parameters.endIndex]
  }
}

extension Unicode.Scalar {
  /// The number in Unicode's notation: `202E`.
  public var number: String { Escaping.hexadecimal(self, digits: 4).uppercased() }

  /// Whether it is visible: not a control, format, or separator of lines, and assigned in Unicode.
  var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Whether a terminal interprets it, or it changes the direction of the text around it (Unicode, Bidi_Control).
  /// `JSONWriter` escapes it.
  var isObeyed: Bool {
    switch value {
    case ..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
