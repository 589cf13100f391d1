import ArgumentParser
import TelecapImpairment
import TelecapReplay

/// The messages to which impairments apply, for the commands that send a recording.
struct ImpairedMessagesOption: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Impair only messages that this SQL condition selects.", valueName: "sql"))
  var `where`: String?
}

/// The impairments of the network, and the messages to which they apply.
struct ImpairmentChoice {
  let network: NetworkOptions
  /// An SQL condition; nil for all messages.
  var `where`: String?

  /// The impairments of these options.
  var impairments: Impairments { get throws { try network.impairments } }

  /// The reason why an option cannot be combined with a saved plan, to be read after its name.
  static let planned = "cannot be combined with --plan, which decides what happens and when"

  init(_ network: NetworkOptions, _ messages: ImpairedMessagesOption) {
    (self.network, self.where) = (network, messages.where)
  }

  /// Throws if these options cannot be combined.
  func check() throws {
    try Given.refuse(
      ("where", Given.options.contains("plan"), ImpairmentChoice.planned),
      ("where", network.isUnimpaired, "requires an impairment: it selects the messages to impair"))
  }

  /// The first line of a plan with these options. Chooses a seed if none was given.
  func header(_ time: Timeline, _ impairments: Impairments, _ survey: RecordingScan) -> PlanHeader {
    PlanHeader(
      seed: network.chosenSeed(), capture: survey.digest.description, selection: self.where ?? "",
      impairments: impairments, speed: time.speed, maxGap: time.maxGap)
  }
}
