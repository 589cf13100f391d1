import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapWire

/// The options that give ports their numbers. Each port of each protocol has an option of its own too, such as
/// `--tele-udp 50001`, which becomes `--port tele-udp=50001` before the command line is parsed.
///
/// In a debug build swift-argument-parser checks the options of a group five times, and those of a group in a group 25 times, at each
/// start and several times over: no group of options contains another one.
protocol PortNumbering: ParsableArguments {
  /// The given settings: `id=number`.
  var port: [String] { get }
}

/// The numbers of ports.
struct PortNumbers: PortNumbering {
  @Option(name: .long, help: PortNumbers.help) var port: [String] = []
  @Flag(name: .long, help: ProjectOption.help) var noProject = false

  fileprivate static let help = ArgumentHelp(
    "Replace a port number of the protocol or of the capture: \(list).", valueName: "id=number")

  private static let list = Loaded.ports.entries.map { "\($0.row.id) (\($0.row.standard))" }.joined(separator: ", ")

  /// The ports of all protocols at these numbers.
  var ports: Ports { get throws { try numbered } }

  func validate() throws { try checkNumbers() }
}

/// The ports, the same for every command that reads traffic, and the protocols in addition to the built-in ones.
struct PortOptions: PortNumbering {
  @Option(name: .long, help: PortNumbers.help) var port: [String] = []
  @Flag(name: .long, help: ProjectOption.help) var noProject = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A protocol file, or a name of Scenarios/protocols; replaces the declaration that a capture contains. May be repeated.",
      valueName: "file"), completion: .protocols)
  var `protocol`: [String] = []

  /// The words of a command line with each port option as `--port`.
  static func expanded(_ words: [String]) -> [String] { words.expandingPorts { Loaded.ports[$0] != nil } }

  /// The options as given.
  var words: [String] { self.protocol.flatMap { ["--protocol", $0] } + port.flatMap { ["--port", $0] } }

  /// The ports of all protocols at the given numbers, for reading traffic.
  var ports: Ports { get throws { try Loaded.files.readingPorts(given) } }

  func validate() throws { try checkNumbers() }
}

extension PortNumbering {
  /// The given numbers by the ports' ids; the last one counts if a port is given twice.
  fileprivate var given: [String: UInt16] { Dictionary(port.compactMap { try? Self.setting($0) }) { $1 } }

  /// The ports of all protocols at these numbers.
  var numbered: Ports { get throws { try Loaded.files.ports(given) } }

  /// The recording at `path`, read with its ports at these numbers.
  func recording(_ path: String, _ more: [String: UInt16] = [:]) throws -> Recording {
    try Loaded.files.recording(path, ports: given.merging(more) { $1 })
  }

  /// Checks the syntax only. Unknown ids are reported when the recording is open, because a capture has ports of its
  /// own.
  fileprivate func checkNumbers() throws { for text in port { _ = try Self.setting(text) } }

  /// Rejects ports with other ids, given by whichever option; those of the project file are defaults only.
  func refuse(but ids: String..., words: String) throws {
    let given = port.filter { !ProjectDefaults.hasPort($0) }
    guard let id = given.map({ $0.halves.0 }).first(where: { !ids.contains($0) }) else { return }
    throw ValidationError("--\(id) \(words)")
  }

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
