import NIOCore
import NIOPosix
import TelecapTestSupport

/// A TCP server on loopback that keeps the bytes of each connection, in the order in which they were opened.
final class StreamSink: Sendable {
  private let channel: any Channel
  private let streams: NIOLoopBoundBox<[[UInt8]]>
  let port: UInt16

  private init(_ channel: any Channel, _ streams: NIOLoopBoundBox<[[UInt8]]>) {
    self.channel = channel
    self.streams = streams
    port = UInt16(channel.localAddress?.port ?? 0)
  }

  static func start() async throws -> StreamSink {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let streams = NIOLoopBoundBox.makeBoxSendingValue([[UInt8]](), as: [[UInt8]].self, eventLoop: loop)
    let channel = try await ServerBootstrap(group: loop)
      .childChannelInitializer { child in
        child.eventLoop.makeCompletedFuture { try child.pipeline.syncOperations.addHandler(Keeper(streams)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return StreamSink(channel, streams)
  }

  /// What came; nothing more can come.
  func stop() async throws -> [[UInt8]] {
    try await channel.close()
    return try await channel.eventLoop.submit { [streams] in streams.value }.get()
  }

  private final class Keeper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let streams: NIOLoopBoundBox<[[UInt8]]>
    private var index = 0

    init(_ streams: NIOLoopBoundBox<[[UInt8]]>) { self.streams = streams }

    func channelActive(context: ChannelHandlerContext) {
      index = streams.value.count
      streams.value.append([])
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      streams.value[index] += Array(buffer: unwrapInboundIn(data))
    }
  }
}
