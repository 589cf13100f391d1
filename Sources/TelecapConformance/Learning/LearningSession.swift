import TelecapRecording
import TelecapWire

/// A session of values that occur nowhere else, by which it is found out how a program of one part shows what it does.
public struct LearningSession: Sendable {
  /// The part that the program plays.
  let part: String
  /// What is sent first, until it answers: it is ready then. Empty for what is not asked.
  let greeting: String
  /// What is sent over a carrier, and how the system is set up: the text of a scenario without what it requires.
  let text: @Sendable (Carrier) -> String
  /// The ids of the scenarios by which such a program is tried at once.
  let trials: [String]

  /// A session of a part.
  public init(_ part: String, greeting: String = "", trials: [String], _ text: @escaping @Sendable (Carrier) -> String)
  {
    (self.part, self.greeting, self.text, self.trials) = (part, greeting, text, trials)
  }
}

extension Suites {
  /// The parts of which it can be found out how they show what they do.
  public var learnable: [Part] {
    parts.filter { part in
      all.contains { suite in suite.learningSessions.contains { $0.part == part.name } }
        || model(of: part)?.isDeclared == true
    }
  }

  /// What a program of this part is told first, and then, over a carrier that it speaks; nil where it is not known how it could
  /// show anything.
  /// - Throws: `YAMLFileError` where a session of a suite is no scenario.
  public func learning(
    _ part: Part, over carrier: Carrier
  ) throws(YAMLFileError) -> (greeting: Script?, session: Script)? {
    for suite in all {
      guard let session = suite.learningSessions.first(where: { $0.part == part.name }) else { continue }
      let greeting = session.greeting.isEmpty ? nil : try script(session.greeting, of: part, suite, carrier)
      guard let whole = try script(session.text(carrier), of: part, suite, carrier) else { return nil }
      return (greeting, whole)
    }
    guard let model = model(of: part), model.isDeclared, let stream = model.judging.streams.first else { return nil }
    return stream.learningScenario(model.judging, start: 500_000_000).map { (nil, $0.script(for: Case())) }
  }

  private func script(
    _ text: String, of part: Part, _ suite: Suite, _ carrier: Carrier
  ) throws(YAMLFileError) -> Script? {
    guard let requirement = suite.requirements.first?.id else { return nil }
    let over = part.role?.owner.mixesCarriers == false ? "carrier: \(carrier.name)\n" : ""
    let whole =
      "# A session of values that occur nowhere else.\nrequirement: \(requirement)\nrole: \(part)\n\(over)\(text)"
    let path = requirement.replacing(".", with: "/") + "/learn.yaml"
    return try Scenario(whole, path: path, file: "learning session", suites: self).script(for: Case())
  }
}
