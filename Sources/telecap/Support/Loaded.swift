import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapReplay
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
      for name in named(CommandLine.arguments.dropFirst()) { protocols.append(try read(name, beside: protocols)) }
      return .success(protocols)
    } catch {
      return .failure(Failure(error) ?? Failure(.data, "\(error)"))
    }
  }()

  /// Throws what is wrong with a file of `--protocol`: asked once, before anything else.
  static func check() throws { _ = try declarations.get() }

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
    // Those in Swift are there in any case.
    return names.filter { name in !Protocols.builtIn.contains { $0.name == name } }
  }

  /// The protocol of a file; a bare name is a file of `Scenarios/protocols`.
  private static func read(_ name: String, beside others: [WireProtocol]) throws -> WireProtocol {
    let isPath = name.contains("/") || name.hasSuffix(".yaml")
    let folder = "\(ScenarioFolder.found)/protocols"
    let path = isPath ? name : "\(folder)/\(name).yaml"
    if !isPath, !Folders.exists(path) {
      let files = ((try? Folders.names(in: folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map {
        String($0.dropLast(5))
      }
      throw Failure(
        .usage,
        "there is no protocol \"\(name)\"; there are \(Protocols.builtIn.map(\.name).joined(separator: ", ")) "
          + "and, in files, \(files.sorted().joined(separator: ", "))",
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
