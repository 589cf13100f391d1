import NIOCore
import NIOPosix
import TelecapRecording

/// Relays TCP connections: for each that a client opens, one to the server.
struct TCPRelay: RelayListener {
  let local: Endpoint
  private let channel: any Channel
  private let state: NIOLoopBound<TCPRelayState>

  static func start(listen: Endpoint, path: RelayPath, on loop: any EventLoop) async throws -> TCPRelay {
    let state = try await loop.submit { NIOLoopBound(TCPRelayState(path: path), eventLoop: loop) }.get()
    let channel = try await listening(.tcp, on: listen) {
      try await ServerBootstrap(group: loop)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.autoRead, value: false)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(.writeBufferWaterMark, value: path.limits.waterMark)
        .childChannelInitializer { client in
          client.eventLoop.makeCompletedFuture { try state.value.accept(client) }
        }
        .bind(to: SocketAddress(listen)).get()
    }
    return TCPRelay(local: channel.localAddress.flatMap { Endpoint($0) } ?? listen, channel: channel, state: state)
  }

  func counts() async throws -> RelayCounts {
    try await channel.eventLoop.submit { [state] in state.value.counts }.get()
  }

  func stop() async {
    try? await channel.close()
    try? await channel.eventLoop.submit { [state] in state.value.stop() }.get()
  }
}

/// The connections of a TCP relay. Lives on its event loop.
final class TCPRelayState {
  let path: RelayPath
  var counts = RelayCounts()
  private var open: [ObjectIdentifier: any Channel] = [:]

  init(path: RelayPath) { self.path = path }

  func stop() {
    for client in open.values { client.close(promise: nil) }
  }

  /// Joins a client that has just connected to the server, or closes it.
  func accept(_ client: any Channel) throws {
    counts.clients += 1
    guard open.count < path.limits.clients, let source = client.remoteAddress.flatMap({ Endpoint($0) }) else {
      counts.refused += 1
      client.close(promise: nil)
      return
    }
    let flow = Flow(.tcp, from: source, to: path.recorded)
    let ends = TCPHalf.pair(flow: flow, state: self)
    open[ObjectIdentifier(client)] = client
    try client.pipeline.syncOperations.addHandler(ends.client)
    let bound = NIOLoopBound((self, ends, client), eventLoop: client.eventLoop)
    client.closeFuture.whenComplete { _ in
      let (state, _, client) = bound.value
      state.open[ObjectIdentifier(client)] = nil
    }
    connect(client.eventLoop, bound)
  }

  private typealias Joining = (TCPRelayState, (client: TCPHalf, server: TCPHalf), any Channel)

  private func connect(_ loop: any EventLoop, _ bound: NIOLoopBound<Joining>) {
    ClientBootstrap(group: loop)
      .connectTimeout(.seconds(5))
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
      .channelInitializer { server in
        server.eventLoop.makeCompletedFuture {
          try server.pipeline.syncOperations.addHandler(bound.value.1.server)
        }
      }
      .connect(to: path.address)
      .whenComplete { result in
        let (state, ends, client) = bound.value
        state.joined(ends, client, result)
      }
  }

  private func joined(
    _ ends: (client: TCPHalf, server: TCPHalf), _ client: any Channel, _ result: Result<any Channel, any Error>
  ) {
    guard case .success = result else {
      counts.refused += 1
      path.observer.connection(.failed, flow: ends.client.flow, time: WallClock.now())
      ends.client.part()
      client.close(promise: nil)
      return
    }
    path.observer.connection(.opened, flow: ends.client.flow, time: WallClock.now())
    ends.client.start()
    ends.server.start()
  }
}
