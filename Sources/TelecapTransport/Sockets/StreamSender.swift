import CSockets
import TelecapRecording

/// A new TCP connection on which a recorded byte stream is sent in order and replies are read.
///
/// Sending does not block: bytes that the peer does not take at once are buffered, up to a limit, and sent in the next
/// calls, so that a slow peer does not delay the other flows of a replay. Not for use from two threads.
public final class StreamSender {
  private let descriptor: Int32
  private let stallLimit: Nanoseconds
  private let backlogLimit: Int
  private var backlog: [UInt8] = []
  private var backlogStart = 0
  private var isEnding = false
  private var hasEnded = false
  private var room = [UInt8](repeating: 0, count: 64 << 10)

  /// The flow from this machine's address and port to the peer's.
  public let flow: Flow
  /// Payload bytes that the kernel accepted.
  public private(set) var sentBytes = 0
  /// Received payload bytes.
  public private(set) var receivedBytes = 0
  /// Whether the peer has closed its direction, or the connection has failed.
  public private(set) var peerEnded = false

  /// Connects within `timeoutMilliseconds`.
  ///
  /// - Throws: `DestinationError` when the policy forbids it, `SocketError` for errors of the system or the peer
  ///   (ECONNREFUSED, ETIMEDOUT).
  public init(
    to destination: Endpoint, policy: DestinationPolicy, timeoutMilliseconds: Int32 = 5_000,
    backlogLimit: Int = 1 << 20, stallLimitNanoseconds: Nanoseconds = 5_000_000_000
  ) throws {
    try policy.check(destination)
    var remote = destination.raw
    let opened = telecap_tcp_connect(&remote, timeoutMilliseconds)
    if opened < 0 { throw SocketError(.connect, destination, code: -opened) }
    flow = Flow(.tcp, from: try Endpoint(ofSocket: opened, .connect, destination), to: destination)
    descriptor = opened
    self.backlogLimit = backlogLimit
    stallLimit = stallLimitNanoseconds
  }

  /// The connection of this descriptor, which a listener accepted from the peer at `remote`.
  init(accepted: Int32, from remote: Endpoint, at local: Endpoint) {
    descriptor = accepted
    flow = Flow(.tcp, from: local, to: remote)
    backlogLimit = 1 << 20
    stallLimit = 5_000_000_000
  }

  deinit { close(descriptor) }

  /// The number of buffered bytes.
  public var backlogBytes: Int { backlog.count - backlogStart }

  /// Sends these bytes after all earlier ones. Waits only when the backlog is over its limit.
  ///
  /// - Throws: `SocketError`; ETIMEDOUT when the peer has taken no bytes for the stall limit.
  public func send(_ bytes: RawSpan) throws(SocketError) {
    try pump()
    let taken = backlogBytes == 0 ? try check(bytes.withUnsafeBytes { write($0) }) : 0
    let rest = bytes.extracting(droppingFirst: taken)
    rest.withUnsafeBytes { backlog.append(contentsOf: $0) }
    var patience = telecap_monotonic_ns() &+ stallLimit
    while backlogBytes > backlogLimit {
      if try pump() > 0 {
        patience = telecap_monotonic_ns() &+ stallLimit
      } else if telecap_monotonic_ns() > patience {
        throw SocketError(.send, flow.destination, code: ETIMEDOUT)
      } else {
        wait(for: Int16(POLLOUT), milliseconds: 10)
      }
    }
  }

  /// Closes this direction once all bytes have been sent, without waiting.
  public func endSending() {
    isEnding = true
    endIfSent()
  }

  /// Makes the connection close with a reset (RST).
  func resetWhenClosed() { telecap_stream_reset_on_close(descriptor) }

  private func endIfSent() {
    guard isEnding, !hasEnded, backlogBytes == 0 else { return }
    hasEnded = true
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends as much of the backlog as the peer takes, without waiting; returns the number of bytes.
  @discardableResult
  public func pump() throws(SocketError) -> Int {
    guard backlogBytes > 0 else { return 0 }
    defer { endIfSent() }
    let taken = try check(backlog.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[backlogStart...])) })
    backlogStart += taken
    if backlogStart == backlog.count {
      backlog.removeAll(keepingCapacity: true)
      backlogStart = 0
    } else if backlogStart >= backlogLimit {
      backlog.removeFirst(backlogStart)
      backlogStart = 0
    }
    return taken
  }

  /// Writes as many bytes as the kernel takes at once; returns their number, and the errno value that ended it or 0.
  private func write(_ bytes: UnsafeRawBufferPointer) -> (taken: Int, code: Int32) {
    var taken = 0
    while taken < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
      let sent = telecap_stream_send(descriptor, rest.baseAddress, rest.count)
      if sent == -Int(EINTR) { continue }
      if sent == -Int(EAGAIN) || sent == -Int(EWOULDBLOCK) { break }
      if sent < 0 { return (taken, Int32(-sent)) }
      taken += sent
    }
    return (taken, 0)
  }

  private func check(_ written: (taken: Int, code: Int32)) throws(SocketError) -> Int {
    sentBytes += written.taken
    if written.code != 0 { throw SocketError(.send, flow.destination, code: written.code) }
    return written.taken
  }

  /// Passes on received bytes without waiting, up to 64 KiB; returns false without any.
  ///
  /// - Throws: errors of `body`, or `SocketError` (ECONNRESET).
  @discardableResult
  public func receive(_ body: (Reply, RawSpan) throws -> Void) throws -> Bool {
    guard !peerEnded else { return false }
    let count = room.withUnsafeMutableBytes { telecap_stream_receive(descriptor, $0.baseAddress, $0.count) }
    if count == -Int(EINTR) || count == -Int(EAGAIN) || count == -Int(EWOULDBLOCK) { return false }
    if count <= 0 { peerEnded = true }
    if count < 0 { throw SocketError(.receive, flow.destination, code: Int32(-count)) }
    if count == 0 { return false }
    receivedBytes += count
    let reply = Reply(time: WallClock.now(), flow: flow.reversed)
    try room.withUnsafeBytes { try body(reply, UnsafeRawBufferPointer(rebasing: $0[..<count]).bytes) }
    return true
  }

  /// Sends the backlog, without regard to the stop flag; returns false where the peer did not take all of it in time.
  func sendBacklog(withinNanoseconds limit: Nanoseconds) throws(SocketError) -> Bool {
    let end = telecap_monotonic_ns() &+ limit
    while backlogBytes > 0, telecap_monotonic_ns() < end {
      if try pump() == 0 { wait(for: Int16(POLLOUT), milliseconds: 10) }
    }
    return backlogBytes == 0
  }

  /// Sends the backlog, closes this direction, and passes on replies until the peer closes its direction, the time has
  /// passed or `stop` is raised. Returns true if the peer closed in time and everything was sent.
  public func finish(
    withinNanoseconds nanoseconds: Nanoseconds, stop: StopFlag, _ body: (Reply, RawSpan) throws -> Void
  ) throws -> Bool {
    let end = telecap_monotonic_ns() &+ nanoseconds
    endSending()
    while !stop.isRaised, telecap_monotonic_ns() < end {
      try pump()
      if try receive(body) { continue }
      if peerEnded, backlogBytes == 0 { return true }
      wait(for: backlogBytes > 0 ? Int16(POLLIN | POLLOUT) : Int16(POLLIN), milliseconds: 10)
    }
    return false
  }

  private func wait(for events: Int16, milliseconds: Int32) {
    var item = pollfd(fd: descriptor, events: events, revents: 0)
    poll(&item, 1, milliseconds)
  }
}
