/// How much of what was sent took effect; only the messages of the stream that is judged.
public struct Fidelity: Hashable, Sendable {
  /// Messages that the recording sent.
  public internal(set) var sent = 0
  /// Messages that reached the receiver, each copy counted.
  public internal(set) var delivered = 0
  /// Messages that the receiver applied.
  public internal(set) var applied = 0
  /// Messages that it dropped as late or duplicate, as it should.
  public internal(set) var stale = 0
  /// Payloads that are no valid message, or a value that none may apply.
  public internal(set) var invalid = 0

  /// Nothing yet.
  public init() {}
}

extension Fidelity: CustomStringConvertible {
  /// `sent 1000, delivered 953, applied 940, dropped as stale 13, invalid 0`.
  public var description: String {
    "sent \(sent), delivered \(delivered), applied \(applied), dropped as stale \(stale), invalid \(invalid)"
  }
}
