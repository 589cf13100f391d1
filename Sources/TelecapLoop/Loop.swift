import TelecapModels
import TelecapRecording

/// The engine in virtual time: carries out what a stimulus hands on against a receiver, as fast as it comes, and tells
/// the log's reader all that happens.
///
/// Call it in order of time. What the receiver sends is answered at once by the other side. A receiver that was never
/// started answers, and begins nothing of its own; one that broke is asked nothing more.
public struct Loop<Receiver: Peer, Reader: LogReader, Side: OtherSide> {
  /// Whom the run is about.
  public var receiver: Receiver
  /// Who reads the log.
  public var reader: Reader
  /// Whom the receiver talks to.
  public var side: Side
  /// How far the run is.
  @usableFromInline var now = Timestamp.zero
  /// The peers that have a connection or a link with the receiver.
  @usableFromInline var connected: Set<Endpoint> = []
  /// The receiver has asked again for a time that has passed: it is not woken before something else happens, so that it
  /// cannot stop the run.
  @usableFromInline var isStuck = false
  /// The other side has answered what the receiver did when it was woken: there may be more to do at the same time.
  @usableFromInline var hasAnswered = false
  /// How often in a row it was woken again at the same time, for it was answered.
  @usableFromInline var timesAgain = 0
  /// More often it has nothing to do that an answer could have led to.
  @usableFromInline static var mostTimesAgain: Int { 8 }

  /// A run at its start.
  @inlinable
  public init(_ receiver: Receiver, _ reader: Reader, side: Side) {
    self.receiver = receiver
    self.reader = reader
    self.side = side
  }

  // MARK: - What happens

  /// The receiver begins to act.
  @inlinable
  public mutating func start() {
    act { receiver, time, perform in receiver.start(at: time, perform) }
  }

  /// Carries out the next step; one that is due earlier than the last is late.
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

  /// Our side sends a packet, whatever becomes of it.
  @inlinable
  @inline(__always)
  public mutating func sent(
    _ bytes: RawSpan, packet: Int = 0, by peer: Endpoint, over carrier: Carrier = .udp, at time: Timestamp
  ) {
    // What the receiver does at the same time comes behind it.
    if let wake = receiver.nextWake, wake < time { wakeUp(until: time.advanced(byNanoseconds: -1)) }
    reader.read(.sent(bytes, packet: packet, by: peer, over: carrier), at: time)
  }

  /// A datagram, or the next piece of a stream, reaches the receiver. Without `sentAt` it counts as sent when it arrives.
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

  /// A connection of this peer comes up, or its link.
  @inlinable
  public mutating func open(_ peer: Endpoint, over carrier: Carrier = .tcp, at time: Timestamp) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil else { return }
    connected.insert(peer)
    reader.read(.opened(peer), at: now)
    act { receiver, time, perform in receiver.opened(carrier, peer, at: time, perform) }
  }

  /// This peer closes its connection or link; nothing happens where it has none.
  @inlinable
  public mutating func close(_ peer: Endpoint, at time: Timestamp) {
    pass(to: time)
    isStuck = false
    guard receiver.broke == nil, connected.remove(peer) != nil else { return }
    reader.read(.closed(peer), at: now)
    act { receiver, time, perform in receiver.closed(peer, at: time, perform) }
  }

  /// The receiver's user does something. `work` returns what the receiver sent for it beside any socket, as a mouse sends HID
  /// reports, to `peer`.
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

  /// The receiver is asked to end in an orderly way.
  @inlinable
  public mutating func stop(at time: Timestamp) {
    pass(to: time)
    act { receiver, time, perform in receiver.stop(at: time, perform) }
  }

  /// Whether this peer has a connection or a link with the receiver.
  @inlinable
  public func isConnected(_ peer: Endpoint) -> Bool { connected.contains(peer) }

  /// Lets time go on: wakes the receiver whenever it asked to be, up to `time`.
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

  // MARK: - What the receiver asks for

  /// Calls the receiver, and carries out what it asked for; nil when it is broken.
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

  /// Nobody answers: all that the receiver asks for goes straight into the log.
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

  /// Somebody answers: what the receiver asks for is kept until it is done, because an answer calls it again.
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
