import ArgumentParser
import TelecapFiles
import TelecapRecording
import TelecapReplay
import TelecapTransport
import TelecapWeb

/// `telecap view`: recordings as live pages.
struct View: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show recordings in a browser: values as curves, packets byte by byte.",
    usage: "telecap view [<options>] <input> ...",
    discussion: """
      Examples:
        telecap view session.telecap
        telecap view before.pcapng after.pcapng --no-open
        telecap view session.telecap --plan worse.plan
        telecap view session.telecap --from 12.5 --until 20

      The page is read-only. It is served on this machine only, unless --listen names
      another address; its address has a token that is new each time. Ctrl-C ends it.
      Captures of any size are read in pages, and a capture that is still being
      recorded is followed. telecap report writes one file instead.
      """)

  @Argument(help: ArgumentHelp("\(Help.recording) Or results of conform --json. Several are shown side by side."))
  var inputs: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The address to serve on: HOST or HOST:PORT (default: 127.0.0.1, any free port).", valueName: "address"),
    transform: Parsers.host)
  var listen = PageOptions.address

  @Flag(name: .long, help: "Only print the address; open no browser.")
  var noOpen = false

  @OptionGroup var plans: PlanFiles
  @OptionGroup var range: RangeOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    try plans.check(inputs, range)
    if inputs.contains(where: { RecordingPlace.isStream($0) }) {
      throw ValidationError("a page reads a recording in any order, which a stream does not allow: give a file")
    }
  }

  func run() async throws {
    if try !listen.resolve().allSatisfy(\.address.isLoopback) {
      Console.say("\(listen): others on this network can see the recording, when they know the address with its token")
    }
    if let results = try ResultsFiles.read(inputs, plans.paths) {
      try Given.refuse(("from until", true, PlanFiles.resultsWords))
      return try await serve(PageServer(results, of: inputs, at: listen, tool: Telecap.tool))
    }
    let recordings = try inputs.map { (name: $0, recording: try ports.recording($0, attributes, range)) }
    try await ShownRecordings.with(recordings, tell: Console.say) { captures in
      let reading = (protocols: ports.protocol, ports: ports.port, attributes: attributes.gatt)
      try await serve(
        PageServer(
          captures, at: listen, suites: Loaded.suites, tool: Telecap.tool, readBy: reading, plans: plans.paths))
    }
  }

  private func serve(_ server: PageServer) async throws {
    do {
      try await server.run(stop: .signals) { [opens = !noOpen] page in
        await PageOptions.tell(page, opening: opens) { address in
          // Without the address nobody can open the page.
          do { try OutputFormat.print(line: address) } catch { Console.say("\(error): \(address)") }
        }
      }
      server.notes.forEach(Console.say)
      if server.isDamaged { throw ExitCode(ExitStatus.data.rawValue) }
    } catch let error as PageServerError {
      throw Failure(.unavailable, "\(error)", advice: "give another address or port with --listen")
    }
  }
}

/// `--plan`: shows the effects of a network on the recording.
struct PlanFiles: ParsableArguments {
  @Option(
    name: .customLong("plan"), help: ArgumentHelp("Draw the effects of this plan. May be repeated.", valueName: "file"),
    completion: .file())
  var paths: [String] = []

  /// Rejects them unless the command has exactly one recording, and shows all of it.
  func check(_ inputs: [String], _ range: RangeOptions) throws {
    try Given.refuse(
      ("plan", inputs.count != 1, "requires one recording, for which it was made"),
      ("plan", range.window != nil, "cannot be combined with --from and --until: a plan is drawn over its recording"))
  }

  /// The reason why results of `conform` have no range.
  static let resultsWords = "requires a recording: results of conform --json have no packets"
}
