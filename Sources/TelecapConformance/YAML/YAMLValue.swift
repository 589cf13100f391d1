/// A value of a YAML file, with its position.
public struct YAMLValue: Sendable {
  /// The content of a value.
  public enum Content: Sendable {
    /// A scalar; in quotes it is always text.
    case scalar(String, isQuoted: Bool)
    /// A list.
    case list([YAMLValue])
    /// A mapping, in the order of the file.
    case mapping([(key: YAMLValue, value: YAMLValue)])
  }

  /// The content.
  public let content: Content
  /// The file.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Reads a file and checks it against `shape`.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public static func read(_ text: String, file: String, as shape: YAMLShape) throws(YAMLFileError) -> YAMLValue {
    guard text.utf8.count <= mostBytes else {
      throw YAMLFileError(
        file: file, line: 1, column: 1, "the file has \(text.utf8.count) bytes; at most \(mostBytes) are read")
    }
    let value = try YAMLComposer.compose(text, file: file, most: most)
    try value.check(.mapping(shape))
    return value
  }

  /// Printed YAML, for which errors are not reported; nil where it is invalid or large.
  static func read(printed text: String) -> YAMLValue? {
    text.utf8.count <= MappingStatistics.longestLine
      ? try? YAMLComposer.compose(text, file: "output", most: mostPrinted, allowsTags: true) : nil
  }

  /// The maximum content of one printed block.
  private static let mostPrinted = YAMLComposer.Room(values: 4_096, bytes: mostText)
  /// The maximum content of a file.
  private static let most = YAMLComposer.Room(values: 200_000, bytes: mostText)
  /// The maximum size of a file: the parser allocates some 70 bytes for each before its values can be counted.
  private static let mostBytes = 4 << 20
  /// The maximum size of all texts. Without aliases a file has less.
  private static let mostText = 4 * mostBytes

  /// A value at a line and column of a file.
  init(_ content: Content, file: String, line: Int, column: Int) {
    (self.content, self.file, self.line, self.column) = (content, file, line, column)
  }

  /// An error at the position of this value.
  public func error(_ problem: String) -> YAMLFileError {
    YAMLFileError(file: file, line: line, column: column, problem)
  }
}
