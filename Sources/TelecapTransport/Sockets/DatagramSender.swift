import CSockets
import TelecapRecording

/// Sends UDP datagrams in batches and collects the replies.
///
/// Each lane has its own socket, so that two phones in a recording stay two (address, port) pairs. Datagrams are copied
/// once, into one buffer, and are sent in the order of appending, with one system call for each run of one lane.
/// Sending waits when the machine's own buffers are full; ICMP errors are counted and sending continues. Not for use
/// from two threads.
public final class DatagramSender {
  private let policy: DestinationPolicy
  private let batch: OpaquePointer
  private let inbox: OpaquePointer
  private let capacity: Int
  private var sockets: [LaneSocket] = []
  private var polls: [pollfd] = []
  /// The lane of each datagram in the batch; its storage is reused.
  private var lanes: [Int] = []
  private var lengths: [Int] = []

  /// The counts so far.
  public private(set) var counts = DatagramCounts()

  /// The largest payload: 65,535 bytes minus the headers that an IPv6 or UDP length field includes.
  static let largestPayload = 65_527

  /// A sender that checks every destination with `policy` and sends up to `capacity` datagrams (1…1024) with `bytes`
  /// bytes in total (at least 65,527) in one call.
  ///
  /// - Throws: `SocketError` ENOMEM.
  public init(policy: DestinationPolicy, capacity: Int = 128, bytes: Int = 256 << 10) throws(SocketError) {
    self.policy = policy
    self.capacity = min(max(capacity, 1), 1024)
    guard let batch = telecap_batch_create(UInt32(self.capacity), max(bytes, Self.largestPayload)) else {
      throw SocketError(.open, Endpoint(.any, port: 0), code: ENOMEM)
    }
    guard let inbox = telecap_inbox_create(32) else {
      telecap_batch_destroy(batch)
      throw SocketError(.open, Endpoint(.any, port: 0), code: ENOMEM)
    }
    self.batch = batch
    self.inbox = inbox
    lanes.reserveCapacity(self.capacity)
    lengths.reserveCapacity(self.capacity)
  }

  deinit {
    for socket in sockets { close(socket.descriptor) }
    telecap_batch_destroy(batch)
    telecap_inbox_destroy(inbox)
  }

  /// Opens a socket whose datagrams go to `destination`. `local` requests an address and port on this side. A connected
  /// socket receives only from its destination, and reports a closed port; an unconnected one receives from any.
  ///
  /// - Throws: `DestinationError` when the policy forbids it, `SocketError` for errors of the system.
  public func open(to destination: Endpoint, from local: Endpoint? = nil, connected: Bool = true) throws -> Lane {
    try policy.check(destination)
    let socket = try LaneSocket(to: destination, from: local, connected: connected)
    sockets.append(socket)
    polls.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
    return Lane(index: sockets.count - 1)
  }

  /// Opens a socket at `local`, port 0 for a free one, that receives from any address. Each of its datagrams needs a
  /// destination.
  ///
  /// - Throws: `SocketError`.
  public func open(at local: Endpoint) throws(SocketError) -> Lane {
    let socket = try LaneSocket(to: local, from: local, connected: false)
    sockets.append(socket)
    polls.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
    return Lane(index: sockets.count - 1)
  }

  /// The flow of a lane's datagrams, with this machine's address and port as the source.
  public func flow(of lane: Lane) -> Flow { sockets[lane.index].flow }

  /// The number of datagrams that wait for `flush`.
  public var waiting: Int { lanes.count }

  /// Copies one datagram, to be sent on `lane` at the next `flush`. Returns false when there is no room until then. A
  /// payload that is too large for a datagram is counted as failed.
  public func append(_ bytes: RawSpan, on lane: Lane) -> Bool {
    append(bytes, on: lane, to: sockets[lane.index].sendTo)
  }

  /// Copies one datagram for `destination`, on a lane without its own.
  ///
  /// - Throws: `DestinationError` when the policy forbids it.
  public func append(_ bytes: RawSpan, on lane: Lane, to destination: Endpoint) throws -> Bool {
    try policy.check(destination)
    return append(bytes, on: lane, to: destination.raw)
  }

  @inline(__always)
  private func append(_ bytes: RawSpan, on lane: Lane, to destination: telecap_endpoint?) -> Bool {
    if bytes.byteCount > Self.largestPayload {
      counts.fail(EMSGSIZE)
      return true
    }
    let added = bytes.withUnsafeBytes { buffer in
      guard var to = destination else {
        return telecap_batch_append(batch, buffer.baseAddress, buffer.count, nil)
      }
      return telecap_batch_append(batch, buffer.baseAddress, buffer.count, &to)
    }
    guard added == 1 else { return false }
    lanes.append(lane.index)
    lengths.append(bytes.byteCount)
    return true
  }

