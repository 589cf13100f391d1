import ArgumentParser
import TelecapRecording
import TelecapTele
import TelecapTransport
import TelecapWire

/// `--to`: a program at an address, one of our own peers, or a model.
enum ReplayTarget: Sendable {
  /// Loopback and the recorded ports.
  case recorded
  /// A host, perhaps with a port.
  case address(HostPort)
  /// One of our peers, in this process, over real sockets.
  case simulate(Role)
  /// One of our models, in virtual time.
  case model(Role)
  /// A program that a system file describes, or one that somebody else started and that is judged by the wire alone.
  case system(String)

  static let parse: @Sendable (String) throws -> ReplayTarget = { text in
    for (prefix, make) in [("simulate:", ReplayTarget.simulate), ("model:", ReplayTarget.model)]
    where text.hasPrefix(prefix) {
      let name = String(text.dropFirst(prefix.count))
      guard let role = Role(rawValue: name), role != .mouse else {
        throw ValidationError("'\(name)' receives nothing: give \(prefix)host, \(prefix)phone or \(prefix)mouse-host")
      }
      return make(role)
    }
    if text.hasPrefix("udp://") || text.hasSuffix(".yaml") || text.hasSuffix(".yml") { return .system(text) }
    do throws(HostPortError) {
      return .address(try HostPort(parsing: text, portRequired: false))
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Throws unless what `role` sends is for this receiver.
  func check(_ role: Role) throws {
    guard case .simulate(let receiver) = self else {
      guard case .model(let receiver) = self else { return }
      return try Self.check(receiver, role)
    }
    try Self.check(receiver, role)
  }

  private static func check(_ receiver: Role, _ sender: Role) throws {
    if receiver == sender.receiver { return }
    throw Failure(
      .usage, "what a \(sender.rawValue) sends is for a \(sender.receiver.rawValue), not for a \(receiver.rawValue)",
      advice: "choose the sender with --as, or send --to the other")
  }
}

extension Role {
  /// Who receives what this one sends.
  var receiver: Role {
    switch self {
    case .phone: .host
    case .host: .phone
    case .mouse: .mouseHost
    case .mouseHost: .mouse
    }
  }
}

/// Where each flow of a recording goes.
struct ReplayRoutes: Sendable {
  /// By the flows' numbers.
  let routes: [ReplayRoute]
  /// How far it may go.
  let policy: DestinationPolicy

  /// Routes to a host: `udp` and `tcp` replace the recorded ports where they are given. A beacon keeps its own.
  ///
  /// - Parameter keepsSource: send from the recorded port where it is free.
  init(
    _ flows: [Flow], ports: Ports, to address: IPAddress, udp: UInt16?, tcp: UInt16?,
    reach: DestinationPolicy.Reach = .loopback, keepsSource: Bool = false
  ) {
    var lanes: [Flow: Int] = [:]
    routes = flows.map { flow in
      let recorded = flow.destination.port
      let isBeacon = flow.carrier == .udp && recorded == ports.teleBeacon
      let given = flow.carrier == .tcp ? tcp : isBeacon ? nil : udp
      let destination = Endpoint(address, port: given ?? recorded)
      let own = keepsSource && !isBeacon ? flow.source.port : 0
      let key = Flow(flow.carrier, from: flow.source, to: destination)
      let lane = lanes[key] ?? lanes.count
      lanes[key] = lane
      let any = address.family == .v4 ? IPAddress.any : IPAddress(v6High: 0, low: 0)
      let local = own == 0 ? nil : Endpoint(address.isLoopback ? address : any, port: own)
      return ReplayRoute(carrier: flow.carrier, destination: destination, local: local, lane: lane)
    }
    policy = DestinationPolicy(reach)
  }

  /// Throws where something may not be sent.
  func check() throws { for route in routes { try policy.check(route.destination) } }

  /// The destinations in words, each once.
  var destinations: String {
    var seen: [String] = []
    for route in routes {
      let text = "\(route.carrier.name) \(route.destination)"
      if !seen.contains(text) { seen.append(text) }
    }
    return seen.prefix(4).joined(separator: ", ") + (seen.count > 4 ? " and \(seen.count - 4) more" : "")
  }
}
