import NIOCore
import NIOPosix
import TelecapImpairment
import TelecapRecording

/// The connections of a TCP relay, and its network. Runs on its event loop.
final class TCPRelayState {
  /// A relayed connection.
  private struct Connection {
    let client: TCPHalf
    let server: TCPHalf
    /// Its scheduled faults.
    var faults: [Scheduled<Void>] = []
  }

  let path: RelayPath
  private let loop: any EventLoop
  private let clock: NetworkClock
  private var passed = RelayCounts()
  /// The connections by slot.
  private var open: [UInt32: Connection] = [:]
  private var freeSlots: [UInt32] = []
  private var isStopped = false
  /// The network; nil where everything is forwarded at once.
  private var network: RelayNetwork?
  /// Both directions of the network.
  private var links: (up: StreamLink, down: StreamLink)?

  init(path: RelayPath, _ network: RelayNetwork?, loop: any EventLoop) {
    (self.path, self.network, self.loop) = (path, network, loop)
    clock = NetworkClock(loop)
    links = network?.streamLinks
    if network?.faults.isNone == false { passed.faults = StreamFaultCounts() }
  }

  /// The counts so far.
  var counts: RelayCounts {
    var counts = passed
    counts.network = links.map { ($0.up.account, $0.down.account) }
    return counts
  }

  /// Switches to another network for new segments. Returns false where too many earlier ones have segments in flight.
  func play(_ network: RelayNetwork) -> Bool {
    guard !isStopped, links != nil else { return false }
    self.network = network
    let next = network.playedToStreams
    let isUp = links?.up.play(next.up) ?? false
    let isDown = links?.down.play(next.down) ?? false
    lookAfterNetwork()
    return isUp && isDown
  }

  func stop() {
    isStopped = true
    clock.cancel()
    for connection in open.values { cutOff(connection) }
  }

  private func cutOff(_ connection: Connection) {
    connection.faults.forEach { $0.cancel() }
    connection.client.cutOff()
    connection.server.cutOff()
  }

  // MARK: - Connections

  /// Connects a new client with the server, or closes it.
  func accept(_ client: any Channel) throws {
    passed.clients += 1
    guard open.count < path.limits.clients, DescriptorLimit.leavesRoom(for: client), path.hasRoom(),
      let source = client.remoteAddress.flatMap({ Endpoint($0) })
    else {
      passed.refused += 1
      client.close(promise: nil)
      return
    }
    for before in open.values where before.client.flow.source == source { before.client.supersede() }
    let slot = freeSlots.popLast() ?? UInt32(open.count)
    let ends = TCPHalf.pair(flow: Flow(.tcp, from: source, to: path.recorded), slot: slot, state: self)
    open[slot] = Connection(client: ends.client, server: ends.server)
    try client.pipeline.syncOperations.addHandler(ends.client)
    connect(NIOLoopBound((self, ends, client), eventLoop: loop))
  }

  private typealias Ends = (client: TCPHalf, server: TCPHalf)

