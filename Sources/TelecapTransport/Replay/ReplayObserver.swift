import TelecapRecording

/// Watches a replay as it goes, on the thread that sends: keep it short.
public protocol ReplayObserver: AnyObject {
  /// Whether `loaded` and `sent` are to be called: it costs a call for each packet.
  var watchesPackets: Bool { get }
  /// Bytes that are sent next, from this machine's address and port.
  func loaded(_ flow: Flow, _ bytes: RawSpan) throws
  /// All that was loaded has been sent.
  func sent() throws
  /// Bytes that came back.
  func replied(_ reply: Reply, _ bytes: RawSpan) throws
  /// There is time for other things; `packets` have been sent so far.
  func idle(packets: Int) throws
}
