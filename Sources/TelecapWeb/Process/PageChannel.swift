import NIOCore
import NIOPosix

/// One end of the socket pair between a command and the process that serves its pages: a message a line.
struct PageChannel {
  /// Sends a message; waits while the other side does not read. A message to a process that has ended is lost.
  typealias Send = @Sendable (PageMessage) async -> Void

  private var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var rest: [UInt8] = []
  private let longest: Int

  /// Calls `body` with this end, and closes it after.
  ///
  /// - Parameters:
  ///   - descriptor: a connected socket, which is closed in any case.
  ///   - longest: the maximum length of a received line in bytes; a longer one ends the channel.
  /// - Throws: an error of NIO where the descriptor is no socket; what `body` throws.
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

  /// The next message; nil where the other side has ended, or sends what is none.
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
