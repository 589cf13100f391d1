import TelecapRecording

/// Which packet of a recording something is about.
public struct ReplayPacket: Hashable, Sendable {
  /// Its number in the capture.
  public var number: Int
  /// The number of its flow.
  public var flow: Int
  /// UDP or TCP.
  public var carrier: Carrier
  /// When it would be sent unimpaired, in ns from the start of the run.
  public var sentAt: Nanoseconds
}

/// Watches a replay as it goes, on the thread that sends: keep it short.
public protocol ReplayObserver: AnyObject {
  /// Whether `planned`, `loaded` and `sent` are to be called: they cost a call for each packet.
  var watchesPackets: Bool { get }
  /// A run begins; its first deadline counts from this time of day.
  func began(at time: Timestamp) throws
  /// The recording sent these bytes, whatever the plan makes of them. Comes before the packet's `loaded`.
  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws
  /// Bytes that are sent next, from this machine's address and port.
  func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) throws
  /// Bytes that are sent at once, before a run ends early and in place of all that was loaded and not sent: `Teardown`.
  func toreDown(_ flow: Flow, _ bytes: RawSpan) throws
  /// All that was loaded has been sent, `time` ns from the start of the run.
  func sent(at time: Nanoseconds) throws
  /// Bytes that came back.
  func replied(_ reply: Reply, _ bytes: RawSpan) throws
  /// There is time for other things; `packets` have been sent so far.
  func idle(packets: Int) throws
}
