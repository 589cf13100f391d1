/// A value of a YAML file, with its place in it.
public struct YAMLValue: Sendable {
  /// What it is.
  public enum Content: Sendable {
    /// A scalar; quotes make it text whatever it looks like.
    case scalar(String, isQuoted: Bool)
    /// A list.
    case list([YAMLValue])
    /// A mapping, in the order of the file.
    case mapping([(key: YAMLValue, value: YAMLValue)])
  }

  /// What it is.
  public let content: Content
  /// The file.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Reads a file and holds it to `shape`.
  /// - Throws: `YAMLFileError` at the place of the first thing that is wrong.
  public static func read(_ text: String, file: String, as shape: YAMLShape) throws(YAMLFileError) -> YAMLValue {
    guard text.utf8.count <= mostBytes else {
      throw YAMLFileError(
        file: file, line: 1, column: 1, "the file has \(text.utf8.count) bytes; at most \(mostBytes) are read")
    }
    let value = try YAMLComposer.compose(text, file: file, most: most)
    try value.check(.mapping(shape))
    return value
  }

  /// What a program printed as YAML, of which nobody has to be told what is wrong; nil where it is none, or large.
  static func read(printed text: String) -> YAMLValue? {
    text.utf8.count <= MappingStatistics.longestLine
      ? try? YAMLComposer.compose(text, file: "output", most: mostPrinted) : nil
  }

  /// The most that a program prints at a time.
  private static let mostPrinted = YAMLComposer.Room(values: 4_096, bytes: mostText)
  /// The most that a file holds.
  private static let most = YAMLComposer.Room(values: 200_000, bytes: mostText)
  /// The most bytes of a file: the parser makes some 70 bytes of each before its values can be counted.
  private static let mostBytes = 4 << 20
  /// The most bytes of text in all values. Without aliases a file holds less.
  private static let mostText = 4 * mostBytes

  /// A value at a line and column of a file.
  init(_ content: Content, file: String, line: Int, column: Int) {
    (self.content, self.file, self.line, self.column) = (content, file, line, column)
  }

  /// An error at the place of this value.
  public func error(_ problem: String) -> YAMLFileError {
    YAMLFileError(file: file, line: line, column: column, problem)
  }
}
