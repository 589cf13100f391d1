import TelecapConformance
import TelecapFiles
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// The information on a program before it is run, from its user.
public struct LearnRequest: Sendable {
  /// Its part.
  public var part: Part
  /// The program and its arguments, with `$UDP` and so on for values that are known when it is started.
  public var command: [String]
  /// The code that it shows or sends, where it does not get one.
  public var code: String?
  /// The port of this machine to which it sends its events; nil where it gets one, or sends none.
  public var eventPort: UInt16?
  /// The maximum time of its start, in ns.
  public var within: Nanoseconds
  /// The folder of its file.
  public var folder: String
  private let suites: Suites
  private let stop: StopFlag

  /// A program of the part `role` of one of these suites; its file is `output`, where `-` has no folder.
  /// - Throws: `LearnProblem` where programs of this part are not supported, or the command is invalid.
  public init(
    _ command: [String], role: String, output: String, within: Nanoseconds, suites: Suites, stop: StopFlag
  ) throws(LearnProblem) {
    guard let part = suites.learnable.first(where: { $0.name == role }) else {
      throw .noPart(role, among: suites.learnable.map(\.name))
    }
    guard command.first?.isEmpty == false else { throw .noProgram }
    if let place = command.firstIndex(where: \.isEmpty) { throw .emptyArgument(place) }
    if output != "-", let same = SameFile(among: command.map { ("the program's", $0) }, to: [("--output", output)]) {
      throw .ownFile(same)
    }
    (self.part, self.command, self.within, self.suites, self.stop) = (part, command, within, suites, stop)
    folder = output == "-" ? LearnRequest.here : Paths.directory(of: output)
  }

  /// The current folder.
  private static var here: String { Paths.directory(of: "here") }

  /// Runs the program, and writes its file. `tell` is called at each stage, from any thread.
  /// - Throws: `LearnProblem`; `SystemError`; `YAMLFileError` where a name such as `$PORT` is unknown;
  ///   `CancellationError`.
  public func run(_ tell: @escaping @Sendable (String) -> Void) async throws -> LearnedFile {
    let entries = try await entries(tell)
    let namesNothing = !command.contains { $0.contains("$") }
    let probe = try probe(entries)
    let trial = ProgramTrial(probe, folder: folder, namesNothing: namesNothing, suites, stop)
    tell("starting \(command.joined(separator: " "))")
    let (learned, watched) = try await trial.run(tell)
    return try LearnedFile(learned, watched, entries, of: self, over: probe.udp != nil ? .udp : .tcp, suites)
  }

  // MARK: - Before it is tried

  /// The keys of its file for its start and its addresses.
  private func entries(_ tell: (String) -> Void) async throws -> [SystemText.Entry] {
    var words = command
    var entries = [SystemText.Entry("role", part.name)]
    if folder != LearnRequest.here, words[0].contains("/"), !words[0].hasPrefix("/") {
      words[0] = LearnRequest.here + "/" + (words[0].hasPrefix("./") ? String(words[0].dropFirst(2)) : words[0])
    }
    entries.append(SystemText.Entry("command", SystemText.list(words.map(Escaping.yaml))))
    if folder != LearnRequest.here {
      entries.append(SystemText.Entry("directory", Escaping.yaml(LearnRequest.here)))
    }
    entries.append(try await addresses(entries, tell))
    if let code { entries.append(SystemText.Entry("code", Escaping.yaml(code))) }
    return entries
  }

  /// Whether it gets a port for TCP.
  var asksOverTCP: Bool { names(.tcp) }

  private func names(_ variable: SystemFile.Variable) -> Bool {
    command.contains { $0.contains("$\(variable.rawValue)") || $0.contains("${\(variable.rawValue)}") }
  }

  /// The entry for its addresses: free ports that it gets, or its own, which are looked up; for a phone or a mouse the
  /// ports of its protocol, where it expects telecap.
  private func addresses(_ entries: [SystemText.Entry], _ tell: (String) -> Void) async throws -> SystemText.Entry {
    let told = [(Carrier.udp, names(.udp)), (.tcp, names(.tcp))].filter(\.1).map { "\($0.0.name): free" }
    guard told.isEmpty else { return SystemText.Entry("addresses", "{\(told.joined(separator: ", "))}") }
    let standard = part.role?.owner.ports ?? []
    guard part.side == .host else {
      let ports = standard.filter { $0.carrier == .udp }.map { "udp: \"127.0.0.1:\($0.standard)\"" }
      return SystemText.Entry(
        "addresses", "{\(ports.prefix(1).joined())}", ["It takes no port: it uses the port of its protocol."])
    }
    tell("no argument has a port: looking where the program listens")
    let text = entries + [SystemText.Entry("addresses", "{udp: free}")]
    let system = ProgramSystem(try probe(text), directory: folder, telecap: Paths.ownProgram, stop: stop)
    let found: (udp: [UInt16], tcp: [UInt16], isKnown: Bool)
    do {
      found = try await system.listeningPorts()
    } catch let error as SystemError {
      throw LearnProblem.notReached("\(error)", namesNothing: true)
    }
    func place(_ ports: [UInt16], _ carrier: Carrier) -> String? {
      let usual = ports.first { port in standard.contains { $0.carrier == carrier && $0.standard == port } }
      return (usual ?? ports.first).map { "\(carrier.name): \"127.0.0.1:\($0)\"" }
    }
    let places = [place(found.udp, .udp), found.udp.isEmpty ? place(found.tcp, .tcp) : nil].compactMap(\.self)
    guard !places.isEmpty else { throw LearnProblem.unknownPlace(isTold: found.isKnown) }
    return SystemText.Entry(
      "addresses", "{\(places.joined(separator: ", "))}", ["It takes no port: it listened here."])
  }

  /// The system file for the session, which reads all output.
  private func probe(_ entries: [SystemText.Entry]) throws -> SystemFile {
    let events = eventPort.map { ", {udp: \($0)}" } ?? (names(.events) ? ", {udp: free}" : "")
    let shows = SystemText.Entry("shows", "{from: [stdout, stderr\(events)], events: []}")
    let text = SystemText(comments: [], entries: entries + [shows], learned: LearnedSystem())
    var file = try SystemFile(text.text, file: "command line", suites: suites)
    file.readyWithin = within
    file.name = command[0]
    return file
  }
}
