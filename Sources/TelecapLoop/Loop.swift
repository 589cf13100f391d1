import TelecapModels
import TelecapRecording

/// The engine in virtual time: runs the steps of a stimulus against a receiver without pauses, and reports every event
/// to the log's reader.
///
/// Call it in order of time. The other side answers the receiver's packets at once. A receiver that was never started
/// answers, but starts nothing itself; a receiver that broke is not called any more.
public struct Loop<Receiver: Peer, Reader: LogReader, Side: OtherSide> {
  /// The receiver under test.
  public var receiver: Receiver
  /// The reader of the log.
  public var reader: Reader
  /// The other side of the receiver.
  public var side: Side
  /// The current time of the run.
  @usableFromInline var now = Timestamp.zero
  /// The peers that have a connection or a link with the receiver.
  @usableFromInline var connected: Set<Endpoint> = []
  /// Whether the receiver has re-armed its timer in the past. It is not woken before another event, to avoid a
  /// livelock.
  @usableFromInline var isStuck = false
  /// Whether the other side has answered the receiver since its last wake-up, so that it may have more to do at the
  /// same time.
  @usableFromInline var hasAnswered = false
  /// The number of consecutive wake-ups at the same time after answers.
  @usableFromInline var timesAgain = 0
  /// The maximum of `timesAgain`; after that no answer explains another wake-up.
  @usableFromInline static var mostTimesAgain: Int { 8 }

  /// A run at its start.
  @inlinable
  public init(_ receiver: Receiver, _ reader: Reader, side: Side) {
    self.receiver = receiver
    self.reader = reader
    self.side = side
  }

  // MARK: - Events of the run

  /// Starts the receiver.
  @inlinable
  public mutating func start() {
    act { receiver, time, perform in receiver.start(at: time, perform) }
  }

  /// Runs the next step; a step that is due before the last one runs late.
  @inlinable
  @inline(__always)
  public mutating func take(_ step: LoopStep, _ bytes: RawSpan, at time: Timestamp) {
    switch step {
    case .sent(let packet, let peer, let carrier): sent(bytes, packet: packet, by: peer, over: carrier, at: time)
    case .deliver(let packet, let peer, let carrier, let sentAt):
      deliver(bytes, over: carrier, from: peer, at: time, sentAt: sentAt, packet: packet)
    case .open(let peer, let carrier): open(peer, over: carrier, at: time)
    case .close(let peer): close(peer, at: time)
    }
  }

  /// Reports a packet that our side sends, whatever the network does to it.
  @inlinable
  @inline(__always)
  public mutating func sent(
    _ bytes: RawSpan, packet: Int = 0, by peer: Endpoint, over carrier: Carrier = .udp, at time: Timestamp
  ) {
    // Wake the receiver only for earlier times: its actions at the same time follow the packet.
    if let wake = receiver.nextWake, wake < time { wakeUp(until: time.advanced(byNanoseconds: -1)) }
    reader.read(.sent(bytes, packet: packet, by: peer, over: carrier), at: time)
  }

