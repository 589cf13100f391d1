/// One thing that a network does to a packet (semantics.md, Impairments), in the order in which they are applied.
/// The number keys the impairment's random stream, so it never changes.
public enum Impairment: UInt8, Hashable, Sendable, CaseIterable {
  /// The packet never arrives.
  case loss = 1
  /// One bit of its payload is flipped.
  case corrupt = 2
  /// It arrives twice.
  case duplicate = 3
  /// It arrives later.
  case delay = 4
  /// It arrives behind packets that were sent after it.
  case reorder = 5
  /// It waits for, and may be dropped by, a slow link.
  case rate = 6
  /// It waits until the link wakes up.
  case stall = 7

  /// The word in plans and reports, such as `loss`.
  public var name: String {
    switch self {
    case .loss: "loss"
    case .corrupt: "corrupt"
    case .duplicate: "duplicate"
    case .delay: "delay"
    case .reorder: "reorder"
    case .rate: "rate"
    case .stall: "stall"
    }
  }

  /// The impairment of this name, nil when there is none.
  public init?(name: String) {
    guard let match = Impairment.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
