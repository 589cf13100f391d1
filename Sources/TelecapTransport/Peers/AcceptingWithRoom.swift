import NIOCore

/// Has a listening socket take a connection only where there is a descriptor for it. Others wait in the system's queue, and are looked
/// for ten times a second: a socket that is told each time that something waits, and cannot take it, would be busy with nothing else.
final class AcceptingWithRoom: ChannelOutboundHandler {
  typealias OutboundIn = NIOAny
  private let hasRoom: @Sendable () -> Bool

  init(hasRoom: @escaping @Sendable () -> Bool = { DescriptorLimit.leavesRoom }) { self.hasRoom = hasRoom }

  func read(context: ChannelHandlerContext) {
    if hasRoom() { return context.read() }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(100)) {
      let (handler, context) = bound.value
      if context.channel.isActive { handler.read(context: context) }
    }
  }
}
