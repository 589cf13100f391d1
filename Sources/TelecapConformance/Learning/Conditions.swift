import TelecapText

/// What tells the objects that a rule is to read from all others: constant words, as few as possible.
struct Conditions {
  /// What must stand in it.
  private(set) var conditions: [EventRule.Condition] = []
  /// Others that nothing tells from them.
  private(set) var confused: [SeenRecord] = []

  /// - Parameters:
  ///   - inside: the objects that are to be read.
  ///   - outside: all others; of those that hold none of `paths` it need not be told.
  ///   - foreign: words that are of this session alone, such as a port.
  init(for inside: [SeenRecord], against outside: [SeenRecord], reading paths: Set<[String]>, foreign: Set<String>) {
    let names = Conditions.constants(of: inside, foreign)
    var open = outside
    // A word that others do not have says what it is, also where the fields alone would.
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

  /// What a condition goes by, the best first.
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

  /// What is the same in all of them: words, flags and small codes.
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

  /// Whether a rule without conditions would take it for one of its own.
  private static func reads(_ record: SeenRecord, _ paths: Set<[String]>) -> Bool {
    record.values.contains { paths.contains($0.path) }
  }
}
