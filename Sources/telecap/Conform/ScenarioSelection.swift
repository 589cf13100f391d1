import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapReplay
import TelecapText

/// The options that select scenarios.
struct ScenarioSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of the scenarios (default: ./Scenarios, or those installed with telecap).", valueName: "folder"))
  var scenarios: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Run only scenarios whose id matches: *, ? and [a-z]. May be repeated.", valueName: "glob"),
    completion: .requirements)
  var only: [String] = []

  @Option(
    name: .long, help: ArgumentHelp("Skip scenarios whose id matches. May be repeated.", valueName: "glob"),
    completion: .requirements)
  var skip: [String] = []

  @Option(name: .long, help: ArgumentHelp("Only requirements of this level: must or should.", valueName: "level"))
  var level: Requirement.Level?

  /// The filter of these options.
  var filter: ScenarioFilter { ScenarioFilter(only: only, skip: skip, level: level) }
}

extension Requirement.Level: ExpressibleByArgument {}

/// The options that select one case of a scenario, as the command that reproduces a failure has them.
struct CaseOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Use only this seed.", valueName: "number"))
  var caseSeed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use only this network: lte, a file, or --case-network='--loss 5% --stall 1s@2s'; none for no impairment.",
      valueName: "network"), completion: .networks)
  var caseNetwork: String?

  @Option(name: .long, help: ArgumentHelp("Send TCP streams only in pieces of this size.", valueName: "bytes"))
  var pieces: Int?

  /// Whether one case is selected.
  var isAsked: Bool { caseSeed != nil || caseNetwork != nil || pieces != nil }

  func validate() throws {
    if let pieces, pieces < 1 { throw ValidationError("--pieces is 1 or more bytes") }
  }

  /// The selected case; nil without these options.
  func chosen() throws -> OneCase? {
    do {
      return try OneCase(network: caseNetwork, pieces: pieces, seed: caseSeed)
    } catch let error as ImpairmentSyntaxError {
      throw Failure(.usage, "--case-network: \(error)")
    }
  }
}

/// `--time-limit`.
struct TimeLimitOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The time limit of a run on the wall clock. First one scenario of each requirement runs, then the other scenarios of musts, the shortest first; scenarios that do not fit are not run. A machine that is slower than planned gets a quarter more time, at least 30 s. (default: 180s)",
      valueName: "time"), transform: Parsers.interval)
  var timeLimit: Interval = .seconds(180)
}
