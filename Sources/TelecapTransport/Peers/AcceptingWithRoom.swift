import NIOCore

/// Accepts a connection only if there is room for it: a descriptor, and fewer than the maximum number of open
/// connections. Others wait in the system's queue, which is polled ten times a second: a socket that is notified of
/// each waiting connection, and cannot accept it, would be busy all the time.
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

  /// Count here and not when the connection is set up, since the next read does not wait for that.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connections += 1
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in bound.value.connections -= 1 }
    context.fireChannelRead(data)
  }
}
