import TelecapText

/// Puts values into the parts of a template.
///
/// A name is looked for in the value whose section is written, then in those around it: a member that is nil counts as none there.
struct TemplateWriter {
  /// A value whose section is written, with the members that are not nil.
  private struct Level {
    let value: Any
    private var members: [String: Any] = [:]

    init(_ value: Any) {
      self.value = value
      let mirror = Mirror(reflecting: value)
      for (label, member) in mirror.children {
        if mirror.displayStyle == .dictionary {
          guard let (key, value) = member as? (key: String, value: Any) else { continue }
          members[key] = Level.unwrapped(value)
        } else if let label {
          members[label] = Level.unwrapped(member)
        }
      }
    }

    subscript(name: String) -> Any? { name == "." ? value : members[name] }

    private static func unwrapped(_ value: Any) -> Any? {
      let mirror = Mirror(reflecting: value)
      return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
  }

  private var levels: [Level]
  private(set) var text = ""

  /// - Parameter value: the value whose members are put in, or a dictionary of them.
  init(_ value: Any) { levels = [Level(value)] }

  /// Writes the parts, one after the other.
  mutating func write(_ parts: [TemplatePart]) {
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .value(let name, let isMarkup):
        guard let value = value(of: name) else { continue }
        let words = value as? String ?? String(describing: value)
        text += isMarkup ? words : Escaping.markup(words)
      case .section(let name, false, let inner): write(inner, with: value(of: name))
      case .section(let name, true, let inner): if isNothing(value(of: name)) { write(inner) }
      }
    }
  }

  private mutating func write(_ inner: [TemplatePart], with value: Any?) {
    switch value {
    case nil: break
    case let isTrue as Bool: if isTrue { write(inner) }
    case let list as [Any]: for element in list { write(inner, inside: element) }
    case let value?: write(inner, inside: value)
    }
  }

  private mutating func write(_ inner: [TemplatePart], inside value: Any) {
    levels.append(Level(value))
    write(inner)
    levels.removeLast()
  }

  private func isNothing(_ value: Any?) -> Bool {
    switch value {
    case nil: true
    case let isTrue as Bool: !isTrue
    case let list as [Any]: list.isEmpty
    default: false
    }
  }

  private func value(of name: String) -> Any? {
    for level in levels.reversed() { if let value = level[name] { return value } }
    return nil
  }
}
