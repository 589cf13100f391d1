import NIOCore
import TelecapRecording

/// One side of a relayed connection: reads from its own socket and writes to its partner's.
///
/// Backpressure: it reads one segment, and the next only when the partner's socket is writable and not too much is in
/// flight. It forwards the end of a byte stream; the other direction stays open.
final class TCPHalf: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The flow from this side's peer to the other's.
  let flow: Flow
  let isClient: Bool
  /// The index of its connection among the current ones, from 0.
  let slot: UInt32
  private let state: TCPRelayState
  private var partner: TCPHalf?
  private var context: ChannelHandlerContext?
  /// Bytes that were read and not passed to the partner.
  private var onItsWay = PieceQueue()
  /// Whether received bytes are dropped and the partner is not notified of anything.
  private var isSwallowed = false
  private var started = false
  private var inputEnded = false
  private var outputEnded = false
  private var gone = false
  private var cut = false
  /// Whether its client has opened another connection from the same port, so that further events would be attributed to
  /// that.
  private var isSuperseded = false

  private init(flow: Flow, slot: UInt32, isClient: Bool, state: TCPRelayState) {
    self.flow = flow
    self.slot = slot
    self.isClient = isClient
    self.state = state
  }

  /// The two sides of a client's connection.
  static func pair(flow: Flow, slot: UInt32, state: TCPRelayState) -> (client: TCPHalf, server: TCPHalf) {
    let client = TCPHalf(flow: flow, slot: slot, isClient: true, state: state)
    let server = TCPHalf(flow: flow.reversed, slot: slot, isClient: false, state: state)
    client.partner = server
    server.partner = client
    return (client, server)
  }

  /// Separates two sides that were never connected.
  func part() {
    partner?.partner = nil
    partner = nil
  }

  /// Starts to read after both sides are connected.
  func start() {
    started = true
    if gone {
      // It was closed before the other side was connected.
      partner?.cutOff()
    } else {
      context?.read()
    }
  }

  /// Ends the reports of this connection, since the client opened another one from the same port.
  func supersede() {
    let isOpen = started && !isSuperseded
    isSuperseded = true
    partner?.isSuperseded = true
    let pair = isClient ? flow : flow.reversed
    if isOpen { state.path.observer.connection(.closed, flow: pair, time: WallClock.now()) }
  }

  /// Reports an event of its connection.
  func tell(_ event: RelayConnectionEvent, _ flow: Flow) {
    if !isSuperseded { state.path.observer.connection(event, flow: flow, time: WallClock.now()) }
  }

  /// Drops the bytes that arrive from now on. Those in flight still arrive.
  func swallow() {
    isSwallowed = true
    readIfPartnerTakes()
  }

  /// Makes its socket close with RST, without the bytes that wait to be written.
  func becomeAbrupt() {
    guard let socket = context?.channel as? any SocketOptionProvider else { return }
    // On the channel's own loop this takes effect at once.
    let _: EventLoopFuture<Void> = socket.unsafeSetSocketOption(
      level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
  }

  /// POSIX's `struct linger`: on with no time, a close sends RST.
  private struct Linger {
    let isOn: CInt
    let seconds: CInt
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    let cameAt = isSuperseded ? WallClock.now() : state.path.tell(buffer, flow: flow)
    if isSwallowed {
      state.countSwallowed(buffer.readableBytes)
    } else {
      state.countRead(buffer.readableBytes)
      state.pass(buffer, cameAt: cameAt, of: self)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    partner?.context?.flush()
    state.lookAfterNetwork()
    readIfPartnerTakes()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { partner?.readIfPartnerTakes() }
  }

  private func readIfPartnerTakes() {
    guard started, !inputEnded, onItsWay.bytes < state.path.limits.backlog else { return }
    // Without a receiver of its bytes, read to notice its end.
    guard isSwallowed || partner?.gone == true || partner?.context?.channel.isWritable == true else { return }
    context?.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent {
      endInput()
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// Handles the end of the peer's bytes, and ends those to the other peer.
  private func endInput() {
    guard !inputEnded else { return }
    inputEnded = true
    tell(.finished, flow)
    if !isSwallowed {
      state.passEnd(of: self)
    } else if partner?.inputEnded == true {
      partner?.cutOff()
    }
    if partner.map({ $0.gone || $0.isSwallowed && $0.inputEnded }) ?? true { return cutOff() }
    closeIfBothEnded()
  }

  // MARK: - To the other side

  /// Passes bytes to the partner at once.
  func hand(_ buffer: ByteBuffer, cameAt: Timestamp) {
    guard let partner, let context = partner.context else { return }
    context.write(partner.wrapOutboundOut(buffer), promise: nil)
    let local = isClient ? context.channel.localAddress.flatMap { Endpoint($0) } : nil
    if !isSuperseded { state.path.tellPassed(buffer, 0, flow: flow, by: local, cameAt: cameAt) }
    state.countPassed(by: self)
  }

  /// Ends the byte stream to the partner at once.
  func handEnd() { partner?.endOutput() }

  /// Holds a segment, and so all after it, until its release.
  func keep(_ piece: PieceQueue.Piece) { onItsWay.append(piece) }

  /// Releases a segment, which leaves unless one before it is still held.
  func release(_ number: Int) {
    for piece in onItsWay.release(number) {
      if let data = piece.data { hand(data, cameAt: piece.cameAt) } else { handEnd() }
    }
    partner?.context?.flush()
    readIfPartnerTakes()
  }

  /// Ends the byte stream to this peer after all bytes that wait to be written.
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

  /// After a clean end the other side may still have bytes to write, and closes itself; otherwise both are cut off.
  func channelInactive(context: ChannelHandlerContext) {
    // If we ended our direction first, the socket closes without an event for the end of input.
    if outputEnded, !cut { endInput() }
    gone = true
    guard let other = partner else { return }
    if other.gone {
      part()
      state.ended(self)
      let pair = isClient ? flow : flow.reversed
      if started { tell(.closed, pair) }
    } else if isSwallowed {
      // The other side is not notified until it ends too; its bytes are dropped.
      if other.inputEnded { other.cutOff() } else { other.readIfPartnerTakes() }
    } else if !(inputEnded && outputEnded) {
      other.cutOff()
    }
  }

  /// The connection is broken: bytes that wait to be written are lost.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { cutOff() }

  func cutOff() {
    // Bytes of the other side that still wait here are lost with the connection.
    if !cut, let options = context?.channel.syncOptions, let waiting = try? options.getOption(.bufferedWritableBytes) {
      state.countCut(waiting)
    }
    cut = true
    context?.close(promise: nil)
  }
}
