import ArgumentParser
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapWire

/// The ports, the same for every command that reads traffic, and the protocols beside those that it knows.
struct PortOptions: ParsableArguments {
  @OptionGroup var numbers: PortNumbers

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A protocol from a file, or of Scenarios/protocols by its name. Repeatable.", valueName: "file"))
  var `protocol`: [String] = []

  /// The ports with the numbers that were given.
  var ports: Ports { numbers.ports }

  /// The ports by which a recording is read: those that a capture was made with, unless others are given.
  func ports(of path: String) throws -> Ports { try numbers.ports(of: path) }

  /// Two protocols at one port cannot be told apart: the first would be read, and nothing said of the other.
  func validate() throws {
    for clash in ports.clashes where clash.contains(where: isDeclared) {
      let port = "\(clash[0].row.carrier.name.uppercased()) port \(clash[0].number)"
      throw ValidationError(
        "\(port) is that of \(clash[0].dialect.protocolName) and of \(clash[1].dialect.protocolName); "
          + "move one with --port \(clash[1].row.id)=NUMBER")
    }
  }

  /// It is a file's.
  private func isDeclared(_ entry: Ports.Entry) -> Bool {
    !Protocols.builtIn.contains { $0 === entry.dialect.owner }
  }
}

/// The numbers of ports. Each port of each protocol can be written as an option of its own, `--tele-udp 50001`: such words
/// become `--port tele-udp=50001` before the command line is parsed.
struct PortNumbers: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Another port than the documents': \(PortNumbers.list).", valueName: "id=number"))
  var port: [String] = []

  /// The ports with the numbers that were given.
  var ports: Ports { given(to: Loaded.ports) }

  /// The ports by which a recording is read: those that a capture was made with, unless others are given.
  func ports(of path: String) throws -> Ports { try Loaded.files.ports(of: path).map { given(to: $0) } ?? ports }

  /// These ports with the numbers that were given; of two for the same port the later one counts.
  private func given(to ports: Ports) -> Ports {
    ports.with(Dictionary(port.compactMap { try? PortNumbers.setting($0) }) { $1 })
  }

  func validate() throws { for text in port { _ = try PortNumbers.setting(text) } }

  /// Refuses the ports that are none of these, whatever their option is called.
  func refuse(but ids: String..., words: String) throws {
    guard let id = port.map({ PortNumbers.halves($0).0 }).first(where: { !ids.contains($0) }) else { return }
    throw ValidationError("--\(id) \(words)")
  }

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
  fileprivate static func halves(_ text: String) -> (String, String?) {
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}

extension PortOptions {
  /// The words of a command line with the ports' own options put as `--port`. What begins with a dash is no number: it is
  /// left for its own option, so that the one without a number is what is complained of.
  static func expanded(_ words: [String]) -> [String] {
    var result: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      let (name, value) = PortNumbers.halves(word)
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
