import NIOCore
import NIOPosix
import TelecapRecording
import TelecapTestSupport

/// A TCP server on loopback for tests: answers each stream, after its end, with a greeting and all its bytes, then ends.
struct TCPServer {
  private let channel: any Channel
  let endpoint: Endpoint

  static func start(greeting: [UInt8], reads: Bool = true) async throws -> TCPServer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.autoRead, value: reads)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AnswerAtEnd(greeting: greeting))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = UInt16(channel.localAddress?.port ?? 0)
    return TCPServer(channel: channel, endpoint: Endpoint(.loopback, port: port))
  }

  func stop() async throws { try await channel.close() }

  private final class AnswerAtEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var answer: ByteBuffer

    init(greeting: [UInt8]) { answer = ByteBuffer(bytes: greeting) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var piece = unwrapInboundIn(data)
      answer.writeBuffer(&piece)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .some(.inputClosed) = event as? ChannelEvent else { return }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in bound.value.close(promise: nil) }
    }
  }
}
