import ArgumentParser
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapText

/// `telecap plan`: what a replay would do, as data.
struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decide what a worse network does to a recording, packet by packet, as JSON Lines.",
    discussion: """
      Examples:
        telecap plan session.telecap --loss 5% --seed 7
        telecap plan session.pcapng --as host --delay 20ms --jitter 10ms \\
            -o worse.plan
        telecap replay session.pcapng --as host --plan worse.plan

      The first line says what the plan was made from; then comes one line for each
      packet, such as {"packet":12,"verdict":"drop","by":"loss"}. The same capture,
      options and seed give the same bytes. Edit it, and run it with telecap replay
      --plan. Impairments apply to datagrams: streams over TCP keep every byte in
      its order.
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup(title: "Impairments") var impairments: ImpairmentOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to write the plan (default: standard output).", valueName: "file"))
  var output = "-"

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  func run() throws {
    let replay = try ReplaySource(source)
    let survey = try Survey(replay)
    let selection = try impairments.selection(of: replay)
    let header = impairments.header(source.speed, survey)
    var out = try Output(path: output, force: force)
    var planner = UnitPlanner(header, source.timeline, file: nil, selection: selection)
    let reading = try replay.read(upTo: survey.reading.lastPacket) { unit, _, bytes in
      let time = planner.runTime(of: unit)
      try planner.plan(unit, at: time, length: bytes.byteCount) { _, _ in }
      if planner.text.count > 32_768 { try planner.takeText { try out.write($0) } }
    }
    try planner.finish { _, _ in }
    try planner.takeText { try out.write($0) }
    try out.flush()
    say(planner.rates, header, survey, planner.digest())
    if let damage = reading.damage { throw damage }
  }

  /// What it came to, on stderr: the plan itself is the result.
  private func say(_ rates: AppliedRates, _ header: PlanHeader, _ survey: Survey, _ digest: CaptureDigest) {
    Console.say(
      "plan \(digest): \(Numbers.grouped(survey.units)) packets of capture \(survey.digest), seed \(header.seed)")
    for rate in rates.account(of: header.impairments) { Console.say("  \(rate)") }
  }
}

extension ImpairmentOptions {
  /// The first line of a plan that these options make. Chooses a seed when none was given.
  func header(_ speed: Speed?, _ survey: Survey) -> PlanHeader {
    PlanHeader(
      seed: chosenSeed(), capture: survey.digest.description, selection: self.where ?? "", impairments: impairments,
      speed: speed ?? .recorded)
  }

  /// Which packets suffer, by their numbers.
  func selection(of source: ReplaySource) throws -> @Sendable (Int) -> Bool {
    guard let condition = self.where else { return { _ in true } }
    let packets = try Loaded.files.packets(of: source.place, where: condition, ports: source.ports)
    return { packets.contains($0) }
  }
}
