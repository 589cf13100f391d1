/// The first line of a plan, with everything from which it was made, so that it can be made again.
public struct PlanHeader: Hashable, Sendable {
  /// The value of `format`.
  public static let format = "telecap-plan"
  /// The version that this library writes, and the newest that it can read.
  public static let version = 1

  /// The key of the random streams.
  public var seed: UInt64
  /// The digest of the capture for which it was made, as text (`CaptureDigest`); empty without one.
  public var capture: String
  /// The selection of the impaired packets as given; empty for all.
  public var selection: String
  /// The impairments.
  public var impairments: Impairments
  /// The speed.
  public var speed: Speed
  /// The maximum silence that is not shortened, in recorded time; nil for no maximum.
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

  /// The mapping from recorded time to run time.
  public var timeline: Timeline { Timeline(speed: speed, maxGap: maxGap) }
}

/// The keys in a plan's objects.
enum PlanKey: String, CaseIterable {
  case format, version, seed, capture, selection = "where", impairments, speed, maxGap = "max_gap"
  case packet, verdict, by, set, due, flip

  static let header: [PlanKey] = [.format, .version, .seed, .capture, .selection, .impairments, .speed, .maxGap]
  static let line: [PlanKey] = [.packet, .verdict, .by, .set, .due, .flip]
}
