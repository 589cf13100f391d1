import CSockets
import NIOCore
import NIOPosix
import TelecapModels
import TelecapRecording

/// Performs the actions of a peer: connects a state machine with its sockets and the clock. It makes no decisions.
///
/// All of its methods run on one event loop.
final class PeerShell<P: Peer> {
  private let loop: any EventLoop
  private var peer: P
  private let tell: (Timestamp, PeerEvent) -> Void
  /// The difference between the time of day at the start and the loop's uptime; it does not follow jumps of the time of
  /// day.
  private let offset: Int64
  private let finished: EventLoopPromise<Void>
  private var isOver = false
  /// Counts of its datagrams.
  private(set) var sending = PeerSending()
  /// The number of datagrams that the kernel dropped because the peer was busy; known once it was stopped.
  private(set) var droppedByKernel = 0
  private var datagrams: (any Channel)?
  private var streams: [Endpoint: any Channel] = [:]
  private var wake: (time: Timestamp, task: Scheduled<Void>)?
  /// The actions of a call, performed after it, since a socket may call back at once.
  private var orders: [Order] = []

  private enum Order {
    case datagram(ByteBuffer, to: Endpoint)
    case stream(ByteBuffer, to: Endpoint)
    case disconnect(Endpoint)
  }

  init(_ peer: P, on loop: any EventLoop, tell: @escaping (Timestamp, PeerEvent) -> Void) {
    self.peer = peer
    self.loop = loop
    self.tell = tell
    let moment = WallClock.moment { Int64(clamping: loop.now.uptimeNanoseconds) }
    offset = moment.wall.nanoseconds - moment.steady
    finished = loop.makePromise()
  }

  /// Completes when the peer has nothing more to send, or was stopped.
  var whenFinished: EventLoopFuture<Void> { finished.futureResult }

  // MARK: - Events

  func start() { act { $0.start(at: $1, $2) } }

  func opened(datagrams channel: any Channel, at own: Endpoint) {
    datagrams = channel
    act { $0.opened(.udp, own, at: $1, $2) }
  }

  func opened(stream channel: any Channel, with remote: Endpoint) {
    streams[remote] = channel
    act { $0.opened(.tcp, remote, at: $1, $2) }
  }

  func unreachable(_ remote: Endpoint) { act { $0.unreachable(remote, at: $1, $2) } }

  func closed(streamWith remote: Endpoint) {
    guard streams.removeValue(forKey: remote) != nil else { return }
    act { $0.closed(remote, at: $1, $2) }
  }

  func receive(_ buffer: ByteBuffer, over carrier: Carrier, from remote: Endpoint) {
    buffer.withUnsafeReadableBytes { bytes in
      act { $0.receive(bytes.bytes, over: carrier, from: remote, at: $1, $2) }
    }
  }

  /// Lets the peer end its session if `takesLeave`, and then closes the sockets.
  func stop(takesLeave: Bool) -> EventLoopFuture<Void> {
    if takesLeave { act { $0.stop(at: $1, $2) } }
    isOver = true
    wake?.task.cancel()
    droppedByKernel = datagrams.map { ReceiveBuffer.drops(of: $0) } ?? 0
    let channels = (datagrams.map { [$0] } ?? []) + streams.values
    finished.succeed()
    return EventLoopFuture.andAllComplete(channels.map { $0.close() }, on: loop)
  }

  // MARK: - Actions

  /// Lets the peer act, then performs its actions and resets the timer.
  private func act(_ work: (inout P, Timestamp, Perform) -> Void) {
    guard !isOver else { return }
    let now = now
    work(&peer, now) { action, bytes in
      switch action {
      case .event(let event): tell(now, event)
      case .send(.udp, let to): orders.append(.datagram(bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }, to: to))
      case .send(.tcp, let to): orders.append(.stream(bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }, to: to))
      // telecap has no socket for Bluetooth.
      case .send(.ble, _): return
      case .disconnect(let remote): orders.append(.disconnect(remote))
      }
    }
    let asked = orders
    orders.removeAll(keepingCapacity: true)
    asked.forEach(carryOut)
    setTimer()
    if peer.isFinished { finished.succeed() }
  }

  private func carryOut(_ order: Order) {
    switch order {
    case .datagram(let bytes, let to):
      guard let datagrams, let address = try? SocketAddress(to) else { return }
      let written = loop.makePromise(of: Void.self)
      let shell = NIOLoopBound(self, eventLoop: loop)
      written.futureResult.whenComplete { shell.value.sending.count($0, to: to) }
      datagrams.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: bytes), promise: written)
    case .stream(let bytes, let to): streams[to]?.writeAndFlush(bytes, promise: nil)
    case .disconnect(let remote): streams[remote]?.close(mode: .all, promise: nil)
    }
  }

  private func setTimer() {
    guard let next = peer.nextWake else {
      wake?.task.cancel()
      wake = nil
      return
    }
    guard wake?.time != next else { return }
    wake?.task.cancel()
    let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: next.nanoseconds &- offset))
    let shell = NIOLoopBound(self, eventLoop: loop)
    let task = loop.scheduleTask(deadline: deadline) { shell.value.ring() }
    wake = (next, task)
  }

  private func ring() {
    wake = nil
    act { $0.advance(to: $1, $2) }
  }

  private var now: Timestamp {
    Timestamp(nanoseconds: Int64(clamping: loop.now.uptimeNanoseconds) &+ offset)
  }
}

/// Passes a UDP socket's datagrams to the peer.
final class PeerDatagramHandler<P: Peer>: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let shell: PeerShell<P>

  init(_ shell: PeerShell<P>) { self.shell = shell }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let remote = Endpoint(envelope.remoteAddress) else { return }
    shell.receive(envelope.data, over: .udp, from: remote)
  }

  /// Ignore ICMP errors (no listener): the datagram is lost.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Passes a TCP connection's bytes to the peer.
final class PeerStreamHandler<P: Peer>: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let shell: PeerShell<P>
  private var remote: Endpoint?

  init(_ shell: PeerShell<P>) { self.shell = shell }

  func channelActive(context: ChannelHandlerContext) {
    guard let remote = context.remoteAddress.flatMap({ Endpoint($0) }) else { return context.close(promise: nil) }
    self.remote = remote
    // Detect clients that vanished, to make room for others (tele.md, Transports: liveness).
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      _ = telecap_keepalive_begin($0, 5, 1, 3)
    }
    shell.opened(stream: context.channel, with: remote)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let remote { shell.receive(unwrapInboundIn(data), over: .tcp, from: remote) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let remote { shell.closed(streamWith: remote) }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
