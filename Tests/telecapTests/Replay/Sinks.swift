import CSockets
import NIOCore
import NIOPosix

/// A UDP socket on loopback that keeps what comes until it is asked for.
final class Sink {
  struct Failed: Error {}
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    var local = telecap_endpoint(high: 0, low: 0x7f00_0001, port: 0, family: 4)
    descriptor = telecap_udp_open(4, &local, nil)
    guard descriptor >= 0, telecap_local_endpoint(descriptor, &local) == 0 else { throw Failed() }
    port = local.port
  }

  deinit { close(descriptor) }

  /// Where it listens.
  var address: String { "127.0.0.1:\(port)" }

  /// What has come since it was asked last.
  func received() throws -> [[UInt8]] {
    guard let inbox = telecap_inbox_create(32) else { throw Failed() }
    defer { telecap_inbox_destroy(inbox) }
    var all: [[UInt8]] = []
    while true {
      let count = telecap_inbox_receive(inbox, descriptor, nil)
      if count <= 0 { return all }
      for index in 0..<UInt32(count) {
        let item = telecap_inbox_get(inbox, index)
        all.append(Array(UnsafeRawBufferPointer(start: item.bytes, count: item.length)))
      }
    }
  }

  /// Waits until something comes.
  func waitForFirst() throws {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, 10_000) == 1 else { throw Failed() }
  }
}

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
