/// The inferred mapping of a program's output.
public struct LearnedSystem: Sendable {
  /// The rules, each with its evidence.
  public var rules: [LearnedRule] = []
  /// The inputs for which no rule was found, with the reasons.
  public var missing: [Missing] = []

  /// The format of the output.
  public var format = LineFormat.lines
  /// Further notes on the output, a sentence each.
  public var notes: [String] = []
  /// The sources of existing rules.
  public var others: [SystemFile.Source] = []

  /// A kind of event that no line showed.
  public struct Missing: Hashable, Sendable {
    /// The kind of event.
    public var kind: EventRule.Kind
    /// The reason why there is no rule, as a sentence.
    public var why: String
  }

  /// An empty mapping.
  public init() {}

  /// The sources of the output: those in which a rule was found, by rank.
  public var sources: [SystemFile.Source] {
    (others + rules.filter { $0.of > 0 }.map(\.source)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      .sorted { $0.rank < $1.rank }
  }
}

/// An inferred rule with its evidence.
public struct LearnedRule: Sendable {
  /// The rule.
  public var rule: EventRule
  /// The source of the lines that it reads.
  public var source: SystemFile.Source
  /// The first line that it reads.
  public var example: String
  /// The number of expected events that were found.
  public var found: Int
  /// The number of expected events; 0 for an existing rule.
  public var of: Int
  /// Ambiguities, a sentence each.
  public var notes: [String]

  /// A rule with this evidence.
  public init(
    rule: EventRule, source: SystemFile.Source, example: String, found: Int, of: Int, notes: [String] = []
  ) {
    (self.rule, self.source, self.example, self.found, self.of, self.notes) = (rule, source, example, found, of, notes)
  }
}

extension SystemFile.Source {
  /// The rank of a source: output comes before files.
  public var rank: Int {
    switch self {
    case .stdout: 0
    case .stderr: 1
    case .file: 2
    case .udp: 3
    }
  }

  /// Its name for a person.
  public var words: String {
    switch self {
    case .stdout: "stdout"
    case .stderr: "stderr"
    case .file(let path): path
    case .udp: "UDP"
    }
  }
}
