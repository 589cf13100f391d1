import TelecapRecording
import TelecapText

/// Something that can be found about a message: a handle on its row (`MessageKind` says how long such a row lives). Rules
/// of one id are the same rule, whichever protocol states them, each with its own source.
public struct Rule: Hashable, Sendable {
  private let handle: Unmanaged<RuleRow>

  /// A rule.
  /// - Parameters:
  ///   - id: its name, the same for ever: `value.not-a-number`.
  ///   - text: the text that it comes from; nil where that is the row of the field that a finding is about.
  ///   - requirement: the requirement that a conformance suite tests it by.
  ///   - words: a finding of it in plain words: what is wrong and what would be right; nil where it has none for that
  ///     detail.
  public init(
    _ id: String, _ severity: Severity, text: String? = nil, requirement: String? = nil,
    words: @escaping @Sendable (Finding) -> String? = { _ in nil }
  ) {
    handle = .passRetained(
      RuleRow(
        id: id, severity: severity, text: text, requirement: requirement,
        words: words))
  }

  @inline(__always)
  var row: RuleRow { handle._withUnsafeGuaranteedRef { $0 } }

  /// Its name, the same for ever.
  public var id: String { row.id }
  /// How bad it is.
  public var severity: Severity { handle._withUnsafeGuaranteedRef { $0.severity } }
  /// The text that it comes from; nil where it is the row of the field that a finding is about.
  public var text: String? { row.text }
  /// The requirement that a conformance suite tests it by; nil where there is none.
  public var requirement: String? { row.requirement }

  /// A finding of it in plain words; nil where it has none for that detail.
  public func words(_ finding: Finding) -> String? { row.words(finding) }

  /// Where the rule comes from, in words: its text and its requirement.
  public var source: String { source(from: text ?? "the message's table") }

  /// The same, with the text that a finding names.
  func source(from text: String) -> String { requirement.map { "\(text); requirement \($0)" } ?? text }

  /// The rule as a protocol states it.
  public func stated(in text: String?, requirement: String? = nil) -> Rule {
    Rule(id, severity, text: text, requirement: requirement, words: row.words)
  }

  public static func == (left: Rule, right: Rule) -> Bool {
    left.handle.toOpaque() == right.handle.toOpaque() || left.digest == right.digest && left.id == right.id
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  private var digest: UInt64 { handle._withUnsafeGuaranteedRef { $0.digest } }
}

/// The data of a rule.
final class RuleRow: Sendable {
  let id: String
  /// A fingerprint of the id (`FNV1a`), so that rules are rarely compared letter by letter.
  let digest: UInt64
  let severity: Severity
  let text: String?
  let requirement: String?
  let words: @Sendable (Finding) -> String?

  init(
    id: String, severity: Severity, text: String?, requirement: String?,
    words: @escaping @Sendable (Finding) -> String?
  ) {
    self.id = id
    digest = FNV1a(id).value
    self.severity = severity
    self.text = text
    self.requirement = requirement
    self.words = words
  }
}
