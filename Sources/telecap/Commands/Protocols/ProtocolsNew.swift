import ArgumentParser
import TelecapFiles
import TelecapProtocols
import TelecapReplay
import TelecapText

/// `telecap protocols new`: generates a protocol file from traffic.
struct ProtocolsNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Generate a protocol file from the traffic of a UDP port in a capture.",
    discussion: """
      Examples:
        telecap protocols new lamp --from lamp.pcapng --port 7000
        telecap protocols new lamp --from lamp.pcapng --port 7000 -o lamp.yaml

      Payloads are grouped by size and constant bytes. Types, lengths, counters,
      clocks, floats and checksums are guessed; a comment at each field has the
      observed values. The file decodes the traffic; complete its names, units and
      rules by hand.
      """)

  @Argument(help: ArgumentHelp("The name of the protocol: lower-case letters and digits.", valueName: "name"))
  var name: String

  @Option(name: .long, help: ArgumentHelp(Help.recording, valueName: "capture"), completion: .recordings)
  var from: String

  @Option(name: .long, help: ArgumentHelp("The UDP port on which the server listens.", valueName: "number"))
  var port: [UInt16]

  @OptionGroup var output: OutputOptions

  func validate() throws {
    // An array, as for --port in other commands: with a single value, the last of two numbers would win silently.
    if port.count > 1 { throw ValidationError("--port is given twice") }
    try Given.refuseSame([("--from", from)], to: [("--output", output.output)])
  }

  func run() throws {
    let port = port[0]
    let traffic = try SampledTraffic(from, port: port)
    guard traffic.count > 0 else {
      throw Failure(
        .data, "\(from): no payload to or from UDP port \(port)",
        advice: "telecap info \(Escaping.shell(from)) lists what is in it")
    }
    let inferred = try ProtocolInference(name, port: port, from: traffic.samples, source: from)
    try Output.write(inferred.text, to: output.output, force: output.force)
    Console.say(
      "decodes \(Numbers.grouped(inferred.decoded)) of \(Numbers.counted(inferred.count, "payload"))"
        + (traffic.count > inferred.count ? ", the first of \(Numbers.grouped(traffic.count))" : ""))
    if let damage = traffic.damage { throw damage }
  }
}
