import TelecapRecording
import TelecapText
import TelecapWire

/// A system file as text with comments, which its decoder can read.
public struct SystemText: Sendable {
  /// A key with its value as YAML, and the comments above it.
  public struct Entry: Sendable {
    /// The key.
    public let key: String
    /// Its value.
    public let value: String
    let comments: [String]

    /// A key with this value.
    public init(_ key: String, _ value: String, _ comments: [String] = []) {
      (self.key, self.value, self.comments) = (key, value, comments)
    }
  }

  /// The comments at the top, a line each.
  public var comments: [String]
  /// The keys above `shows`, in order.
  public var entries: [Entry]
  /// The mapping of the output.
  public var learned: LearnedSystem

  /// A file with these contents.
  public init(comments: [String], entries: [Entry], learned: LearnedSystem) {
    (self.comments, self.entries, self.learned) = (comments, entries, learned)
  }

  /// The file.
  public var text: String {
    let head =
      comments.map(Escaping.yamlComment)
      + entries.flatMap { entry in
        entry.comments.map(Escaping.yamlComment) + ["\(entry.key): \(entry.value)"]
      }
    return (head + shows).map { $0 + "\n" }.joined()
  }

  /// The key `shows` with its rules, a line each; only comments where no rule was found.
  public var shows: [String] {
    let missing = learned.missing.map { "\($0.words) not found: \($0.why)" }
    guard !learned.rules.isEmpty else {
      return (["Its output has no event that could be read: it is tested from its traffic only."] + missing).map(
        Escaping.yamlComment)
    }
    let sources = learned.sources.map(SystemText.source)
    let from = sources.count == 1 ? sources[0] : SystemText.list(sources)
    let format = learned.format == .lines ? [] : ["  format: \(learned.format.rawValue)"]
    let notes = learned.notes.map { "  " + Escaping.yamlComment($0) }
    return ["shows:"] + notes + ["  from: \(from)"] + format + ["  events:"]
      + learned.rules.flatMap(SystemText.rule).map { "    \($0)" }
      + missing.map { "    " + Escaping.yamlComment($0) }
  }

  // MARK: - Rules

  private static func rule(_ learned: LearnedRule) -> [String] {
    let rule = learned.rule
    let count = learned.found < learned.of ? "\(learned.found) of \(learned.of)" : "All \(learned.of)"
    var lines = [
      Escaping.yamlComment(
        learned.of == 0 ? "As it was; it reads: \(learned.example)" : "\(count) shown; the first: \(learned.example)")
    ]
    lines += learned.notes.map(Escaping.yamlComment)
    lines.append("- is: \(rule.name)")
    if let stream = rule.kind.declared { lines.append("  stream: \(Escaping.yaml(stream.rules.name))") }
    if let pattern = rule.pattern { lines.append("  line: \(Escaping.yamlQuoted(pattern.text))") }
    if !rule.conditions.isEmpty {
      let conditions = rule.conditions.map { condition in
        let values = condition.values.map { ["true", "false"].contains($0) || Int($0) != nil ? $0 : Escaping.yaml($0) }
        return
          "\(Escaping.yaml(condition.path.joined(separator: "."))): \(values.count == 1 ? values[0] : list(values))"
      }
      lines.append("  when: {\(conditions.joined(separator: ", "))}")
    }
    let fields = rule.knownFields.compactMap { field -> String? in
      // A pattern's group of the same name needs no entry.
      guard let source = rule.fields[field], rule.pattern == nil || source != FieldSource(path: [field]) else {
        return nil
      }
      return "    \(field): \(value(of: source))"
    }
    return fields.isEmpty ? lines : lines + ["  fields:"] + fields
  }

  private static func value(of source: FieldSource) -> String {
    if let value = source.value { return "{value: \(scalar(value))}" }
    let path = Escaping.yaml(source.path.joined(separator: "."))
    if !source.words.isEmpty {
      let words = source.words.sorted { ($0.value.number ?? 0, $0.key) < ($1.value.number ?? 0, $1.key) }
      return
        "{path: \(path), words: {\(words.map { "\(Escaping.yaml($0.key)): \(scalar($0.value))" }.joined(separator: ", "))}}"
    }
    return source.times == 1 ? path : "{path: \(path), times: \(JSONNode.number(source.times).meantText ?? "1")}"
  }

  private static func source(_ source: SystemFile.Source) -> String {
    switch source {
    case .stdout: "stdout"
    case .stderr: "stderr"
    case .file(let path): "{file: \(Escaping.yaml(path))}"
    case .udp(let port): "{udp: \(port == 0 ? "free" : "\(port)")}"
    }
  }

  // MARK: - YAML

  /// A list on one line.
  public static func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

  private static func scalar(_ node: JSONNode) -> String {
    switch node.value {
    case .number: node.meantText ?? ""
    case .bool(let flag): flag ? "true" : "false"
    default: Escaping.yaml(node.string ?? "")
    }
  }
}

extension LearnedSystem.Missing {
  /// Its name in a system file.
  public var words: String { kind.name + (kind.declared.map { " of \($0.rules.name)" } ?? "") }
}
