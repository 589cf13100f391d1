import TelecapConformance
import TelecapText

/// Which scenarios of all a person asks for.
public struct ScenarioFilter: Sendable {
  /// Only those whose id one of these patterns matches; all where there are none.
  public var only: [String]
  /// None whose id one of these matches.
  public var skip: [String]
  /// Only those of requirements of this level; of both where it is nil.
  public var level: Requirement.Level?

  /// Those that these choose.
  public init(only: [String] = [], skip: [String] = [], level: Requirement.Level? = nil) {
    (self.only, self.skip, self.level) = (only, skip, level)
  }

  /// The scenarios that are asked for.
  ///
  /// - Throws: `ReplayProblem.noMatch` about the first pattern that matches none of `scenarios`; `noneLeft` when all together
  ///   leave none.
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

  /// The files, by their paths in a folder, that have all scenarios of the ids that the patterns match; nil where it takes the
  /// ids of all files to tell, as for an error about a pattern that matches none.
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
