import CSockets
import NIOCore
import NIOPosix
import TelecapModels
import TelecapRecording

/// Carries out what a peer asks for: wires one state machine to its sockets and to the clock. It decides nothing.
///
/// Lives on one event loop and is touched there only.
final class PeerShell<P: Peer> {
  private let loop: any EventLoop
  private var peer: P
  private let tell: (Timestamp, PeerEvent) -> Void
  /// What to add to the loop's uptime to get the time of day at the start; it does not jump with the time of day.
  private let offset: Int64
  private let finished: EventLoopPromise<Void>
  private var isOver = false
  /// What became of its datagrams.
  private(set) var sending = PeerSending()
  /// How many datagrams the kernel dropped because it was busy; known once it was stopped.
  private(set) var droppedByKernel = 0
  private var datagrams: (any Channel)?
  private var streams: [Endpoint: any Channel] = [:]
  private var wake: (time: Timestamp, task: Scheduled<Void>)?
  /// What the peer asked for during a call: done after it, since a socket may call back at once.
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

  /// Done when the peer has nothing more to send, or was stopped.
  var whenFinished: EventLoopFuture<Void> { finished.futureResult }

  // MARK: - What happens

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

  /// Lets the peer take its leave unless it shall not, and closes what is open once that is on its way.
  func stop(takesLeave: Bool) -> EventLoopFuture<Void> {
    if takesLeave { act { $0.stop(at: $1, $2) } }
    isOver = true
    wake?.task.cancel()
    droppedByKernel = datagrams.map { ReceiveBuffer.drops(of: $0) } ?? 0
    let channels = (datagrams.map { [$0] } ?? []) + streams.values
    finished.succeed()
    return EventLoopFuture.andAllComplete(channels.map { $0.close() }, on: loop)
  }

  // MARK: - What is done

  /// Lets the peer act, then does what it asked for and sets the timer anew.
  private func act(_ work: (inout P, Timestamp, Perform) -> Void) {
    guard !isOver else { return }
    let now = now
    work(&peer, now) { action, bytes in
      switch action {
      case .event(let event): tell(now, event)
      case .send(.udp, let to): orders.append(.datagram(bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }, to: to))
      case .send(.tcp, let to): orders.append(.stream(bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }, to: to))
      // No socket leads over Bluetooth.
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

/// Hands a UDP socket's datagrams to the peer.
final class PeerDatagramHandler<P: Peer>: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let shell: PeerShell<P>

  init(_ shell: PeerShell<P>) { self.shell = shell }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let remote = Endpoint(envelope.remoteAddress) else { return }
    shell.receive(envelope.data, over: .udp, from: remote)
  }

  /// A datagram that came back (nobody listens there) is a datagram lost.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Hands a TCP connection's bytes to the peer.
final class PeerStreamHandler<P: Peer>: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let shell: PeerShell<P>
  private var remote: Endpoint?

  init(_ shell: PeerShell<P>) { self.shell = shell }

  func channelActive(context: ChannelHandlerContext) {
    guard let remote = context.remoteAddress.flatMap({ Endpoint($0) }) else { return context.close(promise: nil) }
    self.remote = remote
    // A client that is gone without a word leaves room for another (tele.md, Transports: liveness).
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
