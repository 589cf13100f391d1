/// All that a network is asked to do to a recording: nil for what it does not do.
///
/// Applied in this order: the selection, loss, corrupt, duplicate, delay, reorder, rate, stall (semantics.md,
/// Impairments).
public struct Impairments: Hashable, Sendable {
  /// Which packets are dropped.
  public var loss: Loss?
  /// Which packets have a bit flipped.
  public var corrupt: Corrupt?
  /// Which packets are delivered twice.
  public var duplicate: Duplicate?
  /// How much later each delivery comes.
  public var delay: Delay?
  /// Which packets are held back behind later ones.
  public var reorder: Reorder?
  /// The link's rate and queue.
  public var rate: Rate?
  /// When nothing leaves.
  public var stall: Stall?

  /// No impairment unless given.
  public init(
    loss: Loss? = nil, corrupt: Corrupt? = nil, duplicate: Duplicate? = nil, delay: Delay? = nil,
    reorder: Reorder? = nil, rate: Rate? = nil, stall: Stall? = nil
  ) {
    self.loss = loss
    self.corrupt = corrupt
    self.duplicate = duplicate
    self.delay = delay
    self.reorder = reorder
    self.rate = rate
    self.stall = stall
  }

  /// Nothing is done to any packet.
  public static let none = Impairments()

  /// Whether something is decided in the order of leaving rather than packet by packet.
  var needsEgress: Bool { reorder != nil || rate != nil || stall != nil }
}
