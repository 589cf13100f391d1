extension [String] {
  /// These words of a command line with an option more: in front of `--`, behind which no word is an option.
  public func adding(option words: String...) -> [String] {
    let end = firstIndex(of: "--") ?? endIndex
    return self[..<end] + words + self[end...]
  }
}
