import ArgumentParser
import TelecapImpairment
import TelecapReplay

/// The impairments of the network, and the messages to which they apply: the same options for `plan` and `replay`.
struct ImpairmentOptions: ParsableArguments {
  @OptionGroup(title: "Impairments") var network: NetworkOptions

  @Option(name: .long, help: ArgumentHelp("Impair only messages that this SQL condition selects.", valueName: "sql"))
  var `where`: String?

  /// The impairments of these options.
  var impairments: Impairments { get throws { try network.impairments } }

  /// The reason why an option cannot be combined with a saved plan, to be read after its name.
  static let planned = "cannot be combined with --plan, which decides what happens and when"

  func validate() throws {
    try Given.refuse(
      ("where", Given.options.contains("plan"), ImpairmentOptions.planned),
      ("where", network.isUnimpaired, "requires an impairment: it selects the messages to impair"))
  }

  /// The first line of a plan with these options. Chooses a seed if none was given.
  func header(_ time: Timeline, _ impairments: Impairments, _ survey: RecordingScan) -> PlanHeader {
    PlanHeader(
      seed: network.chosenSeed(), capture: survey.digest.description, selection: self.where ?? "",
      impairments: impairments, speed: time.speed, maxGap: time.maxGap)
  }
}
