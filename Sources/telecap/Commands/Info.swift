import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapReport

/// `telecap info`: a summary of a recording.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Summarise a recording: sessions, rates, gaps, lost and dropped packets.",
    usage: "telecap info [<options>] <input>",
    discussion: """
      Examples:
        telecap info session.telecap
        telecap info session.pcapng --format json

      If a recording was killed, its messages are decoded first. While a recording
      is still running, only its packets are shown.
      """)

  @Argument(help: ArgumentHelp(Help.recording), completion: .recordings)
  var input: String

  @OptionGroup var range: RangeOptions
  @OptionGroup var format: StyledFormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func run() throws {
    let (summary, damage, underived) = try ports.recording(input, attributes, range).summary()
    if let underived { Console.say("\(underived)") }
    try format.format.print(SummaryText(summary, style: format.style(for: 1)).lines(of: input)) {
      SummaryJSON.write(summary, to: &$0)
    }
    if let damage { throw damage }
  }
}
