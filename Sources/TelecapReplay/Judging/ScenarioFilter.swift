import TelecapConformance
import TelecapText

/// Selects scenarios by the options of a person.
public struct ScenarioFilter: Sendable {
  /// The patterns of ids to include; all if empty.
  public var only: [String]
  /// The patterns of ids to exclude.
  public var skip: [String]
  /// The level of requirements; nil for both.
  public var level: Requirement.Level?

  /// A filter with these options.
  public init(only: [String] = [], skip: [String] = [], level: Requirement.Level? = nil) {
    (self.only, self.skip, self.level) = (only, skip, level)
  }

  /// The selected scenarios.
  ///
  /// - Throws: `ReplayProblem.noMatch` about the first pattern that matches none of `scenarios`; `noneLeft` when all
  ///   options together leave none.
  public func chosen(of scenarios: [Scenario]) throws(ReplayProblem) -> [Scenario] {
    let ids = scenarios.map(\.id)
    for (option, globs) in [("--only", only), ("--skip", skip)] {
      if let idle = globs.first(where: { !ids.contains(where: Glob($0).matches) }) {
        throw .noMatch(option: option, glob: idle, nearest: ScenarioFilter.nearest(to: idle, ids))
      }
    }
    let chosen = scenarios.filter { scenario in
      (only.isEmpty || only.contains { Glob($0).matches(scenario.id) })
        && !skip.contains { Glob($0).matches(scenario.id) }
        && (level == nil || scenario.requirement.level == level)
    }
    if chosen.isEmpty, !scenarios.isEmpty { throw .noneLeft(by: words) }
    return chosen
  }

  /// The files, by paths in a folder, that contain all scenarios of the matching ids; nil where only the ids of all
  /// files can decide, as for an error about a pattern without matches.
  func files(of paths: [String]) -> [String]? {
    guard !only.isEmpty, skip.isEmpty else { return nil }
    let globs = only.map { Glob($0) }
    var isIdle = [Bool](repeating: true, count: globs.count)
    let files = paths.filter { path in
      let ids = Scenario.ids(of: path)
      let matching = globs.indices.filter { index in ids.contains(where: globs[index].matches) }
      for index in matching { isIdle[index] = false }
      return !matching.isEmpty
    }
    return isIdle.contains(true) ? nil : files
  }

  /// The options as they were given.
  private var words: [String] {
    only.map { "--only \"\($0)\"" } + skip.map { "--skip \"\($0)\"" } + (level.map { ["--level \($0.rawValue)"] } ?? [])
  }

  /// The id, or the pattern of a group of ids such as `tele.hello.*`, that was probably meant.
  private static func nearest(to glob: String, _ ids: [String]) -> String? {
    let groups = Set(ids.flatMap { id in id.indices.filter { id[$0] == "." }.map { "\(id[..<$0]).*" } })
    return Spelling.nearest(to: glob, among: groups.sorted() + ids)
  }
}
