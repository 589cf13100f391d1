import ArgumentParser
import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport
import TelecapWeb
import TelecapWire

/// `telecap record`: captures packets from an interface, or through a relay.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Capture packets into a file: from an interface through libpcap, or through a relay without root.",
    usage: "telecap record [<options>] --output <file>",
    discussion: """
      Examples:
        telecap record -o session.telecap
        telecap record -o session.telecap --interface en0 --duration 10s
        telecap record -o session.telecap --relay udp:50001=192.168.1.20:50000
        telecap record -o session.telecap --view

      The capture filter is made from the protocols' ports. It also passes packets
      whose ports the kernel cannot see: later IP fragments, and IPv6 packets with
      extension headers. Packets in a tunnel are captured only with --tunnels,
      because a tunnel carries everything, not only these protocols.

      Ctrl-C ends the recording. A packet is in the file at most 250 ms after its
      arrival, even if telecap is killed; with --durable, even after a power cut.
      Without any packet in 3 s, telecap names the interfaces that have some.
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("The capture to write.", valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace the output if it exists.")
  var force = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The interface to capture on.", valueName: "name"),
    completion: .interfaces)
  var interface = LiveCapture.loopback

  @Option(
    name: .long,
    help: ArgumentHelp("A libpcap filter (BPF) that replaces the one made from the ports.", valueName: "filter"))
  var bpf: String?

  @Flag(
    name: .long,
    help:
      "Also capture all packets in GRE, IP in IP, EtherIP, VXLAN, Geneve, PPPoE, MPLS and 802.1ah, whatever their ports."
  )
  var tunnels = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Forward this port, as udp:50000=HOST:PORT or tcp:50000=HOST:PORT, and record both directions. May be repeated.",
      valueName: "relay"), transform: Parsers.relay)
  var relay: [RelaySpec] = []

  @Option(
    name: .long, help: ArgumentHelp("Stop after this time, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @Option(name: .long, help: ArgumentHelp("Stop after this number of packets.", valueName: "packets"))
  var count: Int?

  @Option(name: .long, help: ArgumentHelp("The kernel's capture buffer, in MiB.", valueName: "MiB"))
  var bufferSize = 64

  @Option(name: .long, help: ArgumentHelp("The maximum number of bytes captured of each frame.", valueName: "bytes"))
  var snapLength = 262_144

  @Flag(name: .long, help: "Wait until the disk confirms every commit, so that a power cut loses at most 250 ms.")
  var durable = false

  @Flag(name: .long, help: "Also capture packets that are addressed to other machines.")
  var promiscuous = false

  @OptionGroup var page: PageOptions
  @OptionGroup var format: StyledFormatOption
  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func validate() throws {
    guard (1...2_047).contains(bufferSize) else { throw ValidationError("--buffer-size is 1 to 2047 MiB") }
    guard (64...262_144).contains(snapLength) else { throw ValidationError("--snap-length is 64 to 262144 bytes") }
    if let count, count < 1 { throw ValidationError("--count is 1 or more") }
    let sniffing = "interface bpf tunnels promiscuous snap-length buffer-size"
    try Given.refuseSame([], to: [("--output", output)])
    try Given.refuse((sniffing, !relay.isEmpty, "cannot be combined with --relay, which captures no interface"))
    try Given.refuse(
      ("tunnels", bpf != nil, "cannot be combined with --bpf, which replaces the filter of the ports"))
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
    session.commandOnInterface = { command(on: $0) }
    return session
  }

  /// This command on another interface. It replaces the capture, which is empty.
  private func command(on interface: String) -> String {
    let words = ["telecap"] + Given.words
    let moved = words.removing(option: "--interface", "-i").adding(option: "--interface", interface)
    return Escaping.shellCommand(force ? moved : moved.adding(option: "--force"))
  }

  /// The capture options of the interface.
  private func options(_ ports: Ports) -> LiveCapture.Options {
    var options = LiveCapture.Options(interface: interface)
    options.filter = bpf.map { .text($0) } ?? .ports(ports, tunnels: tunnels)
    (options.bufferSize, options.snapLength, options.isPromiscuous) = (bufferSize << 20, snapLength, promiscuous)
    return options
  }
}
