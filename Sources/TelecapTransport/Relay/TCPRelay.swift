import NIOCore
import NIOPosix
import TelecapRecording

/// Relays TCP connections: for each that a client opens, one to the server.
struct TCPRelay: RelayListener {
  let local: Endpoint
  private let channel: any Channel
  private let state: NIOLoopBound<TCPRelayState>

  static func start(
    listen: Endpoint, path: RelayPath, _ network: RelayNetwork? = nil, on loop: any EventLoop
  ) async throws -> TCPRelay {
    let state = try await loop.submit {
      NIOLoopBound(TCPRelayState(path: path, network, loop: loop), eventLoop: loop)
    }.get()
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

  func play(_ network: RelayNetwork) async throws -> Bool {
    try await channel.eventLoop.submit { [state] in state.value.play(network) }.get()
  }

  func stop() async -> RelayCounts? {
    try? await channel.close()
    return try? await channel.eventLoop.submit { [state] in
      state.value.stop()
      return state.value.counts
    }.get()
  }
}
