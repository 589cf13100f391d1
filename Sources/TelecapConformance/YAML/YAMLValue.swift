import TelecapText
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
    guard text.utf8.count <= mostBytes else {
      throw YAMLFileError(
        file: file, line: 1, column: 1, "the file has \(text.utf8.count) bytes; at most \(mostBytes) are read")
    }
    let value = try compose(text, file, most)
    try value.check(.mapping(shape))
    return value
  }

  /// What a program printed as YAML, of which nobody has to be told what is wrong; nil where it is none, or large.
  static func read(printed text: String) -> YAMLValue? {
    text.utf8.count <= Mapping.longestLine ? try? compose(text, "output", mostPrinted) : nil
  }

  private static func compose(_ text: String, _ file: String, _ most: Int) throws(YAMLFileError) -> YAMLValue {
    if let place = YAMLAliases(text).compoundKey {
      throw YAMLFileError(
        file: file, line: place.line, column: place.column,
        "a key that is a list, a mapping or an alias, in a file with aliases; write it out as a word")
    }
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch {
      throw syntaxError(error, file)
    }
    guard let node else { throw YAMLFileError(file: file, line: 1, column: 1, "the file is empty") }
    var room = Room(values: most)
    return try YAMLValue(node, file, &room)
  }

  /// The most values of what a program prints at a time.
  private static let mostPrinted = 4_096

  /// The most values of a file. An alias counts as often as it stands there, so that few lines of aliases to aliases do
  /// not fill the memory.
  private static let most = 200_000
  /// The most bytes of a file: the parser makes some 70 bytes of each before its values can be counted.
  private static let mostBytes = 4 << 20

  /// How much more a file may hold, each alias written out.
  private struct Room {
    var values: Int
    /// Of text. Without aliases a file holds less.
    var bytes = 4 * mostBytes
  }

  private init(_ node: Node, _ file: String, _ room: inout Room) throws(YAMLFileError) {
    self.file = file
    line = node.mark?.line ?? 1
    column = node.mark?.column ?? 1
    room.values -= 1
    guard room.values >= 0 else {
      throw YAMLFileError(file: file, line: line, column: column, "the file holds more than \(YAMLValue.most) values")
    }
    switch node {
    case .scalar(let scalar):
      room.bytes -= scalar.string.utf8.count
      guard room.bytes >= 0 else {
        throw YAMLFileError(
          file: file, line: line, column: column,
          "with its aliases written out the file holds more than \(4 * YAMLValue.mostBytes) bytes of text")
      }
      content = .scalar(
        scalar.string, isQuoted: scalar.style == .singleQuoted || scalar.style == .doubleQuoted)
    case .sequence(let sequence):
      var list: [YAMLValue] = []
      for element in sequence { list.append(try YAMLValue(element, file, &room)) }
      content = .list(list)
    case .mapping(let mapping):
      var pairs: [(key: YAMLValue, value: YAMLValue)] = []
      for (key, value) in mapping { pairs.append((try YAMLValue(key, file, &room), try YAMLValue(value, file, &room))) }
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
      YAMLFileError(
        file: file, line: mark.line, column: mark.column,
        problem.hasPrefix("Maximum nesting level") ? "nested too deep" : problem)
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
