import TelecapRecording

extension Suites {
  /// The requirements on the part of a system file that must stay inconclusive with its mapping: even our correct model
  /// would pass none of their scenarios if it showed no more than the file maps.
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

  /// The scenarios, of those for one part, that test a program right after learning.
  public func trials(among scenarios: [Scenario]) -> [Scenario] {
    let ids = all.flatMap(\.learningSessions).first { $0.part == scenarios.first?.setup.part.name }?.trials
    guard let ids else { return Array(scenarios.filter { $0.id == $0.requirement.id }.prefix(5)) }
    return ids.compactMap { id in scenarios.first { $0.id == id } }
  }
}
