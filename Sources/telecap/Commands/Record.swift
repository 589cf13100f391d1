import ArgumentParser
import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapStore
import TelecapTransport
import TelecapWire

/// `telecap record`: sniffs an interface, or relays, into a capture.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record traffic into a capture: from an interface through libpcap, or as a relay without root.",
    usage: "telecap record [<options>] --output <file>",
    discussion: """
      Examples:
        telecap record -o session.telecap
        telecap record -o session.telecap --interface en0 --duration 10s
        telecap record -o session.telecap --relay udp:50001=192.168.1.20:50000

      Ctrl-C ends the recording. What has been recorded is in the file at most 250
      ms later, whatever happens.
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @Option(name: .shortAndLong, help: ArgumentHelp("The interface to listen on.", valueName: "name"))
  var interface = Record.loopback

  @Option(
    name: .long,
    help: ArgumentHelp("A filter in libpcap's language instead of the one made from the ports.", valueName: "filter"))
  var filter: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Listen and pass on, as udp:50000=HOST:PORT or tcp:50000=HOST:PORT, and record both ways. Repeatable.",
      valueName: "relay"), transform: Parsers.relay)
  var relay: [RelaySpec] = []

  @Option(
    name: .long, help: ArgumentHelp("Stop after so long, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @Option(name: .long, help: ArgumentHelp("Stop after so many packets.", valueName: "packets"))
  var count: Int?

  @Option(name: .long, help: ArgumentHelp("The kernel's buffer in MiB.", valueName: "MiB"))
  var bufferSize = 64

  @Option(name: .long, help: ArgumentHelp("Bytes kept of each frame.", valueName: "bytes"))
  var snapLength = 262_144

  @Flag(name: .long, help: "Also what is meant for other machines.")
  var promiscuous = false

  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortOptions

  func validate() throws {
    guard (1...2_047).contains(bufferSize) else { throw ValidationError("--buffer-size is 1 to 2047 MiB") }
    guard (64...262_144).contains(snapLength) else { throw ValidationError("--snap-length is 64 to 262144 bytes") }
    if let count, count < 1 { throw ValidationError("--count is 1 or more") }
    if !relay.isEmpty, filter != nil { throw ValidationError("--filter goes with an interface, not with --relay") }
  }

  func run() async throws {
    let summary = relay.isEmpty ? try sniff() : try await relayed()
    let findings = try Loaded.files.derive(output, ports: ports.ports)
    try summary.print(output: output, findings: findings, format: format.format)
  }

  #if canImport(Darwin)
    private static let loopback = "lo0"
  #else
    private static let loopback = "lo"
  #endif

  /// What the capture says about how it was made.
  private func info(source: String, filter: String) -> CaptureInfo {
    var info = CaptureInfo(
      version: Telecap.versionText, host: Host.name, clock: "system clock, ns", source: source, filter: filter,
      commandLine: CommandLine.arguments.joined(separator: " "), started: WallClock.now())
    info.ports = ports.ports.numbers
    return info
  }

  // MARK: - From an interface

  private func sniff() throws -> RecordSummary {
    var options = LiveCapture.Options(interface: interface)
    options.filter = filter.map { .text($0) } ?? .ports(ports.ports)
    options.bufferSize = bufferSize << 20
    options.snapLength = snapLength
    options.isPromiscuous = promiscuous
    // Before the output is made: a recording that may not begin leaves nothing behind.
    let capture = try LiveCapture(options)
    let writer = try CaptureWriter(
      creating: output, info(source: interface, filter: capture.filter), Loaded.files.schema, force: force)
    try writer.add(capture.interface)
    var recorder = Recorder(writer, source: interface, limit: count, duration: duration?.nanoseconds)
    recorder.begin()
    while recorder.goesOn() {
      guard try capture.dispatch({ try recorder.add($0, $1) }) != nil else { break }
      let statistics = try capture.statistics()
      try recorder.tick(
        DropCounts(kernel: Int(statistics.droppedByKernel), interface: Int(statistics.droppedByInterface)))
    }
    try drain(capture, into: &recorder, options)
    return try recorder.finish()
  }

  /// What came before the end may still lie in the kernel, for as long as it is allowed to gather.
  private func drain(
    _ capture: LiveCapture, into recorder: inout Recorder, _ options: LiveCapture.Options
  ) throws {
    let end = WallClock.now().advanced(byNanoseconds: Int64(options.timeoutMilliseconds) * 2_000_000)
    while WallClock.now() < end {
      guard try capture.dispatch({ try recorder.add($0, $1) }) != nil else { return }
    }
  }

  // MARK: - As a relay

  private func relayed() async throws -> RecordSummary {
    let queue = PacketQueue()
    let relays = try await Relay.start(relay, observer: RelayRecorder(queue), ports: ports.ports)
    let source = relays.routes.map { "relay \($0.spec)" }.joined(separator: ", ")
    do {
      let writer = try CaptureWriter(
        creating: output, info(source: source, filter: ""), Loaded.files.schema, force: force)
      for route in relays.routes {
        Console.say("relaying \(route.spec.carrier.name) \(route.listen) to \(route.target)")
      }
      try writer.add(Interface(name: "relay", linkType: RelayRecorder.linkType, comment: source))
      var recorder = Recorder(writer, source: source, limit: count, duration: duration?.nanoseconds)
      recorder.begin()
      var batch = PacketBatch()
      while recorder.goesOn() {
        try await Task.sleep(for: .milliseconds(20))
        try recorder.drain(queue, &batch)
      }
      await relays.stop()
      try recorder.drain(queue, &batch)
      return try recorder.finish()
    } catch {
      await relays.stop()
      throw error
    }
  }
}
