extension StringProtocol {
  /// The text without spaces at both ends.
  var trimmed: String {
    let start = firstIndex { $0 != " " } ?? endIndex
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[start...last])
  }

  /// The parts between commas, trimmed.
  var commaSeparated: [String] {
    split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
  }
}
