import TelecapConformance
import TelecapFiles
import TelecapRecording
import TelecapText
import TelecapTransport

/// Compares the rules of a system file with the output of its program, and repairs them.
public struct MendRequest: Sendable {
  private let path: String
  private let text: String
  private let file: SystemFile
  private let within: Nanoseconds
  private let suites: Suites
  private let stop: StopFlag

  /// The file at `path`, for a part of one of these suites.
  /// - Throws: `FileError`, `YAMLFileError`, `LearnProblem` where programs of its part are not supported.
  public init(_ path: String, within: Nanoseconds, suites: Suites, stop: StopFlag) throws {
    text = try TextFile.read(path)
    file = try SystemFile(text, file: path, suites: suites)
    guard suites.learnable.contains(file.part) else {
      throw LearnProblem.noPart(file.part.name, among: suites.learnable.map(\.name))
    }
    (self.path, self.within, self.suites, self.stop) = (path, within, suites, stop)
  }

  /// Runs its program, checks its rules, and replaces wrong and missing ones by inferred ones.
  /// - Throws: `LearnProblem`; `SystemError`; `YAMLFileError`; `CancellationError`.
  public func run(_ tell: @escaping @Sendable (String) -> Void) async throws -> LearnedFile {
    tell("starting \(file.command.joined(separator: " "))")
    var probe = file
    probe.rules = []
    probe.sources = [.stdout, .stderr] + file.sources.filter { $0.rank > 1 }
    probe.readyWithin = max(within, file.readyWithin)
    let (learned, watched) = try await ProgramTrial(
      probe, folder: Paths.directory(of: path), namesNothing: false, suites, stop
    ).run(tell)
    let check = try await MappingCheck.run(try SystemChoice(path, suites, stop: stop).system)
    let mended = Mended(file, learned, check.mapping)
    let whole = mended.isChanged ? replacing(mended.system) : text
    return LearnedFile(
      text: whole, file: try SystemFile(whole, file: path, suites: suites), learned: mended.system, watched: watched,
      readiness: LearnedStart(watched, file.part, over: file.udp != nil ? .udp : .tcp).sentence, notes: mended.notes,
      folder: Paths.directory(of: path))
  }

  /// The text with another key `shows`; the rest stays unchanged, with its comments.
  private func replacing(_ learned: LearnedSystem) -> String {
    let shows = SystemText(comments: [], entries: [], learned: learned).shows
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("shows:") }) else {
      return (lines.reversed().drop(while: \.isEmpty).reversed() + shows + [""]).joined(separator: "\n")
    }
    let rest = lines[(first + 1)...].drop { $0.isEmpty || " #-]}".contains($0.first ?? " ") }
    return (lines[..<first] + shows + (rest.isEmpty ? [""] : Array(rest))).joined(separator: "\n")
  }
}

/// The rules of a file: right ones are kept, others replaced by inferred ones.
private struct Mended {
  private(set) var system: LearnedSystem
  /// A note on each rule.
  private(set) var notes: [String] = []
  private(set) var isChanged = false

  init(_ file: SystemFile, _ learned: LearnedSystem, _ mapping: MappingStatistics) {
    system = learned
    system.rules = []
    let wrong = Set(
      mapping.rules.indices.filter { index in
        let use = mapping.rules[index]
        return use.unread.count > 0 || use.unmatchedValues.count > 0 || mapping.idle.contains { $0.rule == index }
          || learned.rules.contains { $0.rule.contradicts(use.rule) }
          // Its rules match no lines of this format.
          || learned.format != file.format
      }.map { mapping.rules[$0].rule.kind })
    let source = file.sources.first ?? .stdout
    for use in mapping.rules
    where !wrong.contains(use.rule.kind) || !learned.rules.contains(where: { $0.rule.kind == use.rule.kind }) {
      let isRead = !wrong.contains(use.rule.kind)
      system.rules.append(
        LearnedRule(
          rule: use.rule, source: source, example: use.matched.first, found: 0, of: 0,
          notes: isRead ? [] : ["No line showed that it is right."]))
      notes.append("\(use.rule.name) stays as it was" + (isRead ? "" : ", and was not confirmed"))
    }
    for rule in learned.rules where !system.rules.contains(where: { $0.rule.kind == rule.rule.kind && $0.of == 0 }) {
      system.rules.append(rule)
      isChanged = true
      notes.append(Mended.words(rule.rule, file.rules.filter { $0.kind == rule.rule.kind }))
    }
    // Kept rules need the sources of the file.
    if system.rules.contains(where: { $0.of == 0 }) { system.others = file.sources }
  }

  /// The differences from the existing rules of the same kind.
  private static func words(_ new: EventRule, _ old: [EventRule]) -> String {
    guard let before = old.first else { return "\(new.name) is added" }
    let fields = new.knownFields.filter { new.fields[$0] != nil && new.fields[$0] != before.fields[$0] }
    let paths = fields.map { name in
      let path = new.fields[name]?.path ?? []
      return path == before.fields[name]?.path ? "what \(name) means" : "\(name) at \(path.joined(separator: "."))"
    }
    return "\(new.name) was wrong: " + (paths.isEmpty ? "it is another line" : paths.joined(separator: ", "))
  }
}

extension EventRule {
  /// Whether both read a field at the same path, and one of its words has different meanings.
  fileprivate func contradicts(_ other: EventRule) -> Bool {
    guard kind == other.kind else { return false }
    return fields.contains { name, source in
      guard let same = other.fields[name], same.path == source.path else { return false }
      return source.words.contains { word, meaning in same.words[word].map { !meaning.means($0) } ?? false }
    }
  }
}

extension JSONNode {
  /// Whether both are the same number or the same text.
  fileprivate func means(_ other: JSONNode) -> Bool {
    meantNumber.map { $0 == other.meantNumber } ?? (meantText == other.meantText)
  }
}
