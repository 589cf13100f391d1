import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapWire

/// The ports, the same for every command that reads traffic, and the protocols beside those that it knows.
struct PortOptions: ParsableArguments {
  @OptionGroup var numbers: PortNumbers

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A protocol from a file, or of Scenarios/protocols by its name; for a capture, in the place of its own. Repeatable.",
      valueName: "file"), completion: .protocols)
  var `protocol`: [String] = []

  /// The words of a command line with the ports' own options put as `--port`.
  static func expanded(_ words: [String]) -> [String] { words.expandingPorts { Loaded.ports[$0] != nil } }

  /// The options as they were given.
  var words: [String] { self.protocol.flatMap { ["--protocol", $0] } + numbers.port.flatMap { ["--port", $0] } }

  /// The ports of the program with the numbers that were given, by which traffic can be read.
  var ports: Ports { get throws { try Loaded.files.readingPorts(numbers.given) } }
}

/// The numbers of ports. Each port of each protocol can be written as an option of its own, `--tele-udp 50001`: such words
/// become `--port tele-udp=50001` before the command line is parsed.
struct PortNumbers: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Another port than the documents' or the capture's: \(PortNumbers.list).", valueName: "id=number"))
  var port: [String] = []

  /// The numbers that were given, by the ports' ids; of two for the same port the later one counts.
  fileprivate var given: [String: UInt16] { Dictionary(port.compactMap { try? PortNumbers.setting($0) }) { $1 } }

  /// The ports of the program with these numbers.
  var ports: Ports { get throws { try Loaded.files.ports(given) } }

  /// The recording at `path`, its ports at these numbers.
  func recording(_ path: String, _ more: [String: UInt16] = [:]) throws -> Recording {
    try Loaded.files.recording(path, ports: given.merging(more) { $1 })
  }

  /// Whether there is such a port is told when it is known whose: a capture has its own.
  func validate() throws { for text in port { _ = try PortNumbers.setting(text) } }

  /// Refuses the ports that are none of these, whatever their option is called.
  func refuse(but ids: String..., words: String) throws {
    guard let id = port.map({ $0.halves.0 }).first(where: { !ids.contains($0) }) else { return }
    throw ValidationError("--\(id) \(words)")
  }

  private static let list = Loaded.ports.entries.map { "\($0.row.id) (\($0.row.standard))" }.joined(separator: ", ")

  /// A port's id and number. What is wrong is told in the words of the port's own option.
  private static func setting(_ text: String) throws -> (String, UInt16) {
    let (id, number) = text.halves
    guard let number, !number.isEmpty else { throw ValidationError("Missing value for '--\(id) <port>'") }
    guard let port = UInt16(number) else {
      let row = Loaded.ports.entries.first { $0.row.id == id }?.row
      throw ValidationError(
        "The value '\(number)' is invalid for '--\(id) <port>'"
          + (row.map { "\nHelp:  --\(id) <port>  \($0.help)" } ?? ""))
    }
    return (id, port)
  }
}
