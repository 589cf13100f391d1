import ArgumentParser
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapReplay
import TelecapTransport

/// `telecap simulate mouse`.
struct SimulateMouse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mouse",
    abstract: "A phone as a mouse: sends movement over UDP and clicks over TCP, and ends after its figure.",
    usage: "telecap simulate mouse [<options>]",
    discussion: "Example: telecap simulate mouse --events hand.events --to 127.0.0.1")

  @Option(name: .long, help: "The figure to draw: square, circle or drag.")
  var figure: MouseScript.Figure = .square
  @Option(name: .long, help: ArgumentHelp("Side, radius or length of the figure.", valueName: "counts"))
  var size = 300
  @Option(
    name: .long, help: ArgumentHelp("Send this evemu recording of a mouse instead of a figure.", valueName: "file"))
  var events: String?
  @OptionGroup var towards: TowardsOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var simulation: SimulationOptions

  func validate() throws {
    guard (1...30_000).contains(size) else { throw ValidationError("--size: \(size) is not from 1 to 30000") }
    if towards.to?.port != nil {
      throw ValidationError("--to is a host without a port: give the ports with --mouse-udp and --mouse-tcp")
    }
    try Given.refuse(("figure size", events != nil, "cannot be combined with --events, which defines the movement"))
    try ports.refuse(but: "mouse-udp", "mouse-tcp", words: "has no effect: a mouse has --mouse-udp and --mouse-tcp")
  }

  func run() async throws {
    let ports = try ports.ports
    let (movement, policy) = try towards.resolve(port: ports.mouseUDP)
    let control = Endpoint(movement.address, port: ports.mouseTCP)
    let script = try events.map { try MouseScript(evemu: $0) } ?? figure.script(size: size)
    let mouse = MouseModel(movement: movement, control: control, script: script)
    let sockets = PeerSockets(
      udp: PeerSockets.ephemeral(towards: movement), connect: control, destinations: [movement], policy: policy)
    try await simulation.run(mouse, sockets, stopsWhenFinished: true)
  }
}

/// `telecap simulate mouse-host`.
struct SimulateMouseHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mouse-host",
    abstract: "A computer whose pointer a mouse moves.",
    usage: "telecap simulate mouse-host [<options>]",
    discussion: "Example: telecap simulate mouse-host --screen 1920x1080 --duration 10s")

  @Option(
    name: .long, help: ArgumentHelp("The size of the screen, such as 1920x1080.", valueName: "size"),
    transform: { text in
      guard let size = ScreenSize(text) else { throw ValidationError("'\(text)' is no size such as 1920x1080") }
      return size
    })
  var screen: ScreenSize = .standard
  @OptionGroup var listen: ListenOptions
  @OptionGroup var ports: PortNumbers
  @OptionGroup var simulation: SimulationOptions

  func validate() throws {
    try ports.refuse(but: "mouse-udp", "mouse-tcp", words: "has no effect: a mouse has --mouse-udp and --mouse-tcp")
  }

  func run() async throws {
    let ports = try ports.ports
    let sockets = PeerSockets(
      udp: Endpoint(listen.bind, port: ports.mouseUDP), listen: Endpoint(listen.bind, port: ports.mouseTCP))
    try await simulation.run(MouseHostModel(screen: screen), sockets)
  }
}

extension MouseScript.Figure: ExpressibleByArgument {}
