import TelecapModels
import TelecapRecording

/// Drives a model with deliveries in virtual time, as fast as they come, and judges it: the same plan that a replay
/// carries out over a socket.
///
/// Call `sent` and `deliver` in order of time. Nothing is allocated for each packet. The model is not started: it answers
/// and receives, and begins nothing of its own.
public struct VirtualRun<Receiver: Peer>: Sendable {
  /// The receiver under test.
  public private(set) var receiver: Receiver
  /// What is known of it so far.
  public private(set) var oracle: Oracle
  /// How many messages the receiver sent.
  public private(set) var replies = 0
  private var now = Timestamp.zero

  /// A run of `receiver`, which is judged by `settings`.
  public init(_ receiver: Receiver, _ settings: Oracle.Settings) {
    self.receiver = receiver
    oracle = Oracle(settings)
  }

  /// The recording sent a message at this time, whatever becomes of it.
  public mutating func sent(_ message: RawSpan, at time: Timestamp) { oracle.sent(message, at: time) }

  /// A datagram, or the next piece of a stream, reaches the receiver.
  public mutating func deliver(
    _ bytes: RawSpan, over carrier: Carrier, from source: Endpoint, at time: Timestamp, sentAt: Timestamp? = nil,
    packet: Int
  ) {
    now = max(now, time)
    pass(to: now)
    oracle.delivered(bytes, over: carrier, from: source, at: now, sentAt: sentAt, packet: packet)
    Self.receive(&receiver, &oracle, &replies, bytes, carrier, source, now)
  }

  /// A TCP connection from `source` begins.
  public mutating func open(_ source: Endpoint, at time: Timestamp) {
    now = max(now, time)
    let now = now
    Self.act(&receiver, &oracle, &replies, now) { receiver, perform in
      receiver.opened(.tcp, source, at: now, perform)
    }
  }

  /// The run ends at `time`: the receiver does what was due until then, and is judged.
  public mutating func finish(at time: Timestamp) {
    now = max(now, time)
    pass(to: now)
    oracle.finish(at: now)
  }

  /// Wakes the receiver whenever it asked to be, up to `time`.
  @inline(__always)
  private mutating func pass(to time: Timestamp) {
    while let wake = receiver.nextWake, wake <= time {
      Self.act(&receiver, &oracle, &replies, wake) { receiver, perform in receiver.advance(to: wake, perform) }
      // A receiver that asks again for a time that has passed must not stop the run.
      guard let next = receiver.nextWake, next > wake else { return }
    }
  }

  private static func act(
    _ receiver: inout Receiver, _ oracle: inout Oracle, _ replies: inout Int, _ time: Timestamp,
    _ work: (inout Receiver, Perform) -> Void
  ) {
    work(&receiver) { action, _ in note(action, &oracle, &replies, time) }
  }

  @inline(__always)
  private static func receive(
    _ receiver: inout Receiver, _ oracle: inout Oracle, _ replies: inout Int, _ bytes: RawSpan, _ carrier: Carrier,
    _ source: Endpoint, _ time: Timestamp
  ) {
    receiver.receive(bytes, over: carrier, from: source, at: time) { action, _ in
      note(action, &oracle, &replies, time)
    }
  }

  @inline(__always)
  private static func note(
    _ action: PeerAction, _ oracle: inout Oracle, _ replies: inout Int, _ time: Timestamp
  ) {
    switch action {
    case .event(let event): oracle.observed(event, at: time)
    case .send: replies += 1
    case .disconnect: return
    }
  }
}
