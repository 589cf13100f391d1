import NIOCore
import NIOPosix
import TelecapModels
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A simulated peer on real sockets.
///
///     let host = try await RunningPeer.start(HostModel(), PeerSockets(udp: Endpoint(.loopback, port: 0))) { time, event in … }
///     …
///     await host.stop()
public struct RunningPeer: Sendable {
  /// The address of its UDP socket.
  public let udp: Endpoint?
  /// Its listening TCP address.
  public let listening: Endpoint?
  private let whenFinished: EventLoopFuture<Void>
  private let account: @Sendable () async throws -> (sending: PeerSending, droppedByKernel: Int)
  private let close: @Sendable (_ takesLeave: Bool) async throws -> Void

  /// Opens the sockets, then starts the peer. `tell` is called with each event and its time of day, on the peer's own
  /// thread.
  /// - Throws: `DestinationError` when the peer may not send to its destination; `RelayError.cannotListen` or
  ///   `SocketError` when a socket cannot be opened.
  public static func start<P: Peer>(
    _ peer: P, _ sockets: PeerSockets, tell: @escaping @Sendable (Timestamp, PeerEvent) -> Void
  ) async throws -> RunningPeer {
    for destination in sockets.destinations + (sockets.connect.map { [$0] } ?? []) {
      try sockets.policy.check(destination)
    }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let shell = try await loop.submit { NIOLoopBound(PeerShell(peer, on: loop, tell: tell), eventLoop: loop) }.get()
    let opening = Opening(shell, on: loop)
    do {
      let udp = try await opening.bind(sockets.udp, joinedOn: sockets.interface)
      let listening = try await opening.listen(sockets.listen)
      try await loop.submit { shell.value.start() }.get()
      try await opening.connect(sockets.connect)
      let finished = try await loop.submit { shell.value.whenFinished }.get()
      return RunningPeer(
        udp: udp, listening: listening, whenFinished: finished,
        account: { try await loop.submit { (shell.value.sending, shell.value.droppedByKernel) }.get() },
        close: { try await opening.close(takesLeave: $0) })
    } catch {
      try? await opening.close(takesLeave: true)
      throw error
    }
  }

  /// Returns when the peer has nothing more to send, like a mouse at the end of its script, or was stopped.
  public func waitUntilFinished() async throws { try await whenFinished.get() }

  /// The error for datagrams that could not be sent so far; nil without any.
  public var unsent: UnsentError? { get async throws { try await account().sending.problem } }

  /// The number of datagrams that the kernel dropped because the peer was too slow; known once it was stopped, and 0
  /// where the system does not report it.
  public var droppedByKernel: Int { get async throws { try await account().droppedByKernel } }

  /// Lets the peer end its session (HAPTIC 0, BYE, buttons up) and closes its sockets, or closes them at once, like a
  /// peer that fails.
  public func stop(takesLeave: Bool = true) async throws { try await close(takesLeave) }
}

/// Opens and closes a peer's sockets.
private struct Opening<P: Peer>: Sendable {
  private let shell: NIOLoopBound<PeerShell<P>>
  private let loop: any EventLoop
  private let server: NIOLoopBoundBox<(any Channel)?>

  init(_ shell: NIOLoopBound<PeerShell<P>>, on loop: any EventLoop) {
    self.shell = shell
    self.loop = loop
    server = .makeEmptyBox(valueType: (any Channel).self, eventLoop: loop)
  }

  /// - Parameter interface: the address of the interface on which to join the multicast group of `endpoint`.
  func bind(_ endpoint: Endpoint?, joinedOn interface: IPAddress?) async throws -> Endpoint? {
    guard let endpoint else { return nil }
    let bootstrap = DatagramBootstrap(group: loop)
      // Several programs may receive what is sent to a group.
      .channelOption(.socketOption(.so_reuseaddr), value: interface == nil ? 0 : 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
      .channelInitializer { [shell] channel in
        channel.eventLoop.makeCompletedFuture {
          ReceiveBuffer.widen(channel)
          try channel.pipeline.syncOperations.addHandler(PeerDatagramHandler(shell.value))
        }
      }
    let channel = try await listening(.udp, on: endpoint) {
      try await bootstrap.bind(to: SocketAddress(endpoint)).get()
    }
    if let interface {
      do {
        try await join(endpoint, on: interface, channel)
      } catch {
        try? await channel.close().get()
        throw error
      }
    }
    let own = channel.localAddress.flatMap { Endpoint($0) } ?? endpoint
    try await loop.submit { [shell] in shell.value.opened(datagrams: channel, at: own) }.get()
    return own
  }

  private func join(_ group: Endpoint, on interface: IPAddress, _ channel: any Channel) async throws {
    do {
      if group.address.family == .v4, let options = channel as? any SocketOptionProvider {
        // NIO joins no group on loopback, an interface without the flag for multicast, which works there all the same.
        let membership = ip_mreq(imr_multiaddr: in_addr(group.address), imr_interface: in_addr(interface))
        return try await options.unsafeSetSocketOption(
          level: .init(IPPROTO_IP), name: .init(IP_ADD_MEMBERSHIP), value: membership
        ).get()
      }
      let device = try System.enumerateDevices().first { device in
        device.address.flatMap { Endpoint($0) }?.address == interface
      }
      guard let device, let multicast = channel as? any MulticastChannel else {
        throw SocketError(.join, group, code: ENODEV)
      }
      try await multicast.joinGroup(SocketAddress(group), device: device).get()
    } catch let error as IOError {
      throw SocketError(.join, group, code: error.errnoCode)
    }
  }

  func listen(_ endpoint: Endpoint?) async throws -> Endpoint? {
    guard let endpoint else { return nil }
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptingWithRoom())
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { [shell] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(PeerStreamHandler(shell.value))
        }
      }
    let channel = try await listening(.tcp, on: endpoint) {
      try await bootstrap.bind(to: SocketAddress(endpoint)).get()
    }
    try await loop.submit { [server] in server.value = channel }.get()
    return channel.localAddress.flatMap { Endpoint($0) }
  }

  func connect(_ endpoint: Endpoint?) async throws {
    guard let endpoint else { return }
    let bootstrap = ClientBootstrap(group: loop)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { [shell] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(PeerStreamHandler(shell.value))
        }
      }
    do {
      _ = try await bootstrap.connect(to: SocketAddress(endpoint)).get()
    } catch let error as IOError {
      try await loop.submit { [shell] in shell.value.unreachable(endpoint) }.get()
      throw SocketError(.connect, endpoint, code: error.errnoCode)
    }
  }

  func close(takesLeave: Bool) async throws {
    try await loop.flatSubmit { [shell, server, loop] in
      let listening = server.value?.close() ?? loop.makeSucceededVoidFuture()
      return shell.value.stop(takesLeave: takesLeave).and(listening.recover { _ in }).map { _ in }
    }.get()
  }
}

extension in_addr {
  /// The address of an interface or a group in network byte order.
  fileprivate init(_ address: IPAddress) { self.init(s_addr: UInt32(truncatingIfNeeded: address.low).bigEndian) }
}
