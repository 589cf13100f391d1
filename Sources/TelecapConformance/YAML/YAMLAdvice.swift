/// Advice for a value of the wrong type.
extension YAMLValue {
  /// The value to write for this type: `write 500ms`; nil where it cannot be inferred.
  public func advice(for type: YAMLType) -> String? {
    switch (type, content) {
    case (.either(let types), _): types.lazy.compactMap { advice(for: $0) }.first
    case (.list(let element), .mapping): entryAdvice(element)
    case (.list(let element), .scalar(let text, isQuoted: false)): listAdvice(text, element)
    case (.mapping(let shape), _): mappingAdvice(shape)
    case (.list, _), (.dictionary, _), (_, .mapping): nil
    case (_, .list(let list)): YAMLValue.single(list)
    case (_, .scalar(let text, isQuoted: let isQuoted)): scalarAdvice(text, isQuoted, type)
    }
  }

  /// Whether this text without quotes is a value of a type.
  private func fits(_ text: String, _ type: YAMLType) -> Bool {
    YAMLValue(.scalar(text, isQuoted: false), file: file, line: line, column: column).isScalar(type)
  }

  private func scalarAdvice(_ text: String, _ isQuoted: Bool, _ type: YAMLType) -> String? {
    if isQuoted, fits(text, type) { return "write \(text), without quotes" }
    switch type {
    case .flag: return ForeignValue.flag(text).map { "write \($0)" }
    case .integer, .number: return ForeignValue.numbers(text).first { fits($0, type) }.map { "write \($0)" }
    case .time: return ForeignValue.time(text)
    case .oneOf(let words): return ForeignValue.word(text, among: words).map { "did you mean \"\($0)\"?" }
    default: return nil
    }
  }

  private static func single(_ list: [YAMLValue]) -> String? {
    guard list.count == 1, let text = list[0].text else { return "it has one value, which is no list" }
    return "write \(text), which is no list"
  }

  /// Advice for one value, or several with commas, without the brackets of a list.
  private func listAdvice(_ text: String, _ element: YAMLType) -> String? {
    let bare = text.filter { $0 != "[" && $0 != "]" }
    let parts = bare.split(separator: ",").map(\.stripped)
    let isNumber =
      switch element {
      case .number, .integer: true
      default: false
      }
    // A list of numbers is a pair of bounds, so do not advise a list of one.
    guard !parts.isEmpty, !isNumber || parts.count > 1, parts.allSatisfy({ !$0.isEmpty && fits($0, element) }) else {
      return nil
    }
    return "write [\(parts.joined(separator: ", "))]"
  }

  /// Advice for a mapping in place of a list of mappings: write its first entry, or entries with names.
  private func entryAdvice(_ element: YAMLType) -> String? {
    guard case .mapping(let shape) = element, let first = pairs.first?.key else { return nil }
    let names = shape.keys.map(\.name)
    if names.contains(first) { return "an entry begins with \"- \": write \"- \(first): …\"" }
    return names.contains("name") ? "an entry has a name: write \"- name: \(first)\"" : nil
  }

  private func mappingAdvice(_ shape: YAMLShape) -> String? {
    guard case .list(let list) = content, let key = list.first?.pairs.first?.key,
      shape.keys.contains(where: { $0.name == key })
    else { return nil }
    return "it is no list: write \"\(key)\" without \"- \""
  }
}
