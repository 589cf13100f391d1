import ArgumentParser
import TelecapFiles
import TelecapReport
import TelecapText

/// `telecap info`: what is in a recording, in numbers.
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is in a recording: sessions, rates, gaps, what was lost and dropped.",
    usage: "telecap info [<options>] <input>",
    discussion: """
      Examples:
        telecap info session.telecap
        telecap info session.pcapng --format json

      Messages of a recording that was killed are derived first. While a recording
      goes on, only its packets are shown.
      """)

  @Argument(help: "A .telecap capture, a pcap, pcapng or btsnoop file.", completion: .recordings)
  var input: String

  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func run() throws {
    let (summary, damage, isOfPacketsOnly) = try ports.recording(input, attributes).summary()
    if isOfPacketsOnly {
      Console.say("\(input): its packets only: it is being recorded, or may not be written")
    }
    try format.format.print(SummaryText(summary, style: Console.style(for: 1)).lines(of: input)) {
      SummaryJSON.write(summary, to: &$0)
    }
    if let damage { throw damage }
  }
}
