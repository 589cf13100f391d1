import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapStore
import TelecapSuites
import TelecapTransport
import TelecapWire

/// What this run of the program knows: the built-in protocols, and those of the files that `--protocol` names.
enum Loaded {
  /// The files of `--protocol`, read; or what is wrong with the first that cannot be.
  private static let declarations: Result<[WireProtocol], Failure> = {
    do {
      var protocols: [WireProtocol] = []
      // Those in Swift are there in any case.
      for name in named(CommandLine.arguments.dropFirst()) where !isBuiltIn(name) {
        protocols.append(try read(name, beside: protocols))
      }
      return .success(protocols)
    } catch {
      return .failure(Failure(error) ?? Failure(.data, "\(error)"))
    }
  }()

  /// Throws what is wrong with a `--protocol`: asked once, before anything else.
  static func check() throws {
    let declared = try declarations.get()
    let words = CommandLine.arguments.dropFirst()
    if let name = named(words).first(where: isBuiltIn), !words.contains(where: { $0.hasPrefix("--hex") }) {
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

  private static func isBuiltIn(_ name: String) -> Bool { Protocols.builtIn.contains { $0.name == name } }

  /// The protocols, in the order in which captures number their messages.
  static let protocols = Protocols.builtIn + ((try? declarations.get()) ?? [])
  /// Their ports, as their documents say.
  static let ports = Ports(protocols)
  /// Recordings, as a program reads and makes them that knows these.
  static let files = RecordingFiles(
    builtIn: Protocols.builtIn, declared: (try? declarations.get()) ?? [],
    maker: RecordingFiles.Maker(
      version: Telecap.versionText, host: Host.name, commandLine: CommandLine.arguments.joined(separator: " "),
      now: { WallClock.now() }), reading: declared)

  /// What is required of systems: by our suites, and by what the files declare.
  static let suites = Suites(Suites.all.all + ((try? declarations.get()) ?? []).map { Suite.declared(by: $0) })

  /// The words behind each `--protocol`.
  private static func named(_ words: ArraySlice<String>) -> [String] {
    var names: [String] = []
    var rest = words
    while let word = rest.popFirst(), word != "--" {
      if word == "--protocol", let name = rest.popFirst() { names.append(name) }
      if word.hasPrefix("--protocol=") { names.append(String(word.dropFirst("--protocol=".count))) }
    }
    return names
  }

  /// The protocol of a file; a bare name is a file of `Scenarios/protocols`.
  private static func read(_ name: String, beside others: [WireProtocol]) throws -> WireProtocol {
    let isPath = name.contains("/") || name.hasSuffix(".yaml")
    let folder = "\(ScenarioFolder(nil).root)/protocols"
    let path = isPath ? name : "\(folder)/\(name).yaml"
    if !isPath, !Folders.exists(path) {
      let files = ((try? Folders.names(in: folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map {
        String($0.dropLast(5))
      }
      throw Failure(
        .usage,
        "there is no protocol \"\(name)\"; there are \(Protocols.builtIn.map(\.name).joined(separator: ", "))"
          + (files.isEmpty ? "" : " and, in files, \(files.sorted().joined(separator: ", "))"),
        advice: "name its file, with a slash in it: ./\(name).yaml")
    }
    return try declared(try TextFile.read(path), path, beside: Protocols.builtIn + others)
  }

  /// The protocol that a text declares, if captures can hold it and it can be told from the others.
  @Sendable
  private static func declared(
    _ text: String, _ file: String, beside others: [WireProtocol]
  ) throws -> WireProtocol {
    let surroundings = ProtocolSurroundings(others, taken: taken) { CaptureSchema.problem(ofColumn: $0) }
    let one: WireProtocol
    do throws(YAMLFileError) {
      one = try ProtocolFile.read(text, file: file, beside: surroundings)
    } catch {
      throw Failure(.data, error.description)
    }
    if let problem = CaptureSchema(others + [one]).problem { throw Failure(.data, "\(file): \(problem)") }
    return one
  }

  /// The names of our suites, whose requirements have ids that begin with them.
  private static let taken = Set(
    Suites.all.requirements.compactMap { $0.id.split(separator: ".").first.map(String.init) })
}