  private func connect(_ bound: NIOLoopBound<(TCPRelayState, Ends, any Channel)>) {
    ClientBootstrap(group: loop)
      .connectTimeout(.seconds(5))
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.writeBufferWaterMark, value: path.limits.waterMark)
      .channelInitializer { server in
        server.eventLoop.makeCompletedFuture {
          try server.pipeline.syncOperations.addHandler(bound.value.1.server)
        }
      }
      .connect(to: path.address)
      .whenComplete { result in
        let (state, ends, client) = bound.value
        state.joined(ends, client, result)
      }
  }

  private func joined(_ ends: Ends, _ client: any Channel, _ result: Result<any Channel, any Error>) {
    guard case .success = result else {
      passed.refused += 1
      ends.client.tell(.failed, ends.client.flow)
      ends.client.part()
      ended(ends.client)
      client.close(promise: nil)
      return
    }
    ends.client.tell(.opened, ends.client.flow)
    scheduleFaults(of: ends.client.slot)
    ends.client.start()
    ends.server.start()
  }

  /// Handles the end of both sides of a connection.
  func ended(_ half: TCPHalf) {
    guard let connection = open.removeValue(forKey: half.slot) else { return }
    connection.faults.forEach { $0.cancel() }
    freeSlots.append(half.slot)
  }

  // MARK: - Faults

  private func scheduleFaults(of slot: UInt32) {
    guard let faults = network?.faults else { return }
    if let after = faults.reset { schedule(slot, after) { $0.reset($1) } }
    if let after = faults.halfOpen { schedule(slot, after) { $0.swallow($1, faults) } }
  }

  private func schedule(_ slot: UInt32, _ after: Interval, _ body: @escaping (TCPRelayState, Connection) -> Void) {
    let bound = NIOLoopBound((Weak(self), body), eventLoop: loop)
    let task = loop.scheduleTask(in: .nanoseconds(after.nanoseconds)) {
      let (weak, body) = bound.value
      if let state = weak.state, let connection = state.open[slot] { body(state, connection) }
    }
    open[slot]?.faults.append(task)
  }

  private func reset(_ connection: Connection) {
    passed.faults?.resets += 1
    connection.client.becomeAbrupt()
    connection.server.becomeAbrupt()
    cutOff(connection)
  }

  private func swallow(_ connection: Connection, _ faults: StreamFaults) {
    passed.faults?.halfOpened += 1
    if faults.strikesUp { connection.client.swallow() }
    if faults.strikesDown { connection.server.swallow() }
  }

  // MARK: - Bytes

  /// Counts the bytes that a side has read.
  func countRead(_ bytes: Int) {
    passed.payloads += 1
    passed.bytes += bytes
  }

  func countSwallowed(_ bytes: Int) { passed.faults?.swallowedBytes += bytes }

  /// Counts the unwritten bytes of a byte stream that ended.
  func countCut(_ bytes: Int) {
    if bytes == 0 { return }
    passed.dropped += 1
    passed.cutBytes += bytes
  }

  /// Counts a segment that a side has passed on.
  func countPassed(by half: TCPHalf) {
    if half.isClient { passed.up.passedOn += 1 } else { passed.down.passedOn += 1 }
  }

  private func countCame(by half: TCPHalf) {
    if half.isClient { passed.up.came += 1 } else { passed.down.came += 1 }
  }

  /// Forwards the bytes that a side has read, at once or through the network.
  func pass(_ buffer: ByteBuffer, cameAt: Timestamp, of half: TCPHalf) {
    guard links != nil else {
      countCame(by: half)
      return half.hand(buffer, cameAt: cameAt)
    }
    var rest = buffer
    while let piece = rest.readSlice(length: min(rest.readableBytes, StreamLink.segment)), piece.readableBytes > 0 {
      countCame(by: half)
      keep(piece, cameAt: cameAt, of: half)
    }
  }

  /// Forwards the end of a side's byte stream, after all its bytes.
  func passEnd(of half: TCPHalf) {
    guard links != nil else { return half.handEnd() }
    keep(nil, cameAt: WallClock.now(), of: half)
    lookAfterNetwork()
  }

  private func keep(_ data: ByteBuffer?, cameAt: Timestamp, of half: TCPHalf) {
    let (bytes, now) = (data?.readableBytes ?? 0, clock.now)
    let number =
      half.isClient ? links?.up.take(bytes, of: half, at: now) : links?.down.take(bytes, of: half, at: now)
    if let number { half.keep(PieceQueue.Piece(number, data, cameAt: cameAt)) }
  }

  /// Forwards segments that are due, and schedules the next call.
  func lookAfterNetwork() {
    if isStopped || links == nil { return }
    let now = clock.now
    let left = (links?.up.leave(by: now) ?? []) + (links?.down.leave(by: now) ?? [])
    for (half, number) in left { half.release(number) }
    let bound = NIOLoopBound(Weak(self), eventLoop: loop)
    clock.wake(at: [links?.up.nextWake, links?.down.nextWake].compactMap(\.self).min()) {
      bound.value.state?.lookAfterNetwork()
    }
  }

  private struct Weak {
    weak var state: TCPRelayState?
    init(_ state: TCPRelayState) { self.state = state }
  }
}