  /// Delivers a datagram, or the next segment of a stream, to the receiver. Without `sentAt` the time of arrival is the
  /// time of sending.
  @inlinable
  @inline(__always)
  public mutating func deliver(
    _ bytes: RawSpan, over carrier: Carrier, from peer: Endpoint, at time: Timestamp, sentAt: Timestamp? = nil,
    packet: Int
  ) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil else { return }
    reader.read(.delivered(bytes, packet: packet, from: peer, over: carrier, sentAt: sentAt ?? now), at: now)
    act { receiver, time, perform in receiver.receive(bytes, over: carrier, from: peer, at: time, perform) }
  }

  /// Opens a connection of this peer, or its link.
  @inlinable
  public mutating func open(_ peer: Endpoint, over carrier: Carrier = .tcp, at time: Timestamp) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil else { return }
    connected.insert(peer)
    reader.read(.opened(peer), at: now)
    act { receiver, time, perform in receiver.opened(carrier, peer, at: time, perform) }
  }

  /// Closes the connection or link of this peer, if it has one.
  @inlinable
  public mutating func close(_ peer: Endpoint, at time: Timestamp) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil, connected.remove(peer) != nil else { return }
    reader.read(.closed(peer), at: now)
    act { receiver, time, perform in receiver.closed(peer, at: time, perform) }
  }

  /// Performs an action of the receiver's user. `work` returns the payloads that the receiver sends to `peer` without a
  /// socket, such as the HID reports of a mouse.
  @inlinable
  public mutating func ask(
    _ action: any UserAction, of peer: Endpoint, at time: Timestamp,
    _ work: (inout Receiver, Timestamp, Perform) -> [[UInt8]]
  ) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil else { return }
    reader.read(.asked(action), at: now)
    for report in act(work) ?? [] { reader.read(.replied(report.span.bytes, to: peer, over: nil), at: now) }
  }

  /// Asks the receiver to stop in an orderly way.
  @inlinable
  public mutating func stop(at time: Timestamp) {
    pass(to: time)
    act { receiver, time, perform in receiver.stop(at: time, perform) }
  }

  /// Whether this peer has a connection or a link with the receiver.
  @inlinable
  public func isConnected(_ peer: Endpoint) -> Bool { connected.contains(peer) }

  /// Advances time to `time`, and wakes the receiver whenever its timer is due.
  @inlinable
  @inline(__always)
  public mutating func pass(to time: Timestamp) {
    if let wake = receiver.nextWake, wake <= time { wakeUp(until: time) }
    now = max(now, time)
  }

  @inlinable
  @inline(never)
  mutating func wakeUp(until time: Timestamp) {
    while !isStuck, receiver.broke == nil, let wake = receiver.nextWake, wake <= time {
      now = max(now, wake)
      hasAnswered = false
      act { receiver, time, perform in receiver.advance(to: time, perform) }
      let isAgain = receiver.nextWake.map { $0 <= wake } ?? false
      timesAgain = isAgain && hasAnswered ? timesAgain + 1 : 0
      isStuck = isAgain && (timesAgain == 0 || timesAgain > Loop.mostTimesAgain)
    }
  }

  // MARK: - Actions of the receiver

  /// Calls the receiver, and performs the actions that it requests; nil if it broke.
  @inlinable
  @inline(__always)
  @discardableResult
  mutating func act<Result>(_ work: (inout Receiver, Timestamp, Perform) -> Result) -> Result? {
    guard receiver.broke == nil else { return nil }
    let result =
      side.isSilent ? Loop.tell(&receiver, &reader, &connected, now, work) : converse(work)
    if let reason = receiver.broke { reader.read(.broke(reason), at: now) }
    return result
  }

  /// Reports all actions of the receiver directly to the log, because nothing answers them.
  @inlinable
  @inline(__always)
  static func tell<Result>(
    _ receiver: inout Receiver, _ reader: inout Reader, _ connected: inout Set<Endpoint>, _ time: Timestamp,
    _ work: (inout Receiver, Timestamp, Perform) -> Result
  ) -> Result {
    work(&receiver, time) { action, bytes in
      switch action {
      case .event(let event): reader.read(.event(event), at: time)
      case .send(let carrier, let peer): reader.read(.replied(bytes, to: peer, over: carrier), at: time)
      case .disconnect(let peer):
        connected.remove(peer)
        reader.read(.disconnected(peer), at: time)
      }
    }
  }

  /// Collects the receiver's actions until it returns, because an answer calls the receiver again.
  @inlinable
  @inline(never)
  mutating func converse<Result>(_ work: (inout Receiver, Timestamp, Perform) -> Result) -> Result {
    var asked: [(PeerAction, [UInt8])] = []
    let result = work(&receiver, now) { action, bytes in
      var copy: [UInt8] = []
      if case .send = action { copy = bytes.withUnsafeBytes { Array($0) } }
      asked.append((action, copy))
    }
    for (action, bytes) in asked {
      switch action {
      case .event(let event): reader.read(.event(event), at: now)
      case .send(let carrier, let peer):
        reader.read(.replied(bytes.span.bytes, to: peer, over: carrier), at: now)
        for answer in side.answers(to: bytes.span.bytes, over: carrier, at: now) {
          reply(answer, over: carrier, from: peer)
        }
      case .disconnect(let peer):
        connected.remove(peer)
        reader.read(.disconnected(peer), at: now)
      }
    }
    return result
  }

  @inlinable
  @inline(never)
  mutating func reply(_ answer: [UInt8], over carrier: Carrier, from peer: Endpoint) {
    hasAnswered = true
    reader.read(.delivered(answer.span.bytes, packet: 0, from: peer, over: carrier, sentAt: now), at: now)
    act { receiver, time, perform in
      receiver.receive(answer.span.bytes, over: carrier, from: peer, at: time, perform)
    }
  }
}

extension Loop: Sendable where Receiver: Sendable, Reader: Sendable, Side: Sendable {}
