import ArgumentParser
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapText

/// `telecap plan`: the plan of a replay, as data.
struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compute what an impaired network does to each packet of a recording, as JSON Lines.",
    discussion: """
      Examples:
        telecap plan session.telecap --loss 5% --seed 7
        telecap plan session.pcapng --role host --delay 20ms --jitter 10ms \\
            -o worse.plan
        telecap replay session.pcapng --role host --plan worse.plan

      The first line states the capture, the options and the seed. Then each packet
      has one line, such as {"packet":12,"verdict":"drop","by":"loss"}. The same
      capture, options and seed give the same bytes. Edit the plan, and apply it with
      telecap replay --plan. Impairments apply to datagrams: TCP streams keep every
      byte in order.
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup var range: RangeOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions
  @OptionGroup(title: "Impairments") var network: NetworkOptions
  @OptionGroup(title: "Impairments") var messages: ImpairedMessagesOption

  @OptionGroup var place: OutputOptions

  private var impairments: ImpairmentChoice { ImpairmentChoice(network, messages) }

  func validate() throws {
    try impairments.check()
    try Given.refuseSame([("the recording", source.input)], to: [("--output", place.output)])
  }

  func run() throws {
    let asked = try impairments.impairments
    let recorded = try source.source(range, ports, attributes)
    let run = try ReplayRun(of: recorded, source.timeline, where: impairments.where, tell: Console.say) {
      impairments.header(source.timeline, asked, $0)
    }
    try run.refuseIdle()
    let (survey, header) = (run.survey, run.feeder.header)
    var out = try Output(path: place.output, force: place.force)
    let fed = try run.feeder.plan { try out.write($0) }
    try out.finish()
    // Print on stderr, because the plan itself is the result on stdout.
    Console.say(
      "plan \(fed.planDigest?.description ?? "?"): \(Numbers.counted(survey.units, "packet")) of capture "
        + "\(survey.digest), seed \(header.seed)")
    for line in fed.account(of: header) { Console.say("  \(line)") }
    if let damage = fed.damage { throw damage }
  }
}
