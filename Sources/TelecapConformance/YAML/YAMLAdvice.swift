/// What to write in place of a value of another type than its key takes, where that shows.
extension YAMLValue {
  /// What to write for a value of this type: `write 500ms`; nil where nothing shows it.
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

  /// One value, or several with commas, without the brackets of a list.
  private func listAdvice(_ text: String, _ element: YAMLType) -> String? {
    let bare = text.filter { $0 != "[" && $0 != "]" }
    let parts = bare.split(separator: ",").map(\.stripped)
    let isNumber =
      switch element {
      case .number, .integer: true
      default: false
      }
    // A list of numbers is a pair of bounds: one is no reason to write a list of one.
    guard !parts.isEmpty, !isNumber || parts.count > 1, parts.allSatisfy({ !$0.isEmpty && fits($0, element) }) else {
      return nil
    }
    return "write [\(parts.joined(separator: ", "))]"
  }

  /// A mapping where a list of mappings has to be: its first entry, or entries by their names.
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
