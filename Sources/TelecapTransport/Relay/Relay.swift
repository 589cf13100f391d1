import NIOCore
import NIOPosix
import TelecapRecording
import TelecapWire

/// Captures traffic without root: listens, forwards to a server and back, and passes every payload to an observer.
///
/// All relays of one `Relay` run on one thread, so the observer is called for one event at a time. Each client has its
/// own socket towards the server, so that replies find their client.
public final class Relay: Sendable {
  /// A running relay.
  public struct Route: Hashable, Sendable {
    /// The requested relay.
    public var spec: RelaySpec
    /// The listening address, with the port that the system chose for 0.
    public var listen: Endpoint
    /// The server to which it forwards.
    public var target: Endpoint
    /// The server's address in recorded flows.
    public var recorded: Endpoint
  }

  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any RelayListener]
  private let desk: RelayController?

  /// The running relays, in the requested order.
  public let routes: [Route]

  private init(
    group: MultiThreadedEventLoopGroup, listeners: [any RelayListener], routes: [Route], network: RelayNetwork?,
    desk: RelayController?
  ) {
    (self.group, self.listeners, self.routes, self.desk) = (group, listeners, routes, desk)
    desk?.take(over: self, network)
  }

  /// Starts all these relays, or none.
  ///
  /// - Parameters:
  ///   - network: the impairments of the forwarded traffic; nil forwards everything at once.
  ///   - desk: the controller that observes and changes it at run time.
  /// - Throws: `ResolutionError`, `DestinationError` (a broadcast or multicast target), or `RelayError` when it cannot
  ///   listen on an address, or relays forward to themselves.
  public static func start(
    _ specs: [RelaySpec], observer: any RelayObserver, ports: Ports, limits: RelayLimits = RelayLimits(),
    network: RelayNetwork? = nil, desk: RelayController? = nil
  ) async throws -> Relay {
    // A person names a relay's target in the relay itself.
    let policy = DestinationPolicy(.anyHost)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var listeners: [any RelayListener] = []
    var routes: [Route] = []
    var loops = RelayLoops()
    do {
      for spec in specs {
        guard let target = try spec.target.resolve().first else { continue }
        try policy.check(target)
        try loops.add(spec, to: target)
        let recorded = spec.recordedServer(target, ports: ports)
        observer.begins(spec, to: recorded)
        let path = try RelayPath(
          address: SocketAddress(target), recorded: recorded, observer: observer, limits: limits)
        let listener: any RelayListener =
          if spec.carrier == .udp {
            try await UDPRelay.start(
              listen: spec.listen, path: path, network?.links(ports.dialect(of: recorded, over: .udp), limits: limits),
              on: group.next())
          } else {
            try await TCPRelay.start(listen: spec.listen, path: path, network, on: group.next())
          }
        listeners.append(listener)
        routes.append(Route(spec: spec, listen: listener.local, target: target, recorded: recorded))
      }
    } catch {
      for listener in listeners { _ = await listener.stop() }
      try? await group.shutdownGracefully()
      throw error
    }
    return Relay(group: group, listeners: listeners, routes: routes, network: network, desk: desk)
  }

  /// The counts of each route so far.
  public func counts() async throws -> [RelayCounts] {
    var counts: [RelayCounts] = []
    for listener in listeners { counts.append(try await listener.counts()) }
    return counts
  }

  /// Switches all routes to another network for new traffic. Returns false where a route cannot at this moment.
  func play(_ network: RelayNetwork) async throws -> Bool {
    var isPlayed = true
    for listener in listeners where try await !listener.play(network) { isPlayed = false }
    return isPlayed
  }

  /// The counts of each route so far, for a recording.
  public func tallies() async throws -> [RelayTally] { tallies(of: try await counts()) }

  func tallies(of counts: [RelayCounts]) -> [RelayTally] {
    zip(routes, counts).map { route, counts in
      var tally = RelayTally(route: "\(route.spec.carrier.name):\(route.listen)=\(route.spec.target)")
      (tally.clients, tally.refused, tally.forgotten) = (counts.clients, counts.refused, counts.forgotten)
      tally.notPassedOn = counts.dropped
      tally.droppedByKernel = route.spec.carrier == .tcp ? 0 : Relay.knowsKernelDrops ? counts.droppedByKernel : nil
      return tally
    }
  }

  /// Whether this system reports how many datagrams it dropped because a socket's buffer was full.
  public static var knowsKernelDrops: Bool { ReceiveBuffer.isCounted }

  /// Closes all sockets after reading the pending data. The observer is not called after this returns.
  ///
  /// - Returns: the counts of each route.
  @discardableResult
  public func stop() async -> [RelayCounts] {
    var counts: [RelayCounts] = []
    // An event loop answers until its group is shut down.
    for listener in listeners { counts.append(await listener.stop() ?? RelayCounts()) }
    desk?.leave(counts)
    try? await group.shutdownGracefully()
    return counts
  }
}

/// The reason why a relay cannot run.
public enum RelayError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The address cannot be listened on.
  case cannotListen(Carrier, Endpoint, code: Int32)
  /// These relays forward to one another in a ring, or one to itself.
  case passesToItself([RelaySpec])

  /// The error message.
  public var description: String {
    switch self {
    case .passesToItself(let ring):
      ring.count == 1
        ? "relay \(ring[0]) passes on to itself: what comes in would go round for ever; name the server's own port"
        : "relays \(ring.map(\.description).joined(separator: " and ")) pass on to one another: what comes in would go round for "
          + "ever; name the server's own port"
    case .cannotListen(let carrier, let endpoint, let code):
      "cannot listen on \(carrier.name) \(endpoint): \(SocketError.words(for: code))"
    }
  }
}

/// The common data of both kinds of relay.
struct RelayPath: Sendable {
  /// The server's address.
  var address: SocketAddress
  /// The server's address in flows.
  var recorded: Endpoint
  var observer: any RelayObserver
  var limits: RelayLimits
  /// Whether a client may have another descriptor.
  var hasRoom: @Sendable () -> Bool = { DescriptorLimit.leavesRoom }

  /// Passes received bytes to the observer, and returns the time of day.
  @discardableResult
  func tell(_ buffer: ByteBuffer, flow: Flow) -> Timestamp {
    let time = WallClock.now()
    buffer.withUnsafeReadableBytes { observer.relayed($0.bytes, flow: flow, time: time) }
    return time
  }

  /// Passes leaving bytes to the observer.
  func tellPassed(_ data: ByteBuffer, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp) {
    data.withUnsafeReadableBytes {
      observer.passedOn($0.bytes, number, flow: flow, by: local, cameAt: cameAt, time: WallClock.now())
    }
  }
}

/// A running relay of one kind.
protocol RelayListener: Sendable {
  var local: Endpoint { get }
  func counts() async throws -> RelayCounts
  /// Switches to another network for new traffic. Returns false where it cannot at this moment.
  func play(_ network: RelayNetwork) async throws -> Bool
  /// Closes everything, and returns the counts.
  func stop() async -> RelayCounts?
}

/// Binds, with the address in its errors.
func listening<Value>(_ carrier: Carrier, on endpoint: Endpoint, _ bind: () async throws -> Value) async throws -> Value
{
  do {
    return try await bind()
  } catch let error as IOError {
    throw RelayError.cannotListen(carrier, endpoint, code: error.errnoCode)
  }
}