  /// Discards all waiting datagrams; returns their number.
  func discard() -> Int {
    defer { forgetBatch() }
    return lanes.count
  }

  private func forgetBatch() {
    telecap_batch_clear(batch)
    lanes.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
  }

  /// Sends all waiting datagrams in order.
  public func flush() {
    var first = 0
    while first < lanes.count {
      var end = first + 1
      while end < lanes.count, lanes[end] == lanes[first] { end += 1 }
      sendRun(first..<end, on: sockets[lanes[first]].descriptor)
      first = end
    }
    forgetBatch()
  }

  private func sendRun(_ run: Range<Int>, on descriptor: Int32) {
    var next = run.lowerBound
    var failures = 0
    // The error may be of an earlier datagram or of this one, which shows when this one is sent or fails.
    var unexplained: Int32?
    while next < run.upperBound {
      let sent = Int(telecap_batch_send(batch, descriptor, UInt32(next), UInt32(run.upperBound - next)))
      if sent > 0 {
        for index in next..<next + sent { counts.bytes += lengths[index] }
        counts.sent += sent
        next += sent
        failures = 0
        if let code = unexplained.take() { counts.report(code) }
        if next < run.upperBound { takeErrors(of: descriptor) }
        continue
      }
      let code = Int32(-sent)
      switch SendStep(code: code, failuresInARow: failures) {
      case .again: break
      case .reported: if takeErrors(of: descriptor) == 0 { unexplained = code }
      case .wait: waitForRoom(descriptor)
      case .skip:
        counts.fail(code)
        unexplained = nil
        next += 1
        failures = -1
      }
      failures += 1
    }
  }

  /// Waits between 50 µs and a millisecond: a socket may be writable while the interface's queue is full.
  private func waitForRoom(_ descriptor: Int32) {
    counts.waits += 1
    var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&item, 1, 1)
    telecap_sleep_until(telecap_monotonic_ns() &+ 50_000)
  }

  /// Counts the pending network errors of a socket; returns their number.
  @discardableResult
  private func takeErrors(of descriptor: Int32) -> Int {
    var taken = 0
    while taken < 4096 {
      let code = telecap_next_error(descriptor)
      if code == 0 { break }
      counts.report(code)
      taken += 1
    }
    return taken
  }

  /// Passes on the pending replies without waiting, up to 32 from each lane; returns false when there were none.
  @discardableResult
  public func receive(_ body: (Reply, RawSpan) throws -> Void) throws -> Bool {
    guard !polls.isEmpty, poll(&polls, nfds_t(polls.count), 0) > 0 else { return false }
    var any = false
    for index in polls.indices where polls[index].revents != 0 {
      if polls[index].revents & Int16(POLLERR) != 0 { takeErrors(of: polls[index].fd) }
      let count = telecap_inbox_receive(inbox, polls[index].fd, &sockets[index].dropped)
      if count == -ECONNREFUSED { takeErrors(of: polls[index].fd) }
      guard count > 0 else { continue }
      any = true
      let shift = WallClock.shift()
      for item in 0..<UInt32(count) { try hand(telecap_inbox_get(inbox, item), from: index, shift, to: body) }
    }
    counts.repliesDropped = sockets.reduce(0) { $0 + Int($1.dropped) }
    return any
  }

  /// Waits up to this time for a reply, without reading it.
  public func waitForReply(milliseconds: Int32) -> Bool {
    poll(&polls, nfds_t(polls.count), milliseconds) > 0 && polls.contains { $0.revents & Int16(POLLIN) != 0 }
  }

  /// - Parameter shift: the difference between the system clock, which the kernel uses for timestamps, and that of
  ///   timestamps.
  private func hand(
    _ item: telecap_received, from index: Int, _ shift: Nanoseconds, to body: (Reply, RawSpan) throws -> Void
  ) throws {
    counts.replies += 1
    let flow = sockets[index].flow
    let reply = Reply(
      time: item.time_ns > 0 ? WallClock.time(ofKernel: item.time_ns, shift: shift) : WallClock.now(),
      flow: Flow(.udp, from: Endpoint(item.from) ?? flow.destination, to: flow.source), lane: Lane(index: index))
    try body(reply, UnsafeRawBufferPointer(start: item.bytes, count: item.length).bytes)
  }

  /// Passes on replies until `nanoseconds` have passed or `stop` is raised.
  public func receive(
    forNanoseconds nanoseconds: Nanoseconds, stop: StopFlag, _ body: (Reply, RawSpan) throws -> Void
  ) throws {
    let end = telecap_monotonic_ns() &+ nanoseconds
    while !stop.isRaised {
      if try receive(body) { continue }
      let left = (end &- telecap_monotonic_ns()) / 1_000_000
      if left <= 0 { return }
      poll(&polls, nfds_t(polls.count), Int32(min(left, 50)))
    }
  }
}
