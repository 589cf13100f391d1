import ArgumentParser
import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// `telecap simulate dsu-host`: one side of a protocol from a protocol file.
struct SimulateSide: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "side",
    abstract: "One side of a protocol file: plays the declared sessions, answers requests and sends its streams.",
    usage: "telecap simulate <side> --protocol <file> [<options>]",
    discussion: "Example: telecap simulate dsu-host --protocol dsu --duration 10s")

  @Argument(help: ArgumentHelp("The side, such as dsu-host or dsu-client.", valueName: "side"))
  var side: String?
  @Option(
    name: .long,
    help: ArgumentHelp("Run a mutant of model:dsu-host, a peer with this fault.", valueName: "name"))
  var mutant: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The transport: udp or tcp (default: the first of them that the protocol has).", valueName: "name"))
  var transport: TransportName?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The code that a client must send (default: one that the protocol can encode).", valueName: "code"))
  var code: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Receive what is sent to this multicast group, on the interface that has the address of --bind.",
      valueName: "group"),
    transform: { text in
      guard let group = IPAddress(text), group.isMulticast else {
        throw ValidationError("'\(text)' is no multicast group, such as 239.255.0.1")
      }
      return group
    })
  var join: IPAddress?
  @OptionGroup var listen: ListenOptions
  @OptionGroup var towards: TowardsOptions
  @OptionGroup var ports: PortOptions
  @OptionGroup var simulation: SimulationOptions

  func run() async throws {
    guard let side else { throw CleanExit.helpRequest(Simulate.self) }
    let model = try model(of: side)
    guard let role = model.part.role else { throw unknown(side) }
    let carrier = try carrier(of: role.owner)
    if let mutant, !model.part.canFail(mutant, over: carrier) {
      throw ValidationError("--mutant \(mutant) has no effect over \(carrier.name); give another --transport")
    }
    let port = try port(of: role.owner, over: carrier)
    if Given.options.contains("code"), role.owner.asking?.code == nil {
      throw ValidationError("--code has no effect: \(role.owner.name) declares no code of a session")
    }
    var setup = Setup(part: model.part, code: code ?? role.owner.usualCode, carrier: carrier)
    let sockets: PeerSockets
    if role.side == .host {
      if towards.to != nil { throw ValidationError("--to requires a client: a host answers") }
      let end = Endpoint(listen.bind, port: port)
      if let join {
        if carrier == .tcp { throw ValidationError("--join requires --transport udp") }
        if join.family != listen.bind.family || listen.bind == .any {
          throw ValidationError(
            "--join \(join) requires --bind with the address of one interface, of the same IP version")
        }
        sockets = PeerSockets(group: Endpoint(join, port: port), on: listen.bind)
      } else {
        sockets = carrier == .tcp ? PeerSockets(listen: end) : PeerSockets(udp: end)
      }
    } else {
      if join != nil { throw ValidationError("--join requires a host: a client sends first") }
      if listen.bind != .loopback { throw ValidationError("--bind requires a host: a client speaks first") }
      let (host, policy) = try towards.resolve(port: port)
      setup.host = host
      sockets =
        carrier == .tcp
        ? PeerSockets(connect: host, policy: policy)
        : PeerSockets(udp: PeerSockets.ephemeral(towards: host), destinations: [host], policy: policy)
    }
    try await simulate(try model.model(setup, fault: mutant), sockets, role.owner)
  }

  private func simulate(_ peer: some DrivenPeer, _ sockets: PeerSockets, _ owner: WireProtocol) async throws {
    try await simulation.run(peer, sockets, of: owner)
  }

  private func model(of side: String) throws -> PartModel {
    guard let model = models.first(where: { $0.part.name == side }) else { throw unknown(side) }
    if let mutant, !model.faults.contains(mutant) {
      throw ValidationError(
        "\(side) has no mutant \"\(mutant)\"; there are \(model.faults.joined(separator: ", "))")
    }
    return model
  }

  /// The models of the protocols of `--protocol`.
  private var models: [PartModel] {
    Loaded.suites.models.filter { model in Loaded.declared.contains { $0 === model.part.role?.owner } }
  }

  private func carrier(of owner: WireProtocol) throws -> Carrier {
    let carriers = owner.testedCarriers
    guard let transport else { return carriers.first ?? .udp }
    guard let carrier = carriers.first(where: { $0.name == transport.rawValue }) else {
      throw ValidationError(
        "\(owner.name) has no transport \(transport.rawValue); give --transport \(carriers.map(\.name).joined(separator: " or "))"
      )
    }
    return carrier
  }

  private func unknown(_ side: String) -> ValidationError {
    let names = ["host", "phone", "mouse", "mouse-host"] + models.map(\.part.name)
    let meant = Spelling.nearest(to: side, among: names).map { "did you mean \"\($0)\"?" }
    let advice = models.isEmpty ? "; a side of a protocol file requires --protocol" : ""
    return ValidationError(
      "there is no \"\(side)\" to simulate; \(meant ?? "there are \(names.joined(separator: ", "))")\(advice)")
  }

  private func port(of owner: WireProtocol, over carrier: Carrier) throws -> UInt16 {
    let entries = try ports.numbered.entries
    // A broadcast uses another port of the protocol.
    guard
      let entry = entries.first(where: {
        $0.dialect.owner === owner && $0.row.carrier == carrier && $0.row.end == .host
      })
    else {
      preconditionFailure("\(owner.name) is tested over a transport that it has")
    }
    return entry.number
  }
}
