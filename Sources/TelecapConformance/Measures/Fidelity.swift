/// How much of what was sent took effect; only the messages of the stream that is judged.
public struct Fidelity: Hashable, Sendable {
  /// Messages that the recording sent.
  public internal(set) var sent = 0
  /// Messages that reached the receiver, each copy counted.
  public internal(set) var delivered = 0
  /// Messages that the receiver applied.
  public internal(set) var applied = 0
  /// The receiver tells which messages it applies and drops; otherwise nothing is known of that.
  public internal(set) var isToldByReceiver = true
  /// Messages that it dropped as late or duplicate, as it should.
  public internal(set) var stale = 0
  /// Those of them that reached the receiver and are no valid message, or hold a value that none may apply.
  public internal(set) var invalid = 0

  /// Nothing yet.
  public init() {}
}

extension Fidelity: CustomStringConvertible {
  /// `sent 1000, delivered 953, applied 940, dropped as stale 13, invalid 0`; without what the receiver does not tell.
  public var description: String {
    guard isToldByReceiver else { return "sent \(sent), delivered \(delivered), invalid \(invalid)" }
    return "sent \(sent), delivered \(delivered), applied \(applied), dropped as stale \(stale), invalid \(invalid)"
  }
}
