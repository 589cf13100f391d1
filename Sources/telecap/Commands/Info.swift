import ArgumentParser
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport

/// `telecap info`: a summary of a recording, or the hosts that advertise themselves.
struct Info: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Summarise a recording: sessions, rates, gaps, lost and dropped packets; or list hosts that advertise themselves.",
    usage: "telecap info [<options>] <input>\ntelecap info --discover <time>",
    discussion: """
      Examples:
        telecap info session.telecap
        telecap info session.pcapng --format json
        telecap info --discover 5s

      If a recording was killed, its messages are decoded first. While a recording
      is still running, only its packets are shown.
      """)

  @Argument(help: ArgumentHelp(Help.recording), completion: .recordings)
  var input: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Without a recording: list the hosts that advertise themselves within this time, such as 5s.", valueName: "time"),
    transform: Parsers.interval)
  var discover: Interval?

  @OptionGroup var format: StyledFormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    if input == nil, discover == nil {
      throw ValidationError("Missing expected argument '<input>', or --discover <time>")
    }
    if input != nil, discover != nil { throw ValidationError("--discover cannot be combined with a recording") }
    try Given.refuse(("gatt protocol", discover != nil, "requires a recording"))
    if discover != nil {
      try ports.numbers.refuse(but: "tele-beacon", words: "has no effect: --discover listens for beacons")
    }
  }

  func run() async throws {
    guard let input else { return try await search() }
    let (summary, damage, underived) = try ports.recording(input, attributes).summary()
    if let underived { Console.say("\(underived)") }
    try format.format.print(SummaryText(summary, style: format.style(for: 1)).lines(of: input)) {
      SummaryJSON.write(summary, to: &$0)
    }
    if let damage { throw damage }
  }

  /// Prints each advertised host when its beacon arrives.
  private func search() async throws {
    let search = Search(try ports.ports) { Console.say($0) }
    let count = try await search.run(for: discover?.nanoseconds ?? 0, stop: .signals, format.format.print)
    if count == 0 { throw Failure(.unavailable, "no host advertised itself", advice: search.advice) }
  }
}
