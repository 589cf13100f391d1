/// The first line of a plan: what it was made from, so that it can be made again.
public struct PlanHeader: Hashable, Sendable {
  /// The word in `format`.
  public static let format = "telecap-plan"
  /// The version that this library writes, and the newest that it reads.
  public static let version = 1

  /// What the random streams were keyed by.
  public var seed: UInt64
  /// The digest of the capture that it was made for, as text (`CaptureDigest`); empty when there is none.
  public var capture: String
  /// Which packets suffer: the selection as it was given; empty for all.
  public var selection: String
  /// What was asked for.
  public var impairments: Impairments
  /// How fast.
  public var speed: Speed
  /// The longest silence that is kept, in recorded time; nil keeps all.
  public var maxGap: Interval?

  /// A header of these values.
  public init(
    seed: UInt64, capture: String, selection: String = "", impairments: Impairments = .none, speed: Speed = .recorded,
    maxGap: Interval? = nil
  ) {
    self.seed = seed
    self.capture = capture
    self.selection = selection
    self.impairments = impairments
    self.speed = speed
    self.maxGap = maxGap
  }

  /// When packets would be sent unimpaired.
  public var timeline: Timeline { Timeline(speed: speed, maxGap: maxGap) }
}

/// The keys of a plan's objects.
enum PlanKey: String, CaseIterable {
  case format, version, seed, capture, selection = "where", impairments, speed, maxGap = "max_gap"
  case packet, verdict, by, set, due, flip

  static let header: [PlanKey] = [.format, .version, .seed, .capture, .selection, .impairments, .speed, .maxGap]
  static let line: [PlanKey] = [.packet, .verdict, .by, .set, .due, .flip]
}
