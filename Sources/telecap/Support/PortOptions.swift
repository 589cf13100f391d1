import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapWire

/// The ports, the same for every command that reads traffic, and the protocols in addition to the built-in ones.
struct PortOptions: ParsableArguments {
  @OptionGroup var numbers: PortNumbers

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A protocol file, or a name of Scenarios/protocols; replaces the declaration that a capture contains. May be repeated.",
      valueName: "file"), completion: .protocols)
  var `protocol`: [String] = []

  /// The words of a command line with each port option as `--port`.
  static func expanded(_ words: [String]) -> [String] { words.expandingPorts { Loaded.ports[$0] != nil } }

  /// The options as given.
  var words: [String] { self.protocol.flatMap { ["--protocol", $0] } + numbers.port.flatMap { ["--port", $0] } }

  /// The ports of all protocols at the given numbers, for reading traffic.
  var ports: Ports { get throws { try Loaded.files.readingPorts(numbers.given) } }
}

/// The numbers of ports. Each port of each protocol has an option of its own too, such as `--tele-udp 50001`, which
/// becomes `--port tele-udp=50001` before the command line is parsed.
struct PortNumbers: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Replace a port number of the protocol or of the capture: \(PortNumbers.list).", valueName: "id=number"))
  var port: [String] = []

  @OptionGroup var project: ProjectOption

  /// The given numbers by the ports' ids; the last one counts if a port is given twice.
  fileprivate var given: [String: UInt16] { Dictionary(port.compactMap { try? PortNumbers.setting($0) }) { $1 } }

  /// The ports of all protocols at these numbers.
  var ports: Ports { get throws { try Loaded.files.ports(given) } }

  /// The recording at `path`, read with its ports at these numbers.
  func recording(_ path: String, _ more: [String: UInt16] = [:]) throws -> Recording {
    try Loaded.files.recording(path, ports: given.merging(more) { $1 })
  }

  /// Checks the syntax only. Unknown ids are reported when the recording is open, because a capture has ports of its
  /// own.
  func validate() throws { for text in port { _ = try PortNumbers.setting(text) } }

  /// Rejects ports with other ids, given by whichever option; those of the project file are defaults only.
  func refuse(but ids: String..., words: String) throws {
    let given = port.filter { !ProjectDefaults.hasPort($0) }
    guard let id = given.map({ $0.halves.0 }).first(where: { !ids.contains($0) }) else { return }
    throw ValidationError("--\(id) \(words)")
  }

  private static let list = Loaded.ports.entries.map { "\($0.row.id) (\($0.row.standard))" }.joined(separator: ", ")

  /// A port's id and number. Errors name the port's own option.
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
