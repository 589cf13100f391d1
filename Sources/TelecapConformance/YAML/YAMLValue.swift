import Yams

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
    let node: Node?
    do {
      node = try compose(yaml: text)
    } catch {
      throw syntaxError(error, file)
    }
    guard let node else { throw YAMLFileError(file: file, line: 1, column: 1, "the file is empty") }
    let value = try YAMLValue(node, file)
    try value.check(.mapping(shape))
    return value
  }

  private init(_ node: Node, _ file: String) throws(YAMLFileError) {
    self.file = file
    line = node.mark?.line ?? 1
    column = node.mark?.column ?? 1
    switch node {
    case .scalar(let scalar):
      content = .scalar(
        scalar.string, isQuoted: scalar.style == .singleQuoted || scalar.style == .doubleQuoted)
    case .sequence(let sequence):
      var list: [YAMLValue] = []
      for element in sequence { list.append(try YAMLValue(element, file)) }
      content = .list(list)
    case .mapping(let mapping):
      var pairs: [(key: YAMLValue, value: YAMLValue)] = []
      for (key, value) in mapping { pairs.append((try YAMLValue(key, file), try YAMLValue(value, file))) }
      content = .mapping(pairs)
    case .alias:
      throw YAMLFileError(file: file, line: line, column: column, "an alias to nothing")
    }
  }

  /// What the parser says, in our form.
  private static func syntaxError(_ error: any Error, _ file: String) -> YAMLFileError {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      YAMLFileError(file: file, line: mark.line, column: mark.column, problem)
    case .duplicatedKeysInMapping(let duplicates, let context):
      YAMLFileError(
        file: file, line: context.mark.line, column: context.mark.column,
        "the key \(duplicates.map { "\"\($0)\"" }.joined(separator: ", ")) stands here twice")
    case .reader(let problem, _, _, _): YAMLFileError(file: file, line: 1, column: 1, problem)
    default: YAMLFileError(file: file, line: 1, column: 1, "\(error)")
    }
  }

  /// An error at the place of this value.
  public func error(_ problem: String) -> YAMLFileError {
    YAMLFileError(file: file, line: line, column: column, problem)
  }
}
