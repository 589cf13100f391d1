import TelecapRecording

/// An action that a peer requests. The bytes of a `send` are passed next to it.
public enum PeerAction: Sendable {
  /// Sends the bytes: over UDP as one datagram, over TCP as the next segment of the stream, over Bluetooth as one write
  /// or notification.
  case send(Carrier, to: Endpoint)
  /// Emits an event for observers.
  case event(PeerEvent)
  /// Closes the connection or link with this peer, after the bytes sent before.
  case disconnect(Endpoint)
}

/// Performs one action; its bytes are valid only during the call.
public typealias Perform = (PeerAction, RawSpan) -> Void

/// A peer as a pure state machine. Time is an argument and only goes forward; a peer that is called late sends due
/// messages once and skips missed ones.
public protocol Peer: Sendable {
  /// The time at which `advance` has to be called next; nil if only a message can change the state.
  var nextWake: Timestamp? { get }
  /// Whether nothing more will be sent without a received message.
  var isFinished: Bool { get }
  /// The reason why it broke; nil while it works. A peer that broke is not called any more.
  var broke: String? { get }
  /// Starts the peer. A peer that was never started answers, but starts nothing itself.
  mutating func start(at time: Timestamp, _ perform: Perform)
  /// A socket is ready: over UDP the peer's own, over TCP the connection with `endpoint`. Over Bluetooth the link with
  /// it is up.
  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// A datagram, the next segment of the stream, or a payload over the link arrived from `endpoint`.
  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// Connecting to `endpoint` failed.
  mutating func unreachable(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// The connection or link with `endpoint` has closed.
  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform)
  /// Advances time: performs everything that is due.
  mutating func advance(to time: Timestamp, _ perform: Perform)
  /// Stops in an orderly way.
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
  /// Emits an event.
  @inlinable
  @inline(__always)
  public static func tell(_ event: PeerEvent, _ perform: Perform) { perform(.event(event), RawSpan()) }
}
