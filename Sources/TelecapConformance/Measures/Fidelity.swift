/// Counts of sent, delivered and applied messages of the tested stream.
public struct Fidelity: Hashable, Sendable {
  /// Messages that the recording sent.
  public internal(set) var sent = 0
  /// Messages that reached the receiver, duplicates included.
  public internal(set) var delivered = 0
  /// Messages that the receiver applied.
  public internal(set) var applied = 0
  /// Whether the receiver reports applied and dropped messages; otherwise these counts are unknown.
  public internal(set) var isToldByReceiver = true
  /// Messages that it dropped as stale or duplicate, as required.
  public internal(set) var stale = 0
  /// Messages that reached the receiver and are invalid, or have a value that no receiver may apply.
  public internal(set) var invalid = 0

  /// All counts are 0.
  public init() {}
}

extension Fidelity: CustomStringConvertible {
  /// `sent 1000, delivered 953, applied 940, dropped as stale 13, invalid 0`; without the counts that the receiver does
  /// not report.
  public var description: String {
    guard isToldByReceiver else { return "sent \(sent), delivered \(delivered), invalid \(invalid)" }
    return "sent \(sent), delivered \(delivered), applied \(applied), dropped as stale \(stale), invalid \(invalid)"
  }
}
