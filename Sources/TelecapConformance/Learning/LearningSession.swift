import TelecapRecording
import TelecapWire

/// A session with values that occur nowhere else, from which the output mapping of a program is inferred.
public struct LearningSession: Sendable {
  /// The part of the program.
  let part: String
  /// A scenario that is sent until the program answers and is ready; empty for no such check.
  let greeting: String
  /// The scenario as text, without requirements, for a transport and the setup of the system.
  let text: @Sendable (Carrier) -> String
  /// The ids of the scenarios that test such a program right afterwards.
  let trials: [String]

  /// A session for a part.
  public init(_ part: String, greeting: String = "", trials: [String], _ text: @escaping @Sendable (Carrier) -> String)
  {
    (self.part, self.greeting, self.text, self.trials) = (part, greeting, text, trials)
  }
}

extension Suites {
  /// The parts whose output mapping can be inferred.
  public var learnable: [Part] {
    parts.filter { part in
      all.contains { suite in suite.learningSessions.contains { $0.part == part.name } }
        || model(of: part)?.isDeclared == true
    }
  }

  /// The scenario that finds out whether a program of this part is ready, and the learning session, over one of its
  /// transports; nil where no session is known for the part.
  /// - Throws: `YAMLFileError` where a session of a suite is no valid scenario.
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
