import TelecapRecording
import TelecapWire

/// A short valid session that makes a system of one part show events of some kinds. If a rule for one of them matches
/// no line in it, the rule or the system is wrong.
public struct CheckSession: Sendable {
  /// The part of the system.
  let part: String
  /// The kinds of events that it causes.
  let kinds: Set<EventRule.Kind>
  /// The scenario as text, without requirements.
  let text: String

  /// A session for a part.
  public init(_ part: String, shows kinds: Set<EventRule.Kind>, _ text: String) {
    (self.part, self.kinds, self.text) = (part, kinds, text)
  }
}

extension Suites {
  /// The sessions that check the rules of a system's file: each shows something that those before it do not; at least
  /// one, which is empty where there is none for the system.
  /// - Throws: `YAMLFileError` where a session of a suite is no valid scenario.
  public func check(of file: SystemFile) throws(YAMLFileError) -> [Script] {
    let scripts = try sessions(for: file).map { $0.script(for: Case()) }
    let start = Script(
      actions: [], meant: [], plan: [], responder: .silent, setup: Setup(part: file.part),
      end: Timestamp(nanoseconds: 300_000_000))
    return scripts.isEmpty ? [start] : scripts
  }

  private func sessions(for file: SystemFile) throws(YAMLFileError) -> [Scenario] {
    guard let suite = all.first(where: { $0.models.contains { $0.part == file.part } }) else { return [] }
    var rest: [(kinds: Set<EventRule.Kind>, scenarios: [Scenario])] = []
    for session in suite.checkSessions where session.part == file.part.name {
      let scenarios = try scenarios(of: session, suite, for: file)
      if !scenarios.isEmpty { rest.append((session.kinds, scenarios)) }
    }
    // Several rules for a kind may need several sessions that cause it.
    var wanted = Dictionary(grouping: file.rules) { $0.kind }.mapValues(\.count)
    func count(_ kinds: Set<EventRule.Kind>) -> Int { kinds.count { wanted[$0] ?? 0 > 0 } }
    var chosen: [Scenario] = []
    // The output for equal events may still differ between transports.
    var others: [Scenario] = []
    while !rest.isEmpty, chosen.isEmpty || rest.contains(where: { count($0.kinds) > 0 }) {
      // Take the one that shows most of the remaining kinds; of equal ones the first, which is shorter.
      let most = rest.map { count($0.kinds) }.max() ?? 0
      guard let next = rest.firstIndex(where: { count($0.kinds) == most }) else { break }
      let session = rest.remove(at: next)
      let isShownAlike = session.kinds.contains { $0.isOverEachCarrier && wanted[$0] ?? 0 > 0 }
      for kind in session.kinds { wanted[kind, default: 0] -= 1 }
      chosen.append(session.scenarios[0])
      if isShownAlike { others += session.scenarios.dropFirst() }
    }
    return chosen.isEmpty ? declared(suite, for: file) : chosen + others
  }

  /// The session over each transport of the system; empty where it does not support it.
  private func scenarios(
    of session: CheckSession, _ suite: Suite, for file: SystemFile
  ) throws(YAMLFileError) -> [Scenario] {
    guard let requirement = suite.requirements.first?.id else { return [] }
    var scenarios: [Scenario] = []
    // Where each message has its own transport there is no choice.
    let hasChoice = file.part.role?.owner.mixesCarriers == false
    for carrier in hasChoice ? ["", "carrier: tcp\n"] : [""] {
      let text = "# A right session.\nrequirement: \(requirement)\nrole: \(file.part)\n\(carrier)\(session.text)"
      let path = requirement.replacing(".", with: "/") + "/check.yaml"
      let scenario = try Scenario(text, path: path, file: "check session", suites: self)
      let actions = scenario.script(for: Case()).actions
      if file.unsupported(scenario.setup, actions: actions) == nil { scenarios.append(scenario) }
    }
    return scenarios
  }

  /// For a protocol file: each stream in order, over a perfect network.
  private func declared(_ suite: Suite, for file: SystemFile) -> [Scenario] {
    let names = StreamRules.Merge.allCases.compactMap { StreamAspect.latest.name($0) }
    return suite.scenarios.filter { scenario in
      scenario.setup.part == file.part && scenario.id == scenario.requirement.id
        && names.contains { scenario.id.hasSuffix(".\($0)") }
    }
  }
}
