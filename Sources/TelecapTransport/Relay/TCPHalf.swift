import NIOCore
import TelecapRecording

/// One side of a relayed connection: reads from its own socket and writes to its partner's.
///
/// Backpressure: it reads one piece, and the next only when the partner's socket takes more. An end of stream is passed on
/// as one; the other way stays open.
final class TCPHalf: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// From this side's peer to the other's.
  let flow: Flow
  private let state: TCPRelayState
  private let isClient: Bool
  private var partner: TCPHalf?
  private var context: ChannelHandlerContext?
  private var started = false
  private var inputEnded = false
  private var outputEnded = false
  private var gone = false
  private var cut = false

  private init(flow: Flow, isClient: Bool, state: TCPRelayState) {
    self.flow = flow
    self.isClient = isClient
    self.state = state
  }

  /// The two sides of a connection from a client.
  static func pair(flow: Flow, state: TCPRelayState) -> (client: TCPHalf, server: TCPHalf) {
    let client = TCPHalf(flow: flow, isClient: true, state: state)
    let server = TCPHalf(flow: flow.reversed, isClient: false, state: state)
    client.partner = server
    server.partner = client
    return (client, server)
  }

  /// The two never met: they let go of each other.
  func part() {
    partner?.partner = nil
    partner = nil
  }

  /// Both sides are connected: read.
  func start() {
    started = true
    if gone {
      // It went before the other came.
      partner?.cutOff()
    } else {
      context?.read()
    }
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    state.path.tell(buffer, flow: flow)
    state.counts.payloads += 1
    state.counts.bytes += buffer.readableBytes
    partner?.write(buffer)
  }

  private func write(_ buffer: ByteBuffer) { context?.write(wrapOutboundOut(buffer), promise: nil) }

  func channelReadComplete(context: ChannelHandlerContext) {
    partner?.context?.flush()
    readIfPartnerTakes()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { partner?.readIfPartnerTakes() }
  }

  private func readIfPartnerTakes() {
    guard started, !inputEnded, partner?.context?.channel.isWritable == true else { return }
    context?.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent {
      endInput()
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// The peer sends no more: nor do we, towards the other.
  private func endInput() {
    guard !inputEnded else { return }
    inputEnded = true
    state.path.observer.connection(.finished, flow: flow, time: WallClock.now())
    partner?.endOutput()
    closeIfBothEnded()
  }

  /// Ends the stream towards this peer after all that still waits to be written to it.
  private func endOutput() {
    guard let context else { return }
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    written.futureResult.whenSuccess {
      let half = bound.value
      half.outputEnded = true
      if !half.inputEnded { half.context?.close(mode: .output, promise: nil) }
      half.closeIfBothEnded()
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
  }

  private func closeIfBothEnded() {
    if inputEnded, outputEnded { context?.close(promise: nil) }
  }

  /// After a clean end the other side may still have bytes to write, and closes itself; else both are cut.
  func channelInactive(context: ChannelHandlerContext) {
    // An end of stream after our own closes the socket without being told as an end of input.
    if outputEnded, !cut { endInput() }
    gone = true
    guard let other = partner else { return }
    if other.gone {
      part()
      let pair = isClient ? flow : flow.reversed
      if started { state.path.observer.connection(.closed, flow: pair, time: WallClock.now()) }
    } else if !(inputEnded && outputEnded) {
      other.cutOff()
    }
  }

  /// The connection is broken: what waits to be written is lost.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { cutOff() }

  private func cutOff() {
    cut = true
    context?.close(promise: nil)
  }
}
