import TelecapText

/// Checks whether a rule would read a record. It compiles the rule's expression once.
struct RecordReader {
  private let rule: EventRule
  private let expression: CompiledPattern?

  init(_ rule: EventRule) {
    self.rule = rule
    expression = rule.pattern?.compiled()
  }

  func reads(_ record: SeenRecord) -> Bool {
    if rule.pattern != nil { return expression?.object(of: record.quoted) != nil }
    return record.words == nil && rule.conditions.allSatisfy { Conditions.holds($0, in: record) }
  }
}
