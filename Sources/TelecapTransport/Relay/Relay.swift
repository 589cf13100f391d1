import NIOCore
import NIOPosix
import TelecapRecording
import TelecapWire

/// Records without root: listens, passes everything on to a server and back, and tells an observer every payload.
///
/// All relays of one `Relay` run on one thread, so the observer hears one thing at a time. Each client has a socket of its
/// own towards the server, so replies find back.
public final class Relay: Sendable {
  /// A relay that runs.
  public struct Route: Hashable, Sendable {
    /// What was asked for.
    public var spec: RelaySpec
    /// Where it listens: as asked, with the port the system chose where 0 was asked for.
    public var listen: Endpoint
    /// The server it passes on to.
    public var target: Endpoint
    /// The server's end in recorded flows.
    public var recorded: Endpoint
  }

  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any RelayListener]
  private let desk: RelayController?

  /// The relays that run, in the order in which they were asked for.
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
  ///   - network: what it does to what is passed on; nil passes everything on at once.
  ///   - desk: from where it is looked at and changed while it runs.
  /// - Throws: `ResolutionError`, `DestinationError` (a broadcast or multicast target), or `RelayError` when an address
  ///   cannot be listened on, or relays pass on to themselves.
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

  /// What each route has done so far.
  public func counts() async throws -> [RelayCounts] {
    var counts: [RelayCounts] = []
    for listener in listeners { counts.append(try await listener.counts()) }
    return counts
  }

  /// Plays another network for what comes from now on, on all routes. False where a route cannot at this moment.
  func play(_ network: RelayNetwork) async throws -> Bool {
    var isPlayed = true
    for listener in listeners where try await !listener.play(network) { isPlayed = false }
    return isPlayed
  }

  /// What each route has done so far, for a recording.
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

  /// Whether this system tells how many datagrams it dropped since a socket's buffer was full.
  public static var knowsKernelDrops: Bool { ReceiveBuffer.isCounted }

  /// Closes all sockets, once what had come before is read from them. The observer hears nothing after this returns.
  ///
  /// - Returns: what each route came to.
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

/// Why a relay cannot run.
public enum RelayError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The address cannot be listened on.
  case cannotListen(Carrier, Endpoint, code: Int32)
  /// These relays pass on to one another in a ring, one of them to itself.
  case passesToItself([RelaySpec])

  /// The error in words.
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

/// What both kinds of relay need to know.
struct RelayPath: Sendable {
  /// The server's.
  var address: SocketAddress
  /// The server's end in flows.
  var recorded: Endpoint
  var observer: any RelayObserver
  var limits: RelayLimits
  /// Whether a client may have another descriptor.
  var hasRoom: @Sendable () -> Bool = { DescriptorLimit.leavesRoom }

  /// Tells what came, and returns when, by the time of day.
  @discardableResult
  func tell(_ buffer: ByteBuffer, flow: Flow) -> Timestamp {
    let time = WallClock.now()
    buffer.withUnsafeReadableBytes { observer.relayed($0.bytes, flow: flow, time: time) }
    return time
  }

  /// Tells what leaves.
  func tellPassed(_ data: ByteBuffer, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp) {
    data.withUnsafeReadableBytes {
      observer.passedOn($0.bytes, number, flow: flow, by: local, cameAt: cameAt, time: WallClock.now())
    }
  }
}

/// A relay of one kind that runs.
protocol RelayListener: Sendable {
  var local: Endpoint { get }
  func counts() async throws -> RelayCounts
  /// Plays another network for what comes from now on. False where it cannot at this moment.
  func play(_ network: RelayNetwork) async throws -> Bool
  /// Closes everything, and tells what it came to.
  func stop() async -> RelayCounts?
}

/// Binds, in words that say where.
func listening<Value>(_ carrier: Carrier, on endpoint: Endpoint, _ bind: () async throws -> Value) async throws -> Value
{
  do {
    return try await bind()
  } catch let error as IOError {
    throw RelayError.cannotListen(carrier, endpoint, code: error.errnoCode)
  }
}
