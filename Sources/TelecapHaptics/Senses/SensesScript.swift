import TelecapRecording

/// What happens to an application, in the core and around it: the script that its senses play.
public struct SensesScript: Sendable {
  /// What it is, in a few words.
  public var title: String
  /// The seed of its trials.
  public var seed: UInt64 = 1
  /// How many trials each event's skew is looked at in.
  public var trials = 10_000
  /// How far ahead the three senses are armed, ns.
  public var lead: Nanoseconds = 50_000_000
  /// How long it is played, ns; nil until everything is over.
  public var duration: Nanoseconds?
  /// Where sounds are placed.
  public var space = SoundSpace()
  /// How many players there are for sounds.
  public var players = 4
  /// The clocks.
  public var device = SyncDevice()
  /// Whether the device has haptics.
  public var supportsHaptics = true
  /// Who perceives it.
  public var listener = ListenerPath()
  /// What changes around the application, in order of time.
  public var changes: [(time: Timestamp, change: WorldChange)] = []
  /// What happens in the core, in order of time.
  public var events: [(time: Timestamp, event: WorldEvent)] = []

  /// The longest that is played, in ns: ten minutes.
  public static let longest: Nanoseconds = 600_000_000_000

  /// A script in which nothing happens yet.
  public init(title: String) { self.title = title }
}
