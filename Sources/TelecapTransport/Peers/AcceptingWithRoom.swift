import NIOCore

/// Has a listening socket take a connection only where there is room for it: a descriptor, and fewer connections than may be open at a
/// time. Others wait in the system's queue, and are looked for ten times a second: a socket that is told each time that something waits,
/// and cannot take it, would be busy with nothing else.
final class AcceptingWithRoom: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = NIOAny

  /// The maximum number of open connections.
  static let maxConnections = 256
  private var connections = 0

  func read(context: ChannelHandlerContext) {
    if DescriptorLimit.leavesRoom, connections < AcceptingWithRoom.maxConnections { return context.read() }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(100)) {
      let (handler, context) = bound.value
      if context.channel.isActive { handler.read(context: context) }
    }
  }

  /// Counted here and not when the connection is set up, which the next read would not wait for.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connections += 1
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in bound.value.connections -= 1 }
    context.fireChannelRead(data)
  }
}
