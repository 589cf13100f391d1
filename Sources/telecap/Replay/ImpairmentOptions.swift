import ArgumentParser
import TelecapImpairment
import TelecapReplay

/// What the network is asked to do, and to which messages: the same options for `plan` and `replay`.
struct ImpairmentOptions: ParsableArguments {
  @OptionGroup(title: "Impairments") var network: NetworkOptions

  @Option(name: .long, help: ArgumentHelp("Only messages that this SQL condition chooses suffer.", valueName: "sql"))
  var `where`: String?

  /// What is asked for.
  var impairments: Impairments { get throws { try network.impairments } }

  /// Why an option has no effect beside a saved plan, to be read behind its name.
  static let planned = "cannot be combined with --plan, which decides what happens and when"

  func validate() throws {
    try Given.refuse(
      ("where", Given.options.contains("plan"), ImpairmentOptions.planned),
      ("where", network.isUnimpaired, "says what an impairment strikes: give one, or leave it out"))
  }

  /// The first line of a plan that these options make. Chooses a seed when none was given.
  func header(_ time: Timeline, _ impairments: Impairments, _ survey: RecordingScan) -> PlanHeader {
    PlanHeader(
      seed: network.chosenSeed(), capture: survey.digest.description, selection: self.where ?? "",
      impairments: impairments, speed: time.speed, maxGap: time.maxGap)
  }
}
