import ArgumentParser
import TelecapFiles
import TelecapHapticTools
import TelecapHaptics
import TelecapImpairment
import TelecapReplay
import TelecapText

/// `telecap touch`: the haptics of a touch trace, and the touches that are forwarded.
struct Touch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Trace touches over views: the impacts that are felt, and the touches that are forwarded.",
    discussion: """
      Examples:
        telecap touch hand.jsonl --views screen.json
        telecap touch hand.jsonl --views screen.json --loss 20% --seed 7
        telecap touch hand.jsonl --views screen.json --loss 20% --write-plan x.plan
        telecap touch hand.jsonl --store hand.telecap
        telecap touch hand.telecap --views screen.json

      A trace is JSON Lines, one sample per line: time (s), phase, x, y (points),
      force. Views are JSON: name, kind, frame, texture, threshold, children. A light
      touch feels the view under the finger; a touch harder than the threshold is
      forwarded to that view. Impairments apply only to samples between began and
      ended.
      """)

  @Argument(
    help: ArgumentHelp(
      "A trace, or a capture that contains one: .telecap, .pcap, .pcapng or .snoop, also compressed: .gz, .zst.",
      valueName: "trace"))
  var trace: String

  @Option(name: .long, help: ArgumentHelp("The file with the views on the screen.", valueName: "file"))
  var views: String?

  @Flag(name: .long, help: "The device measures no pressure.")
  var noPressure = false

  @Option(
    name: .long, help: ArgumentHelp("Also write the trace as a capture, one datagram per sample.", valueName: "file"))
  var store: String?

  @Flag(name: .long, help: "Replace the files of --store and --write-plan if they exist.")
  var force = false

  @Option(name: .long, help: ArgumentHelp("Apply this plan in place of impairments.", valueName: "file"))
  var plan: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Write the plan of the impairments; - is standard output.", valueName: "file"))
  var writePlan: String?

  @Option(name: .long, help: ArgumentHelp("UDP port of touch samples in captures.", valueName: "port"))
  var touchUdp: UInt16 = TouchTrace.port

  @OptionGroup(title: "Impairments") var network: SampleNetworkOptions

  @OptionGroup var format: FormatOption

  func validate() throws {
    if views == nil, store == nil { throw ValidationError("name the views with --views, or a file with --store") }
    let (listed, isUnimpaired) = (SampleNetworkOptions.names, network.isUnimpaired)
    try Given.refuse(
      (
        "\(listed) seed no-pressure plan write-plan format", views == nil,
        "requires --views: without views nothing is traced"
      ),
      ("\(listed) seed write-plan", plan != nil, "cannot be combined with --plan, which decides everything"),
      ("seed", isUnimpaired && writePlan == nil, "requires an impairment"),
      ("force", store == nil && (writePlan == nil || writePlan == "-"), "requires --store FILE or --write-plan FILE"),
      ("touch-udp", store == nil && !TouchTrace.isCapture(trace), "requires a capture, or with --store"))
    try Given.refuseSame(
      [("the trace", trace), ("--views", views), ("--plan", plan)],
      to: [("--store", store), ("--write-plan", writePlan)])
    try OutputOptions.checkCapture("store", store)
  }

  func run() throws {
    let trace = try TouchTrace(path: self.trace, port: touchUdp, in: Loaded.files)
    if let store {
      try trace.store(to: store, force: force, port: touchUdp, ports: Loaded.ports, in: Loaded.files)
      Console.say("\(store): \(Numbers.grouped(trace.lines.count)) samples")
    }
    guard let views else { return }
    var tracer = TouchTracer(try ViewTree(file: views), hasPressure: !noPressure)
    let plan =
      if let path = self.plan {
        try TouchPlan(path: path, for: trace)
      } else {
        TouchPlan(trace, try samples(network.impairments), seed: network.chosenSeed())
      }
    if let writePlan { try Output.write(plan.text, to: writePlan, force: force) }
    var run = TouchRun()
    // Print haptics on stderr if the plan is on stdout.
    var out = writePlan == "-" ? Output.talk() : Output()
    try run.run(trace, by: plan, &tracer, isJSON: format.format == .json, to: &out)
    Console.say(run.summary(of: trace, by: plan, isSaved: self.plan != nil))
  }

  /// Rejects a network that changes fields of messages, because samples have none. All other impairments apply to
  /// samples.
  private func samples(_ impairments: Impairments) throws -> Impairments {
    guard impairments.changesFields else { return impairments }
    throw ValidationError("--network changes fields of messages: a trace of touches has none")
  }
}
