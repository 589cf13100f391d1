extension [String] {
  /// The words as a list in a sentence: `a, b and c`, or with `or` `a, b or c`.
  public func list(or: Bool) -> String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + (or ? " or " : " and ") + self[count - 1]
  }
}
