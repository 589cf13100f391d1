import TelecapConformance
import TelecapReport
import TelecapText
import TelecapTransport

/// The findings about a program: the inferred rules, missing ones, and requirements that stay inconclusive.
public struct LearnedText {
  private let learned: LearnedFile
  private let path: String
  private let inconclusive: [String]

  /// - Parameters:
  ///   - path: the path of its file.
  ///   - inconclusive: the requirements that stay inconclusive with it.
  public init(_ learned: LearnedFile, _ path: String, inconclusive: [String]) {
    (self.learned, self.path, self.inconclusive) = (learned, path, inconclusive)
  }

  /// A row for each finding.
  public var lines: [String] {
    var table = TextTable()
    table.add("ready", learned.readiness.printable)
    for rule in learned.learned.rules {
      if rule.of == 0 { continue }
      table.add(
        rule.rule.name,
        "\(rule.found) of \(rule.of), on \(rule.source.words): \(MappingStatistics.quoted(rule.example))".printable)
      for note in rule.notes { table.add("", note.printable) }
    }
    for missing in learned.learned.missing { table.add(missing.words, "not found: \(missing.why)".printable) }
    if learned.learned.format != .lines { table.add("format", learned.learned.format.rawValue) }
    for note in learned.notes + learned.learned.notes { table.add("", note.printable) }
    if !inconclusive.isEmpty { table.add("inconclusive", inconclusive.joined(separator: ", ").printable) }
    if path != "-" { table.add("written", path.printable) }
    return table.lines(indent: "") + (learned.learned.rules.isEmpty ? nothing : [])
  }

  /// The advice where no line showed an event.
  private var nothing: [String] {
    let lines = learned.watched.lines
    let printed = lines.prefix(5).map { "  \($0.source.words): \(MappingStatistics.quoted($0.text))".printable }
    return [
      "",
      lines.isEmpty
        ? "It printed nothing, and no file grew where it runs."
        : "Its \(lines.count) lines show too few of the sent values. The first:",
    ] + printed + [
      "Have it print everything that it applies, and not only some of it, flushed after each line: a JSON object or a line of text",
      "for each. With this file, it is tested from its traffic only.",
    ]
  }
}
