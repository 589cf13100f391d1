import ArgumentParser
import TelecapFiles
import TelecapWire

/// The ports, the same for every command that reads traffic. Each port of each protocol can be written as an option of its
/// own, `--tele-udp 50001`: such words become `--port tele-udp=50001` before the command line is parsed.
struct PortOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Another port than the documents': \(PortOptions.list).", valueName: "id=number"))
  var port: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A protocol from a file, or of Scenarios/protocols by its name. Repeatable.", valueName: "file"))
  var `protocol`: [String] = []

  /// The ports with the numbers that were given.
  var ports: Ports { Loaded.ports.with(numbers) }

  /// The ports by which a recording is read: those that a capture was made with, unless others are given.
  func ports(of path: String) throws -> Ports {
    try Loaded.files.ports(of: path)?.with(numbers) ?? ports
  }

  /// What was given; of two for the same port the later one counts.
  private var numbers: [String: UInt16] {
    Dictionary(port.compactMap { try? PortOptions.setting($0) }) { $1 }
  }

  func validate() throws { for text in port { _ = try PortOptions.setting(text) } }

  private static let list = Loaded.ports.entries.map { "\($0.row.id) (\($0.row.standard))" }.joined(separator: ", ")

  /// A port's id and number. What is wrong is told in the words of the port's own option.
  private static func setting(_ text: String) throws -> (String, UInt16) {
    let (id, number) = halves(text)
    guard let row = Loaded.ports.entries.first(where: { $0.row.id == id })?.row else {
      throw ValidationError("there is no port \"\(id)\"; there are \(list)")
    }
    guard let number, !number.isEmpty else { throw ValidationError("Missing value for '--\(id) <port>'") }
    guard let port = UInt16(number) else {
      throw ValidationError(
        """
        The value '\(number)' is invalid for '--\(id) <port>'
        Help:  --\(id) <port>  \(row.help)
        """)
    }
    return (id, port)
  }

  /// What stands before the first `=`, and what stands behind it; nil where there is none.
  private static func halves(_ text: String) -> (String, String?) {
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  /// The words of a command line with the ports' own options put as `--port`. What begins with a dash is no number: it is
  /// left for its own option, so that the one without a number is what is complained of.
  static func expanded(_ words: [String]) -> [String] {
    var result: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      let (name, value) = halves(word)
      let id = String(name.dropFirst(2))
      guard word.hasPrefix("--"), Loaded.ports[id] != nil else {
        result.append(word)
        continue
      }
      let hasNext = rest.first.map { !$0.hasPrefix("-") } ?? false
      result += ["--port", "\(id)=\(value ?? (hasNext ? rest.removeFirst() : ""))"]
    }
    return result
  }
}
