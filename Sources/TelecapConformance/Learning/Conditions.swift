import TelecapText

/// Constant words that discriminate the objects of a rule from all others, as few as possible.
struct Conditions {
  /// The conditions of the rule.
  private(set) var conditions: [EventRule.Condition] = []
  /// Other objects that these conditions do not exclude.
  private(set) var confused: [SeenRecord] = []

  /// - Parameters:
  ///   - inside: the objects that the rule must read.
  ///   - outside: all other objects; those without any of `paths` need not be excluded.
  ///   - foreign: words of this session only, such as a port.
  init(for inside: [SeenRecord], against outside: [SeenRecord], reading paths: Set<[String]>, foreign: Set<String>) {
    let names = Conditions.constants(of: inside, foreign)
    var open = outside
    // A word that only these objects have names them, even where their fields alone would suffice.
    func telling(_ name: EventRule.Condition) -> Int { open.count { !Conditions.holds(name, in: $0) } }
    func add(_ name: EventRule.Condition) {
      conditions.append(name)
      open = open.filter { Conditions.holds(name, in: $0) }
    }
    for form in Form.allCases {
      var rest = names.filter { form.isOf($0.value) }.map(\.condition)
      while let best = rest.max(by: { (telling($0), -$0.path.count) < (telling($1), -$1.path.count) }),
        telling(best) > 0, conditions.isEmpty || open.contains(where: { Conditions.reads($0, paths) })
      {
        add(best)
        rest.removeAll { $0 == best }
      }
    }
    confused = open.filter { Conditions.reads($0, paths) }
  }

  /// The form of a condition's value, the best first.
  private enum Form: CaseIterable {
    case word, flag, code

    func isOf(_ value: JSONNode) -> Bool {
      switch self {
      case .word: value.isName
      case .flag: value.isFlag
      case .code: !value.isName && !value.isFlag
      }
    }
  }

  /// The words, flags and small codes that all of them share.
  private static func constants(
    of inside: [SeenRecord], _ foreign: Set<String>
  ) -> [(condition: EventRule.Condition, value: JSONNode)] {
    guard let first = inside.first else { return [] }
    return first.values.compactMap { path, value in
      guard let text = value.meantText, !foreign.contains(where: text.contains) else { return nil }
      let isCode = value.meantNumber.map { $0 == $0.rounded() && (0..<256).contains($0) } ?? false
      guard value.isName || value.isFlag || isCode, inside.allSatisfy({ $0[path]?.meantText == text }) else {
        return nil
      }
      return (EventRule.Condition(path, [text]), value)
    }
  }

  /// Whether a record meets a condition, as a rule sees it.
  static func holds(_ condition: EventRule.Condition, in record: SeenRecord) -> Bool {
    record[condition.path]?.meantText.map(condition.values.contains) ?? false
  }

  /// Whether a rule without conditions would read it.
  private static func reads(_ record: SeenRecord, _ paths: Set<[String]>) -> Bool {
    record.values.contains { paths.contains($0.path) }
  }
}
