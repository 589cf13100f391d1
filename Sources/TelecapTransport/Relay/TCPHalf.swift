import NIOCore
import TelecapRecording

/// One side of a relayed connection: reads from its own socket and writes to its partner's.
///
/// Backpressure: it reads one piece, and the next only when the partner's socket takes more and not too much is on its way. An
/// end of stream is passed on as one; the other way stays open.
final class TCPHalf: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// From this side's peer to the other's.
  let flow: Flow
  let isClient: Bool
  /// The number of its connection among those that there are at the time, from 0.
  let slot: UInt32
  private let state: TCPRelayState
  private var partner: TCPHalf?
  private var context: ChannelHandlerContext?
  /// What was read and has not been handed to the partner.
  private var onItsWay = PieceQueue()
  /// What is read goes nowhere, and the partner hears of nothing any more.
  private var isSwallowed = false
  private var started = false
  private var inputEnded = false
  private var outputEnded = false
  private var gone = false
  private var cut = false
  /// Its client has opened another connection from the same port: what still happens here would be taken for a part of that.
  private var isSuperseded = false

  private init(flow: Flow, slot: UInt32, isClient: Bool, state: TCPRelayState) {
    self.flow = flow
    self.slot = slot
    self.isClient = isClient
    self.state = state
  }

  /// The two sides of a connection from a client.
  static func pair(flow: Flow, slot: UInt32, state: TCPRelayState) -> (client: TCPHalf, server: TCPHalf) {
    let client = TCPHalf(flow: flow, slot: slot, isClient: true, state: state)
    let server = TCPHalf(flow: flow.reversed, slot: slot, isClient: false, state: state)
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

  /// The client opens another connection from the same port, and so has left this one: nobody is told of it any more.
  func supersede() {
    let isOpen = started && !isSuperseded
    isSuperseded = true
    partner?.isSuperseded = true
    let pair = isClient ? flow : flow.reversed
    if isOpen { state.path.observer.connection(.closed, flow: pair, time: WallClock.now()) }
  }

  /// Tells what happened to its connection.
  func tell(_ event: RelayConnectionEvent, _ flow: Flow) {
    if !isSuperseded { state.path.observer.connection(event, flow: flow, time: WallClock.now()) }
  }

  /// From now on what comes goes nowhere. What is on its way still arrives.
  func swallow() {
    isSwallowed = true
    readIfPartnerTakes()
  }

  /// Its socket is to end with RST, and to forget what waits to be written.
  func becomeAbrupt() {
    guard let socket = context?.channel as? any SocketOptionProvider else { return }
    // On the channel's own loop it is done at once.
    let _: EventLoopFuture<Void> = socket.unsafeSetSocketOption(
      level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
  }

  /// POSIX's `struct linger`: on, with no time, a close is RST.
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
    // Where nobody is to hear what comes, it is read to hear of its end.
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

  /// The peer sends no more: nor do we, towards the other.
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

  /// Hands bytes to the partner at once.
  func hand(_ buffer: ByteBuffer, cameAt: Timestamp) {
    guard let partner, let context = partner.context else { return }
    context.write(partner.wrapOutboundOut(buffer), promise: nil)
    let local = isClient ? context.channel.localAddress.flatMap { Endpoint($0) } : nil
    if !isSuperseded { state.path.tellPassed(buffer, 0, flow: flow, by: local, cameAt: cameAt) }
    state.countPassed(by: self)
  }

  /// Ends the stream to the partner at once.
  func handEnd() { partner?.endOutput() }

  /// Lets a piece wait until it may leave, and all before it.
  func keep(_ piece: PieceQueue.Piece) { onItsWay.append(piece) }

  /// A piece may leave: it does, unless one before it is still on its way.
  func release(_ number: Int) {
    for piece in onItsWay.release(number) {
      if let data = piece.data { hand(data, cameAt: piece.cameAt) } else { handEnd() }
    }
    partner?.context?.flush()
    readIfPartnerTakes()
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
      state.ended(self)
      let pair = isClient ? flow : flow.reversed
      if started { tell(.closed, pair) }
    } else if isSwallowed {
      // The other does not hear of it, until it ends as well; what comes from there is thrown away.
      if other.inputEnded { other.cutOff() } else { other.readIfPartnerTakes() }
    } else if !(inputEnded && outputEnded) {
      other.cutOff()
    }
  }

  /// The connection is broken: what waits to be written is lost.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { cutOff() }

  func cutOff() {
    // What was read from the other side, and still waits here, goes with the connection.
    if !cut, let options = context?.channel.syncOptions, let waiting = try? options.getOption(.bufferedWritableBytes) {
      state.countCut(waiting)
    }
    cut = true
    context?.close(promise: nil)
  }
}
