import TelecapRecording

extension Suites {
  /// The requirements on the part of a system file that stay inconclusive by what the file says: those of which no scenario
  /// would be decided for our right model if it showed no more than the system does.
  public func undecided(by file: SystemFile, _ scenarios: [Scenario]) -> [String] {
    guard let model = model(of: file.part), !model.shows.isSubset(of: file.aspects) else { return [] }
    var isDecided: [String: Bool] = [:]
    for scenario in scenarios where scenario.setup.part == file.part && !scenario.isJudgedInEveryRun {
      guard let first = scenario.cases(seeds: 1).first else { continue }
      let script = scenario.script(for: first)
      guard file.unsupported(scenario.setup, actions: script.actions) == nil,
        var log = try? ModelSystem(model).runNow(script)
      else { continue }
      log.shows.formIntersection(file.aspects)
      let isOpen = Judge.judge(log, script, of: first, in: scenario).verdict == .inconclusive
      isDecided[scenario.requirement.id] = isDecided[scenario.requirement.id] == true || !isOpen
    }
    return requirements.map(\.id).filter { isDecided[$0] == false }
  }

  /// Of scenarios for one part those by which a program is tried at once.
  public func trials(among scenarios: [Scenario]) -> [Scenario] {
    let ids = all.flatMap(\.learningSessions).first { $0.part == scenarios.first?.setup.part.name }?.trials
    guard let ids else { return Array(scenarios.filter { $0.id == $0.requirement.id }.prefix(5)) }
    return ids.compactMap { id in scenarios.first { $0.id == id } }
  }
}
