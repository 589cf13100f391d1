import NIOCore
import NIOPosix
import TelecapRecording

/// The clients of a UDP relay. Runs on its event loop.
final class UDPClients {
  /// A client.
  final class Client {
    let flow: Flow
    let address: SocketAddress
    /// Its index among the current clients, from 0.
    let slot: UInt32
    var upstream: (any Channel)?
    var isConnecting = false
    /// The socket that is to become `upstream`.
    var opening: (any Channel)?
    /// Datagrams that came before the socket towards the server was open.
    var early: [RelayedDatagram] = []
    var lastActive: NIODeadline
    /// Whether it was rejected before; it counts as such until it has a socket.
    var isRefused: Bool

    init(flow: Flow, address: SocketAddress, slot: UInt32, isRefused: Bool, now: NIODeadline) {
      self.flow = flow
      self.slot = slot
      self.address = address
      self.isRefused = isRefused
      lastActive = now
    }
  }

  private static let earlyLimit = 64
  private let path: RelayPath
  private let loop: any EventLoop
  private var clients: [SocketAddress: Client] = [:]
  private var sweeping: RepeatedTask?
  private(set) var listener: (any Channel)?
  /// The socket that is to become `listener`: NIO does not close one that cannot be bound or connected.
  private(set) var opening: (any Channel)?
  private var isStopped = false
  /// The pause before the next attempt to listen at a port that is in use.
  private static let pause = TimeAmount.milliseconds(100)
  private var passed = RelayCounts()
  /// The network in each direction; nil where everything is forwarded at once.
  private var up: RelayLink?
  private var down: RelayLink?
  private let clock: NetworkClock
  private var freeSlots: [UInt32] = []
  private var refused = RefusedClients()
  /// The number of received datagrams in each direction.
  private var numbers = (up: 0, down: 0)
  private var came: Int { numbers.up + numbers.down }
  /// The open sockets.
  private var sockets: [any Channel] { [listener].compactMap { $0 } + clients.values.compactMap(\.upstream) }
  /// The counts so far.
  var counts: RelayCounts {
    var counts = passed
    (counts.up.came, counts.down.came) = (numbers.up, numbers.down)
    counts.droppedByKernel += sockets.reduce(0) { $0 + ReceiveBuffer.drops(of: $1) }
    if let up, let down {
      counts.dropped += up.overflown + down.overflown
      counts.network = (up.account, down.account)
    }
    return counts
  }

