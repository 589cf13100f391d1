import NIOCore
import NIOPosix
import TelecapRecording

/// Relays datagrams: one socket for clients, and for each client one towards the server.
struct UDPRelay: RelayListener {
  let local: Endpoint
  private let loop: any EventLoop
  let clients: NIOLoopBound<UDPClients>

  static func start(
    listen: Endpoint, path: RelayPath, _ links: (up: RelayLink, down: RelayLink)? = nil, on loop: any EventLoop
  ) async throws -> UDPRelay {
    let links = links.map { UncheckedLinks(up: $0.up, down: $0.down) }
    let clients = try await loop.submit {
      NIOLoopBound(UDPClients(path: path, loop: loop, links?.up, links?.down), eventLoop: loop)
    }.get()
    let address = try SocketAddress(listen)
    let local = try await listening(.udp, on: listen) {
      try await loop.flatSubmit { clients.value.listen(at: address) }.get()
    }
    return UDPRelay(local: Endpoint(local) ?? listen, loop: loop, clients: clients)
  }

  func counts() async throws -> RelayCounts {
    try await loop.submit { [clients] in clients.value.counts }.get()
  }

  func play(_ network: RelayNetwork) async throws -> Bool {
    try await loop.submit { [clients] in clients.value.play(network) }.get()
  }

  func stop() async -> RelayCounts? {
    try? await loop.flatSubmit { [clients] in clients.value.stop() }.get()
  }
}

/// Both directions of a network, on their way to the event loop that alone uses them: hence `@unchecked Sendable`.
private struct UncheckedLinks: @unchecked Sendable {
  let up: RelayLink
  let down: RelayLink
}

/// Passes the clients' datagrams to the relay.
final class UDPListenHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let clients: UDPClients

  init(clients: UDPClients) { self.clients = clients }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    clients.fromClient(envelope.data, address: envelope.remoteAddress)
  }

  /// An ICMP reply to an earlier datagram is no reason to stop.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Passes the server's datagrams for one client to the relay.
final class UDPUpstreamHandler: ChannelInboundHandler, ChannelOutboundHandler {
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

  /// The server's port is closed, and may open again.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension RelayLimits {
  /// At most a day.
  var idle: TimeAmount { .seconds(min(max(idleSeconds, 0), 86_400)) }

  var waterMark: ChannelOptions.Types.WriteBufferWaterMark { .init(low: max(1, backlog / 2), high: max(2, backlog)) }
}
