extension String {
  /// The text as it may stand on a terminal: what is no visible character (control, format, line separators, private and
  /// unassigned ones) is shown by its number, `\\u{1b}`. Text off the wire may hold escape sequences.
  public var printable: String {
    if utf8.allSatisfy({ (32..<127).contains($0) }) { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isVisible {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
