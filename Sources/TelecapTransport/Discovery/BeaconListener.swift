import NIOCore
import NIOPosix
import TelecapPlatform
import TelecapRecording
import TelecapTele

/// Receives beacons on a port that other programs may use too.
struct BeaconListener: Sendable {
  private let channel: any Channel
  private let others: Locked<Int>

  /// Starts to listen; `found` is called on a thread of the socket.
  /// - Throws: `RelayError.cannotListen`.
  static func open(at port: UInt16, _ found: @escaping @Sendable (Found) -> Void) async throws -> BeaconListener {
    let (end, others) = (Endpoint(.any, port: port), Locked(0))
    let bootstrap = DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(BeaconHandler(found) { others.with { $0 += 1 } })
        }
      }
    #if canImport(Darwin)
      _ = bootstrap.channelOption(.socketOption(.so_reuseport), value: 1)
    #endif
    let channel = try await listening(.udp, on: end) { try await bootstrap.bind(to: SocketAddress(end)).get() }
    return BeaconListener(channel: channel, others: others)
  }

  /// Stops; returns the number of datagrams that were no beacons.
  func close() async -> Int {
    try? await channel.close()
    return others.with { $0 }
  }
}

/// Decodes beacons.
private final class BeaconHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let found: (Found) -> Void
  private let other: () -> Void

  init(_ found: @escaping (Found) -> Void, other: @escaping () -> Void) { (self.found, self.other) = (found, other) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let remote = Endpoint(envelope.remoteAddress),
      let beacon = envelope.data.withUnsafeReadableBytes({ BeaconReading($0.bytes) })
    else { return other() }
    found(
      Found(
        way: .beacon, name: beacon.name, carrier: .tcp,
        place: HostPort(host: remote.address.description, port: beacon.tcpPort), version: Int(beacon.version)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
