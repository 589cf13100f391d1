import ArgumentParser
import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapTransport
import TelecapWeb
import TelecapWire

/// `telecap record`: captures packets from an interface, or through a relay.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record traffic into a capture: from an interface through libpcap, or as a relay without root.",
    usage: "telecap record [<options>] --output <file>",
    discussion: """
      Examples:
        telecap record -o session.telecap
        telecap record -o session.telecap --interface en0 --duration 10s
        telecap record -o session.telecap --relay udp:50001=192.168.1.20:50000
        telecap record -o session.telecap --view

      An interface's packets are chosen by the protocols' ports. Those whose ports the
      kernel cannot see are kept too: later fragments of IP, IPv6 with extension
      headers. Those in a tunnel are not, unless --tunnels is given: a tunnel carries
      everything, not only these protocols.

      Ctrl-C ends the recording. What has been recorded is in the file at most 250
      ms later, also when telecap is killed; with --durable after a power cut too.
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The interface to listen on.", valueName: "name"),
    completion: .interfaces)
  var interface = LiveCapture.loopback

  @Option(
    name: .long,
    help: ArgumentHelp("A filter in libpcap's language instead of the one made from the ports.", valueName: "filter"))
  var filter: String?

  @Flag(
    name: .long,
    help: "Also all that GRE, IP in IP, EtherIP, VXLAN, Geneve, PPPoE, MPLS and 802.1ah carry, whatever its ports.")
  var tunnels = false

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

  @Flag(name: .long, help: "Have the disk confirm every commit, so that a power cut takes no more than 250 ms.")
  var durable = false

  @Flag(name: .long, help: "Also what is meant for other machines.")
  var promiscuous = false

  @OptionGroup var page: PageOptions
  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    guard (1...2_047).contains(bufferSize) else { throw ValidationError("--buffer-size is 1 to 2047 MiB") }
    guard (64...262_144).contains(snapLength) else { throw ValidationError("--snap-length is 64 to 262144 bytes") }
    if let count, count < 1 { throw ValidationError("--count is 1 or more") }
    let sniffing = "interface filter tunnels promiscuous snap-length buffer-size"
    try Given.refuseSame([], to: [("--output", output)])
    try Given.refuse((sniffing, !relay.isEmpty, "cannot be combined with --relay, which captures no interface"))
    try Given.refuse(
      ("tunnels", filter != nil, "cannot be combined with --filter, which replaces the filter of the ports"))
    try OutputOptions.checkCapture("output", output)
  }

  func run() async throws {
    let ports = try ports.ports(attributes)
    let hasBegun = StopFlag()
    guard page.isAsked else { return try await format.print(record(ports, hasBegun), of: output) }
    let pages = LivePages(recordingInto: output, since: hasBegun)
    let summary = try await page.serve(pages, reading: self.ports.words + attributes.words) {
      try await record(ports, hasBegun)
    }
    try format.print(summary, of: output)
  }

  private func record(_ ports: Ports, _ hasBegun: StopFlag) async throws -> RecordSummary {
    if !relay.isEmpty { return try await session(ports, hasBegun).relay(relay) }
    return try await Worker.run { try session(ports, hasBegun).sniff(options(ports)) }
  }

  private func session(_ ports: Ports, _ hasBegun: StopFlag) -> RecordingSession {
    var session = RecordingSession(
      into: output, force: force, ports: ports,
      limits: RecordingLimits(packets: count, duration: duration?.nanoseconds, stop: .signals), files: Loaded.files,
      progress: Progress(), tell: Console.say)
    (session.isDurable, session.hasBegun) = (durable, hasBegun)
    return session
  }

  /// The capture options of the interface.
  private func options(_ ports: Ports) -> LiveCapture.Options {
    var options = LiveCapture.Options(interface: interface)
    options.filter = filter.map { .text($0) } ?? .ports(ports, tunnels: tunnels)
    (options.bufferSize, options.snapLength, options.isPromiscuous) = (bufferSize << 20, snapLength, promiscuous)
    return options
  }
}
