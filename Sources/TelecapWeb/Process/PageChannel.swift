import NIOCore
import NIOPosix

/// One end of the socket pair between a command and the process that serves its pages, with a message a line.
struct PageChannel {
  /// Sends a message; waits while the other side does not read. A message to a process that has exited is lost.
  typealias Send = @Sendable (PageMessage) async -> Void

  private var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var rest: [UInt8] = []
  private let longest: Int

  /// Calls `body` with this end, then closes it.
  ///
  /// - Parameters:
  ///   - descriptor: a connected socket, which is closed in any case.
  ///   - longest: the maximum length of a received line in bytes; a longer one ends the channel.
  /// - Throws: an error of NIO if the descriptor is not a socket, or any error of `body`.
  static func with<Value: Sendable>(
    _ descriptor: CInt, longest: Int = .max, _ body: (inout PageChannel, @escaping Send) async throws -> Value
  ) async throws -> Value {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .withConnectedSocket(descriptor) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var end = PageChannel(chunks: inbound.makeAsyncIterator(), longest: longest)
      return try await body(&end) { message in try? await outbound.write(ByteBuffer(bytes: message.line)) }
    }
  }

  private init(chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, longest: Int) {
    (self.chunks, self.longest) = (chunks, longest)
  }

  /// The next message; nil if the other side has closed, or sent an invalid message.
  mutating func next() async -> PageMessage? {
    var searched = 0
    while true {
      if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let message = PageMessage(line: Array(rest[..<end]))
        rest.removeSubrange(...end)
        return message
      }
      searched = rest.count
      guard searched <= longest, let chunk = try? await chunks.next() else { return nil }
      rest.append(contentsOf: chunk.readableBytesView)
    }
  }
}
