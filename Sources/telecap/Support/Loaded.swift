import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapReplay
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWire

/// The protocols of this process: the built-in ones, and those of the files of `--protocol`.
enum Loaded {
  /// The values of `--protocol`, or else the protocols of the project file.
  private static let names: [String] = {
    let given = Given.words.values(of: "--protocol")
    return given.isEmpty ? ProjectDefaults.protocols : given
  }()

  /// The protocols of `--protocol`, or the error of the first that cannot be read.
  private static let readings = Result { try ProtocolLibrary().read(names) }

  /// Throws the error of an invalid `--protocol`. Called once, before anything else.
  static func check() throws {
    _ = try readings.get()
    let words = Given.words
    if let name = names.first(where: isBuiltIn), !words.contains(where: { $0.hasPrefix("--hex") }) {
      throw Failure(
        .usage, "--protocol \(name): built in, and needed only with --hex, to select the protocol of the digits")
    }
    // Dump the options of all commands only for a word that could be a port option, because the dump is slow.
    for row in declared.flatMap(\.ports)
    where words.contains(where: { $0 == "--\(row.id)" || $0.hasPrefix("--\(row.id)=") })
      && OptionNames.all.contains(row.id)
    {
      throw Failure(
        .data, "the port \"\(row.id)\" has the name of the option --\(row.id)",
        advice: "give the port another \"id\"")
    }
  }

  /// The paths of the files of `--protocol`, given by path or by name.
  static let paths = Set(names.compactMap { try? ProtocolLibrary().path(of: $0) })

  private static func isBuiltIn(_ name: String) -> Bool { Protocols.builtIn.contains { $0.name == name } }

  /// The protocols of `--protocol`, also built-in ones.
  static let named = (try? readings.get()) ?? []
  /// The protocols from files that are not built in.
  static let declared = named.filter { !Protocols.isBuiltIn($0) }
  /// All protocols, in the order in which captures number their messages.
  static let protocols = Protocols.builtIn + declared
  /// The ports of the protocols, with their standard numbers.
  static let ports = Ports(protocols)
  /// Reads and writes recordings with these protocols.
  static let files = RecordingFiles(
    builtIn: Protocols.builtIn, declared: declared,
    maker: RecordingFiles.Maker(
      version: Telecap.versionText, host: Machine.name,
      commandLine: Escaping.shellCommand(CommandLine.arguments.prefix(1) + Given.words),
      now: { WallClock.now() }), reading: ProtocolLibrary.declared, tell: Console.say)

  /// The suites of the built-in protocols, and those that follow from the declarations in files.
  static let suites = Suites(Suites.all.all + declared.map { Suite.declared(by: $0) })
}
