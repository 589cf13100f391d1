/// What was found out of how a program shows what it does.
public struct LearnedSystem: Sendable {
  /// The rules, each with what it rests on.
  public var rules: [LearnedRule] = []
  /// What the program was told and did not show, with why no rule was made of it.
  public var missing: [Missing] = []

  /// How the program writes what it shows.
  public var format = LineFormat.lines
  /// What else was found out of how it shows it, a sentence each.
  public var notes: [String] = []
  /// Where rules that were there before look.
  public var others: [SystemFile.Source] = []

  /// Something that no line showed.
  public struct Missing: Hashable, Sendable {
    /// What it is.
    public var kind: EventRule.Kind
    /// Why there is no rule, in a sentence.
    public var why: String
  }

  /// Nothing yet.
  public init() {}

  /// Where it shows what it does: what a rule was found in, in the order in which they are listed.
  public var sources: [SystemFile.Source] {
    (others + rules.filter { $0.of > 0 }.map(\.source)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      .sorted { $0.rank < $1.rank }
  }
}

/// A rule that was found, and what it rests on.
public struct LearnedRule: Sendable {
  /// The rule.
  public var rule: EventRule
  /// Where the lines that it reads came from.
  public var source: SystemFile.Source
  /// The first line that it reads.
  public var example: String
  /// How many of the things that were to be shown were found.
  public var found: Int
  /// How many there were; 0 for a rule that was there before.
  public var of: Int
  /// What else could have been meant, a sentence each.
  public var notes: [String]

  /// A rule that rests on these.
  public init(
    rule: EventRule, source: SystemFile.Source, example: String, found: Int, of: Int, notes: [String] = []
  ) {
    (self.rule, self.source, self.example, self.found, self.of, self.notes) = (rule, source, example, found, of, notes)
  }
}

extension SystemFile.Source {
  /// Which of two is looked at first: what a program prints before what it leaves elsewhere.
  public var rank: Int {
    switch self {
    case .stdout: 0
    case .stderr: 1
    case .file: 2
    case .udp: 3
    }
  }

  /// What a person calls it.
  public var words: String {
    switch self {
    case .stdout: "stdout"
    case .stderr: "stderr"
    case .file(let path): path
    case .udp: "UDP"
    }
  }
}