  init(path: RelayPath, loop: any EventLoop, _ up: RelayLink? = nil, _ down: RelayLink? = nil) {
    (self.path, self.loop, self.up, self.down) = (path, loop, up, down)
    clock = NetworkClock(loop)
    let period = TimeAmount.milliseconds(10) + .nanoseconds(path.limits.idle.nanoseconds / 4)
    let bound = NIOLoopBound(Weak(self), eventLoop: loop)
    sweeping = loop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in bound.value.clients?.sweep() }
  }

  /// Switches to another network for new datagrams. Returns false where too many earlier ones have datagrams in flight.
  func play(_ network: RelayNetwork) -> Bool {
    guard !isStopped, up != nil, down != nil else { return false }
    let next = network.played
    let isUp = up?.play(next.up) ?? false
    let isDown = down?.play(next.down) ?? false
    lookAfterNetwork()
    return isUp && isDown
  }

  /// Listens, and again after the socket has closed, as it does when a reply cannot be sent (no route, no permission).
  ///
  /// - Returns: the listening address, once it listens.
  func listen(at address: SocketAddress) -> EventLoopFuture<SocketAddress> {
    let bound = NIOLoopBound(self, eventLoop: loop)
    return DatagramBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
      .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          bound.value.opening = channel
          ReceiveBuffer.widen(channel)
          try channel.pipeline.syncOperations.addHandler(UDPListenHandler(clients: bound.value))
        }
      }
      .bind(to: address)
      .flatMapErrorThrowing { error in
        bound.value.opening?.close(promise: nil)
        bound.value.opening = nil
        throw error
      }
      .map { channel in
        let place = channel.localAddress ?? address
        (bound.value.listener, bound.value.opening) = (channel, nil)
        channel.closeFuture.whenComplete { _ in bound.value.listenAgain(at: place) }
        return place
      }
  }

  private func listenAgain(at place: SocketAddress, after pause: TimeAmount = .zero) {
    listener = nil
    if isStopped { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleTask(in: pause) {
      if bound.value.isStopped { return }
      bound.value.listen(at: place).whenFailure { _ in bound.value.listenAgain(at: place, after: UDPClients.pause) }
    }
  }

  /// Closes everything after reading the pending data, and returns the counts.
  func stop() -> EventLoopFuture<RelayCounts> {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let waiting = sockets.reduce(0) { $0 + ReceiveBuffer.mostDatagrams(in: $1) }
    return empty(until: came + waiting).flatMap { bound.value.close() }
  }

  /// Waits until the sockets' buffers are empty, since their content is in no count, or until this many datagrams have
  /// come: that includes those that waited at first, even if a client sends faster than the relay reads. Between two
  /// checks the loop reads all it can, so after several checks without data nothing more will come.
  private func empty(until last: Int, idle looks: Int = 0) -> EventLoopFuture<Void> {
    guard sockets.contains(where: { ReceiveBuffer.waiting(in: $0) > 0 }), came < last, looks < 10 else {
      return loop.makeSucceededVoidFuture()
    }
    let (bound, before) = (NIOLoopBound(self, eventLoop: loop), came)
    return loop.flatScheduleTask(in: .milliseconds(1)) {
      bound.value.empty(until: last, idle: bound.value.came == before ? looks + 1 : 0)
    }.futureResult
  }

  private func close() -> EventLoopFuture<RelayCounts> {
    isStopped = true
    sweeping?.cancel()
    clock.cancel()
    passed.droppedByKernel = counts.droppedByKernel
    passed.dropped += clients.values.reduce(0) { $0 + $1.early.count }
    let closing = [listener, opening] + clients.values.map { $0.upstream ?? $0.opening }
    clients.removeAll()
    listener = nil
    let bound = NIOLoopBound(self, eventLoop: loop)
    return EventLoopFuture<Void>.andAllComplete(closing.compactMap { $0?.close() }, on: loop).map { bound.value.counts }
  }

  /// Handles a datagram from a client.
  func fromClient(_ data: ByteBuffer, address: SocketAddress) {
    guard !isStopped, let source = Endpoint(address) else { return }
    let client = client(at: address, source)
    client?.lastActive = loop.now
    let came = path.tell(data, flow: Flow(.udp, from: source, to: path.recorded))
    numbers.up += 1
    guard let client else { return drop() }
    let datagram = RelayedDatagram(data: data, client: client, number: numbers.up, cameAt: came)
    guard up != nil else { return passUp(datagram) }
    up?.take(datagram, at: clock.now)
    lookAfterNetwork()
  }

  /// Sends a datagram to the server.
  private func passUp(_ datagram: RelayedDatagram) {
    let client = datagram.client
    if let upstream = client.upstream {
      write(datagram, to: upstream)
    } else if client.early.count < Self.earlyLimit, client.isConnecting || path.hasRoom() {
      client.early.append(datagram)
      if !client.isConnecting { connect(client) }
    } else {
      passed.dropped += 1
    }
  }

  /// Handles a datagram from the server for a client.
  func fromServer(_ data: ByteBuffer, to client: Client) {
    guard clients[client.address] === client else { return }
    client.lastActive = loop.now
    let came = path.tell(data, flow: client.flow.reversed)
    numbers.down += 1
    let datagram = RelayedDatagram(data: data, client: client, number: numbers.down, cameAt: came)
    guard down != nil else { return passDown(datagram) }
    down?.take(datagram, at: clock.now)
    lookAfterNetwork()
  }

  /// Forwards datagrams that are due, and schedules the next call.
  private func lookAfterNetwork() {
    if isStopped { return }
    let now = clock.now
    // Drop datagrams of clients that have expired meanwhile.
    up?.leave(by: now) { isKnown($0) ? passUp($0) : drop() }
    down?.leave(by: now) { isKnown($0) ? passDown($0) : drop() }
    let bound = NIOLoopBound(Weak(self), eventLoop: loop)
    clock.wake(at: [up?.nextWake, down?.nextWake].compactMap({ $0 }).min()) {
      bound.value.clients?.lookAfterNetwork()
    }
  }

  /// Whether the client of a datagram has not expired.
  private func isKnown(_ datagram: RelayedDatagram) -> Bool { clients[datagram.client.address] === datagram.client }

  private func drop() { passed.dropped += 1 }

  /// Sends a datagram to a client.
  private func passDown(_ datagram: RelayedDatagram) {
    guard let listener, listener.isActive, listener.isWritable else {
      passed.dropped += 1
      return
    }
    path.tellPassed(
      datagram.data, datagram.number, flow: datagram.client.flow.reversed, by: nil, cameAt: datagram.cameAt)
    let envelope = AddressedEnvelope(remoteAddress: datagram.client.address, data: datagram.data)
    listener.writeAndFlush(envelope, promise: counted(datagram.data, isUp: false))
  }

  private func write(_ datagram: RelayedDatagram, to upstream: any Channel) {
    guard upstream.isActive, upstream.isWritable else {
      passed.dropped += 1
      return
    }
    path.tellPassed(
      datagram.data, datagram.number, flow: datagram.client.flow, by: upstream.localAddress.flatMap { Endpoint($0) },
      cameAt: datagram.cameAt)
    upstream.writeAndFlush(datagram.data, promise: counted(datagram.data, isUp: true))
  }

  /// Counts a datagram as forwarded, or as dropped where its sending fails.
  private func counted(_ data: ByteBuffer, isUp: Bool) -> EventLoopPromise<Void> {
    let promise = loop.makePromise(of: Void.self)
    let (bound, bytes) = (NIOLoopBound(self, eventLoop: loop), data.readableBytes)
    promise.futureResult.whenComplete { bound.value.sent(bytes, isUp: isUp, $0) }
    return promise
  }

  private func sent(_ bytes: Int, isUp: Bool, _ result: Result<Void, any Error>) {
    guard case .success = result else {
      passed.dropped += 1
      return
    }
    passed.payloads += 1
    if isUp { passed.up.passedOn += 1 } else { passed.down.passedOn += 1 }
    passed.bytes += bytes
  }

  /// The client of this address; nil where it is rejected, which is checked again for each of its datagrams.
  private func client(at address: SocketAddress, _ source: Endpoint) -> Client? {
    if let client = clients[address] { return client }
    let isRefused = refused.contains(address)
    if !isRefused { passed.clients += 1 }
    guard path.hasRoom() else {
      refuse(address, isNew: !isRefused)
      return nil
    }
    if clients.count >= path.limits.clients { forgetLongestIdle() }
    let client = Client(
      flow: Flow(.udp, from: source, to: path.recorded), address: address,
      slot: freeSlots.popLast() ?? UInt32(clients.count), isRefused: isRefused, now: .now())
    clients[address] = client
    connect(client)
    return client
  }

  private func refuse(_ address: SocketAddress, isNew: Bool) {
    refused.add(address, at: .now())
    if isNew { passed.refused += 1 }
  }

  private func served(_ client: Client) {
    guard client.isRefused else { return }
    client.isRefused = false
    refused.remove(client.address)
    passed.refused -= 1
  }

  private func connect(_ client: Client) {
    client.isConnecting = true
    let bound = NIOLoopBound((self, client), eventLoop: loop)
    DatagramBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
      .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let (clients, client) = bound.value
          client.opening = channel
          ReceiveBuffer.widen(channel)
          try channel.pipeline.syncOperations.addHandler(UDPUpstreamHandler(clients: clients, client: client))
        }
      }
      .connect(to: path.address)
      .whenComplete { result in
        let (clients, client) = bound.value
        clients.connected(client, result)
      }
  }

  private func connected(_ client: Client, _ result: Result<any Channel, any Error>) {
    client.isConnecting = false
    defer { client.opening = nil }
    let isKnown = clients[client.address] === client
    guard case .success(let channel) = result else {
      client.opening?.close(promise: nil)
      dropEarly(client)
      if !isKnown { return }
      refuse(client.address, isNew: !client.isRefused)
      remove(client)
      return
    }
    // It has expired meanwhile, or was rejected at an earlier attempt.
    guard isKnown else {
      dropEarly(client)
      channel.close(promise: nil)
      return
    }
    served(client)
    client.upstream = channel
    // A datagram that cannot be sent, for example without a server, closes its socket: the next one gets another.
    let bound = NIOLoopBound(client, eventLoop: loop)
    channel.closeFuture.whenComplete { _ in bound.value.upstream = nil }
    for datagram in client.early { write(datagram, to: channel) }
    client.early = []
  }

  private func sweep() {
    let oldest = loop.now - path.limits.idle
    for client in clients.values where client.lastActive < oldest { forget(client) }
    refused.forget(before: oldest)
  }

  private func forgetLongestIdle() {
    if let client = clients.values.min(by: { $0.lastActive < $1.lastActive }) { forget(client) }
  }

  private func forget(_ client: Client) {
    if let upstream = client.upstream { passed.droppedByKernel += ReceiveBuffer.drops(of: upstream) }
    client.upstream?.close(promise: nil)
    dropEarly(client)
    remove(client)
    if !client.isRefused { passed.forgotten += 1 }
  }

  /// Drops the datagrams that waited for a client's socket.
  private func dropEarly(_ client: Client) {
    passed.dropped += client.early.count
    client.early = []
  }

  private func remove(_ client: Client) {
    guard clients[client.address] === client else { return }
    clients[client.address] = nil
    freeSlots.append(client.slot)
  }

  private struct Weak {
    weak var clients: UDPClients?
    init(_ clients: UDPClients) { self.clients = clients }
  }
}
