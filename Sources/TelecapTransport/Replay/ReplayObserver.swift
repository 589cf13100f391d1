import TelecapRecording

/// The identity of a recording's packet.
public struct ReplayPacket: Hashable, Sendable {
  /// Its number in the capture.
  public var number: Int
  /// The number of its flow.
  public var flow: Int
  /// The transport.
  public var carrier: Carrier
  /// The time at which it would be sent without impairments, in ns from the start of the run.
  public var sentAt: Nanoseconds
}

/// Observes a replay, on the thread that sends: its methods must be fast.
public protocol ReplayObserver: AnyObject {
  /// Whether `planned`, `loaded` and `sent` are called, which costs a call for each packet.
  var watchesPackets: Bool { get }
  /// Called at the start of a run; its deadlines count from this time of day.
  func began(at time: Timestamp) throws
  /// Called with the bytes that the recording sent, whatever the plan decides. Comes before the packet's `loaded`.
  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws
  /// Called with bytes that are sent next, and their flow from this machine's address and port.
  func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) throws
  /// Called with bytes of a `Teardown`, which are sent at once before a run ends early, in place of loaded ones.
  func toreDown(_ flow: Flow, _ bytes: RawSpan) throws
  /// Called when all loaded bytes have been sent, `time` ns from the start of the run.
  func sent(at time: Nanoseconds) throws
  /// Called with received bytes.
  func replied(_ reply: Reply, _ bytes: RawSpan) throws
  /// Called when there is time for other work; `packets` is the number sent so far.
  func idle(packets: Int) throws
}
