import TelecapRecording

/// What a peer asks of the world around it. The bytes of a `send` are passed beside it.
public enum PeerAction: Sendable {
  /// Send the bytes beside this: over UDP as one datagram, over TCP as the next piece of the stream, over Bluetooth as one
  /// write or notification.
  case send(Carrier, to: Endpoint)
  /// Something happened that an observer may want to know.
  case event(PeerEvent)
  /// Close the connection or link with this peer, after what was sent before.
  case disconnect(Endpoint)
}

/// Carries out one action; its bytes are valid during the call only.
public typealias Perform = (PeerAction, RawSpan) -> Void

/// A peer as a pure state machine. Time is passed in and only goes forward; a peer that is called late sends what is due
/// once and skips what it missed.
public protocol Peer: Sendable {
  /// When `advance` has something to do next; nil when only a message can change anything.
  var nextWake: Timestamp? { get }
  /// Nothing more will be sent unless a message comes.
  var isFinished: Bool { get }
  /// How it broke; nil while it lives. One that broke is asked nothing more.
  var broke: String? { get }
  /// Begins to act. A peer that was never started answers, and begins nothing of its own.
  mutating func start(at time: Timestamp, _ perform: Perform)
  /// A socket is ready: over UDP the peer's own, over TCP the connection with `endpoint`. Over Bluetooth the link with it is up.
  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// A datagram, the next piece of the stream, or what came over the link, came from `endpoint`.
  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// There is no connection with `endpoint`, to which one was to be made.
  mutating func unreachable(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// The connection or link with `endpoint` has ended.
  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// Time has passed: does what is due.
  mutating func advance(to time: Timestamp, _ perform: Perform)
  /// Ends in an orderly way.
  mutating func stop(at time: Timestamp, _ perform: Perform)
}

extension Peer {
  @inlinable
  public var isFinished: Bool { false }
  @inlinable
  public var broke: String? { nil }
  public mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {}
  public mutating func unreachable(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {}
  public mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {}
}

extension PeerAction {
  /// Tells an event.
  @inlinable
  @inline(__always)
  public static func tell(_ event: PeerEvent, _ perform: Perform) { perform(.event(event), RawSpan()) }
}
