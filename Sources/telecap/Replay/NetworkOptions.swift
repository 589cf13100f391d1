import ArgumentParser
import TelecapImpairment

/// What a network is asked to do, and by which numbers.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Loss, perhaps with its correlation: 5% or 5%,25%.", valueName: "p"),
    transform: Parsers.randomLoss)
  var loss: Loss?

  @Option(
    name: .long,
    help: ArgumentHelp("Loss in bursts: gemodel:p,r,1-h,1-k or state:p13,p31,p32,p23,p14.", valueName: "model"),
    transform: Parsers.lossModel)
  var lossModel: Loss?

  @Option(
    name: .long, help: ArgumentHelp("Each delivery so much later: 20ms.", valueName: "time"),
    transform: Parsers.interval)
  var delay: Interval?

  @Option(
    name: .long, help: ArgumentHelp("How much the delay varies: 10ms.", valueName: "time"), transform: Parsers.interval)
  var jitter: Interval?

  @Option(
    name: .long, help: ArgumentHelp("uniform, normal, pareto or paretonormal.", valueName: "name"),
    transform: Parsers.distribution)
  var distribution: DelayDistribution?

  @Flag(name: .long, help: "No packet overtakes another of its flow.")
  var keepOrder = false

  @Option(
    name: .long, help: ArgumentHelp("Hold packets back behind others: 5%, or 5%,3.", valueName: "p,gap"),
    transform: Parsers.reorder)
  var reorder: Reorder?

  @Option(name: .long, help: ArgumentHelp("Deliver packets twice: 1%.", valueName: "p"), transform: Parsers.duplicate)
  var duplicate: Duplicate?

  @Option(
    name: .long, help: ArgumentHelp("Flip a random bit of packets: 1%.", valueName: "p"), transform: Parsers.corrupt)
  var corrupt: Corrupt?

  @Option(
    name: .long, help: ArgumentHelp("A slow link, perhaps with its queue: 64kbit or 64kbit,100.", valueName: "rate"),
    transform: Parsers.rate)
  var rate: Rate?

  @Option(
    name: .long, help: ArgumentHelp("Nothing leaves for so long, so often: 500ms@5s.", valueName: "d@e"),
    transform: Parsers.stall)
  var stall: Stall?

  @Option(
    name: .long, help: ArgumentHelp("Makes the same choices again; chosen and told when not given.", valueName: "n"))
  var seed: UInt64?

  func validate() throws {
    if loss != nil, lossModel != nil { throw ValidationError("give --loss or --loss-model, not both") }
    if jitter == nil, distribution != nil { throw ValidationError("--distribution goes with --jitter") }
    if jitter == nil, delay == nil, keepOrder { throw ValidationError("--keep-order goes with --delay or --jitter") }
  }

  /// What is asked for.
  var impairments: Impairments {
    var all = Impairments(
      loss: loss ?? lossModel, corrupt: corrupt, duplicate: duplicate, reorder: reorder, rate: rate, stall: stall)
    if delay != nil || jitter != nil {
      all.delay = Delay(
        base: delay ?? .zero, jitter: jitter ?? .zero, distribution: distribution ?? .uniform, keepsOrder: keepOrder)
    }
    return all
  }

  /// The seed that was given, or a new one.
  func chosenSeed() -> UInt64 { seed ?? UInt64.random(in: 1...999_999_999) }
}
