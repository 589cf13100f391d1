import TelecapText

/// Tells whether a rule would take a record for one of its own. Its expression is made ready once.
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
