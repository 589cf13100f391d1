import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapReplay
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWire

/// What this run of the program knows: the built-in protocols, and those of the files that `--protocol` names.
enum Loaded {
  /// What `--protocol` names.
  private static let names = Array(CommandLine.arguments.dropFirst()).values(of: "--protocol")

  /// What `--protocol` names, read; or what is wrong with the first that cannot be.
  private static let readings = Result { try ProtocolLibrary().read(names) }

  /// Throws what is wrong with a `--protocol`: asked once, before anything else.
  static func check() throws {
    _ = try readings.get()
    let words = CommandLine.arguments.dropFirst()
    if let name = names.first(where: isBuiltIn), !words.contains(where: { $0.hasPrefix("--hex") }) {
      throw Failure(.usage, "--protocol \(name): known without; with --hex it says what the digits hold")
    }
    // All options are looked up only where one could be meant.
    for row in declared.flatMap(\.ports)
    where words.contains(where: { $0 == "--\(row.id)" || $0.hasPrefix("--\(row.id)=") })
      && OptionNames.all.contains(row.id)
    {
      throw Failure(
        .data, "the port \"\(row.id)\" cannot be told from the option --\(row.id)",
        advice: "give the port another \"id\"")
    }
  }

  /// The files of `--protocol`, by whatever they were named.
  static let paths = Set(names.compactMap { try? ProtocolLibrary().path(of: $0) })

  private static func isBuiltIn(_ name: String) -> Bool { Protocols.builtIn.contains { $0.name == name } }

  /// The protocols that `--protocol` names, also built-in ones.
  static let named = (try? readings.get()) ?? []
  /// The protocols of files that are not built in.
  static let declared = named.filter { !Protocols.isBuiltIn($0) }
  /// All protocols, in the order in which captures number their messages.
  static let protocols = Protocols.builtIn + declared
  /// Their ports, as their documents say.
  static let ports = Ports(protocols)
  /// Recordings, as a program reads and makes them that knows these.
  static let files = RecordingFiles(
    builtIn: Protocols.builtIn, declared: declared,
    maker: RecordingFiles.Maker(
      version: Telecap.versionText, host: Machine.name, commandLine: Escaping.shellCommand(CommandLine.arguments),
      now: { WallClock.now() }), reading: ProtocolLibrary.declared, tell: Console.say)

  /// What is required of systems: by our suites, and by what the files declare.
  static let suites = Suites(Suites.all.all + declared.map { Suite.declared(by: $0) })
}
