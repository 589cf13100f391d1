import ArgumentParser
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapTransport

/// `telecap discover`: the hosts that advertise themselves.
struct Discover: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the hosts that advertise themselves, by beacons and by mDNS.",
    usage: "telecap discover [<options>]",
    discussion: """
      Examples:
        telecap discover
        telecap discover --duration 2s --format json

      Each address is printed once, when it is first received. Ctrl-C ends the search.

      Exit status: 69 if no host advertised itself.
      """)

  @Option(
    name: .long, help: ArgumentHelp("Stop after this time. (default: 5s)", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval = .seconds(5)

  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortNumbers

  func validate() throws {
    try ports.refuse(but: "tele-beacon", words: "has no effect: telecap discover listens for beacons")
  }

  func run() async throws {
    let search = Search(try ports.ports) { Console.say($0) }
    let count = try await search.run(for: duration.nanoseconds, stop: .signals, format.format.print)
    if count == 0 { throw Failure(.unavailable, "no host advertised itself", advice: search.advice) }
  }
}
