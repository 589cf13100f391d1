import NIOCore
import NIOPosix
import TelecapRecording

/// Relays datagrams: one socket that clients send to, and for each client one towards the server.
struct UDPRelay: RelayListener {
  let local: Endpoint
  private let channel: any Channel
  private let clients: NIOLoopBound<UDPClients>

  static func start(listen: Endpoint, path: RelayPath, on loop: any EventLoop) async throws -> UDPRelay {
    let clients = try await loop.submit { NIOLoopBound(UDPClients(path: path, loop: loop), eventLoop: loop) }.get()
    let channel = try await listening(.udp, on: listen) {
      try await DatagramBootstrap(group: loop)
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
        .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            clients.value.listener = channel
            try channel.pipeline.syncOperations.addHandler(UDPListenHandler(clients: clients.value))
          }
        }
        .bind(to: SocketAddress(listen)).get()
    }
    return UDPRelay(local: channel.localAddress.flatMap { Endpoint($0) } ?? listen, channel: channel, clients: clients)
  }

  func counts() async throws -> RelayCounts {
    try await channel.eventLoop.submit { [clients] in clients.value.counts }.get()
  }

  func stop() async {
    try? await channel.eventLoop.submit { [clients] in clients.value.stop() }.get()
    try? await channel.close()
  }
}

/// The clients of a UDP relay. Lives on its event loop.
final class UDPClients {
  /// One client.
  final class Client {
    let flow: Flow
    let address: SocketAddress
    var upstream: (any Channel)?
    /// Datagrams that came before the socket towards the server was open.
    var early: [ByteBuffer] = []
    var lastActive: NIODeadline

    init(flow: Flow, address: SocketAddress, now: NIODeadline) {
      self.flow = flow
      self.address = address
      lastActive = now
    }
  }

  private static let earlyLimit = 64
  private let path: RelayPath
  private let loop: any EventLoop
  private var clients: [SocketAddress: Client] = [:]
  private var sweeping: RepeatedTask?
  var listener: (any Channel)?
  var counts = RelayCounts()

  init(path: RelayPath, loop: any EventLoop) {
    self.path = path
    self.loop = loop
    let period = TimeAmount.milliseconds(10) + .nanoseconds(path.limits.idle.nanoseconds / 4)
    let bound = NIOLoopBound(Weak(self), eventLoop: loop)
    sweeping = loop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in bound.value.clients?.sweep() }
  }

  func stop() {
    sweeping?.cancel()
    for client in clients.values { client.upstream?.close(promise: nil) }
    clients.removeAll()
    listener = nil
  }

  /// A datagram from a client.
  func fromClient(_ data: ByteBuffer, address: SocketAddress) {
    guard listener != nil, let client = client(at: address) else { return }
    client.lastActive = .now()
    path.tell(data, flow: client.flow)
    if let upstream = client.upstream {
      write(data, to: upstream)
    } else if client.early.count < Self.earlyLimit {
      client.early.append(data)
    } else {
      counts.dropped += 1
    }
  }

  /// A datagram from the server for a client.
  func fromServer(_ data: ByteBuffer, to client: Client) {
    guard let listener, clients[client.address] === client else { return }
    client.lastActive = .now()
    path.tell(data, flow: client.flow.reversed)
    guard listener.isWritable else {
      counts.dropped += 1
      return
    }
    count(data)
    listener.writeAndFlush(AddressedEnvelope(remoteAddress: client.address, data: data), promise: nil)
  }

  private func write(_ data: ByteBuffer, to upstream: any Channel) {
    guard upstream.isWritable else {
      counts.dropped += 1
      return
    }
    count(data)
    upstream.writeAndFlush(data, promise: nil)
  }

  private func count(_ data: ByteBuffer) {
    counts.payloads += 1
    counts.bytes += data.readableBytes
  }

  private func client(at address: SocketAddress) -> Client? {
    if let client = clients[address] { return client }
    guard let source = Endpoint(address) else { return nil }
    if clients.count >= path.limits.clients { forgetLongestIdle() }
    let client = Client(flow: Flow(.udp, from: source, to: path.recorded), address: address, now: .now())
    clients[address] = client
    counts.clients += 1
    connect(client)
    return client
  }

  private func connect(_ client: Client) {
    let bound = NIOLoopBound((self, client), eventLoop: loop)
    DatagramBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
      .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let (clients, client) = bound.value
          try channel.pipeline.syncOperations.addHandler(UDPUpstreamHandler(clients: clients, client: client))
        }
      }
      .connect(to: path.address)
      .whenComplete { result in
        let (clients, client) = bound.value
        clients.connected(client, result)
      }
  }

  private func connected(_ client: Client, _ result: Result<any Channel, any Error>) {
    guard case .success(let channel) = result else {
      counts.refused += 1
      clients[client.address] = nil
      return
    }
    guard clients[client.address] === client else {
      channel.close(promise: nil)
      return
    }
    client.upstream = channel
    for data in client.early { write(data, to: channel) }
    client.early = []
  }

  private func sweep() {
    let oldest = NIODeadline.now() - path.limits.idle
    for client in clients.values where client.lastActive < oldest { forget(client) }
  }

  private func forgetLongestIdle() {
    if let client = clients.values.min(by: { $0.lastActive < $1.lastActive }) { forget(client) }
  }

  private func forget(_ client: Client) {
    client.upstream?.close(promise: nil)
    clients[client.address] = nil
    counts.forgotten += 1
  }

  private struct Weak {
    weak var clients: UDPClients?
    init(_ clients: UDPClients) { self.clients = clients }
  }
}

/// Hands the clients' datagrams to the relay.
private final class UDPListenHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let clients: UDPClients

  init(clients: UDPClients) { self.clients = clients }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    clients.fromClient(envelope.data, address: envelope.remoteAddress)
  }

  /// An ICMP answer to an earlier datagram is no reason to stop.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Hands the server's datagrams for one client to the relay.
private final class UDPUpstreamHandler: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>
  private let clients: UDPClients
  private let client: UDPClients.Client

  init(clients: UDPClients, client: UDPClients.Client) {
    self.clients = clients
    self.client = client
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    clients.fromServer(unwrapInboundIn(data).data, to: client)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let server = context.remoteAddress else { return }
    let envelope = AddressedEnvelope(remoteAddress: server, data: unwrapOutboundIn(data))
    context.write(wrapOutboundOut(envelope), promise: promise)
  }

  /// The server's port is closed: perhaps it opens again.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension RelayLimits {
  /// At most a day.
  var idle: TimeAmount { .seconds(min(max(idleSeconds, 0), 86_400)) }

  var waterMark: ChannelOptions.Types.WriteBufferWaterMark { .init(low: max(1, backlog / 2), high: max(2, backlog)) }
}
