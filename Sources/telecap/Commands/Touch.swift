import ArgumentParser
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapText

/// `telecap touch`: what a trace of touches is felt as, and what of it is handed on.
struct Touch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Trace touches over views: the impacts that are felt, the touches that are handed on.",
    discussion: """
      Examples:
        telecap touch hand.jsonl --views screen.json
        telecap touch hand.jsonl --views screen.json --loss 20% --seed 7
        telecap touch hand.jsonl --views screen.json --loss 20% --write-plan x.plan
        telecap touch hand.jsonl --store hand.telecap
        telecap touch hand.telecap --views screen.json

      A trace is JSON Lines, a sample each: time (s), phase, x, y (points), force.
      Views are JSON: name, kind, frame, texture, threshold, children. A light
      touch feels what is under the finger; one harder than the threshold is
      handed on to it. Of what the network does, only the samples between began
      and ended suffer.
      """)

  @Argument(help: ArgumentHelp("A trace, or a .telecap, pcap or pcapng file that holds one.", valueName: "trace"))
  var trace: String

  @Option(name: .long, help: ArgumentHelp("The views on the screen.", valueName: "file"))
  var views: String?

  @Flag(name: .long, help: "The device measures no pressure.")
  var noPressure = false

  @Option(name: .long, help: ArgumentHelp("Write the trace as a capture too, a datagram a sample.", valueName: "file"))
  var store: String?

  @Flag(name: .long, help: "Replace the files of --store and --write-plan if they exist.")
  var force = false

  @Option(name: .long, help: ArgumentHelp("Do what this plan says, in place of impairments.", valueName: "file"))
  var plan: String?

  @Option(name: .long, help: ArgumentHelp("Write the plan that the impairments make.", valueName: "file"))
  var writePlan: String?

  @Option(name: .long, help: ArgumentHelp("UDP port of touch samples in captures.", valueName: "port"))
  var touchUdp: UInt16 = TouchTrace.port

  @OptionGroup(title: "Impairments") var network: NetworkOptions

  @OptionGroup var format: FormatOption

  func validate() throws {
    if views == nil, store == nil { throw ValidationError("name the views with --views, or a file with --store") }
    if plan != nil, network.impairments != .none || network.seed != nil || writePlan != nil {
      throw ValidationError("--plan says all: it goes without impairments, --seed and --write-plan")
    }
  }

  func run() throws {
    let trace = try TouchTrace(path: self.trace, port: touchUdp)
    if let store {
      try trace.store(to: store, force: force, port: touchUdp)
      Console.say("\(store): \(Numbers.grouped(trace.lines.count)) samples")
    }
    guard let views else { return }
    var tracer = TouchTracer(try tree(views), hasPressure: !noPressure)
    let plan =
      if let path = self.plan {
        try TouchPlan(path: path, for: trace)
      } else {
        TouchPlan(trace, network.impairments, seed: network.chosenSeed())
      }
    if let writePlan { try plan.write(to: writePlan, force: force) }
    var run = TouchRun()
    var out = Output()
    var (impacts, handedOn) = (0, 0)
    try run.run(trace, by: plan, &tracer) { event, time in
      switch event {
      case .impact: impacts += 1
      case .handedOn: handedOn += 1
      case .scrolled, .sinks: break
      }
      try print(event, time, to: &out)
    }
    try out.flush()
    var words = "\(Numbers.grouped(trace.lines.count)) samples"
    if plan.header.impairments != .none || self.plan != nil {
      words += ", \(run.lost) lost, \(run.delivered) delivered, seed \(plan.header.seed)"
    }
    if run.invalid > 0 { words += ", \(run.invalid) not valid" }
    Console.say("\(words); \(impacts) impact\(impacts == 1 ? "" : "s"), \(handedOn) handed on")
  }

  private func tree(_ path: String) throws -> ViewTree {
    let text = try TextFile.bytes(path)
    do throws(TouchFileError) {
      return try ViewTree(json: text)
    } catch {
      throw Failure(.data, "\(path):\(error)")
    }
  }

  private func print(_ event: TouchEvent, _ time: Int64, to out: inout Output) throws {
    guard format.format == .json else {
      return try out.line("\(Numbers.fixed(Double(time) / 1e9, 3).rightAligned(to: 8)) s  \(event)")
    }
    var json = JSONWriter()
    json.beginObject()
    json.put("time_ns", time)
    switch event {
    case .impact(let style, let view, let reason):
      json.put("event", "impact")
      json.put("style", style.rawValue)
      json.put("view", view)
      json.put("reason", reason.rawValue)
    case .handedOn(let phase, let view):
      json.put("event", "handed-on")
      json.put("phase", phase.rawValue)
      if let view { json.put("view", view) }
    case .scrolled(let view, let x, let y):
      json.put("event", "scrolled")
      json.put("view", view)
      json.put("x", x)
      json.put("y", y)
    case .sinks(let view, let depth):
      json.put("event", "sinks")
      json.put("view", view)
      json.put("depth", depth)
    }
    json.endObject()
    json.endLine()
    try out.take(&json)
  }
}
