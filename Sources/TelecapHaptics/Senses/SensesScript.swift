import TelecapRecording

/// The script of events in the core of an application, and of changes around it.
public struct SensesScript: Sendable {
  /// A short title.
  public var title: String
  /// The seed of its trials.
  public var seed: UInt64 = 1
  /// The number of trials for each event's skew.
  public var trials = 10_000
  /// The time by which the three senses are armed ahead, in ns.
  public var lead: Nanoseconds = 50_000_000
  /// The duration in ns; nil to play until everything is over.
  public var duration: Nanoseconds?
  /// The space of sounds.
  public var space = SoundSpace()
  /// The number of players for sounds.
  public var players = 4
  /// The clocks.
  public var device = SyncDevice()
  /// Whether the device has haptics.
  public var supportsHaptics = true
  /// The path of the listener.
  public var listener = ListenerPath()
  /// The changes around the application, in order of time.
  public var changes: [(time: Timestamp, change: WorldChange)] = []
  /// The events in the core, in order of time.
  public var events: [(time: Timestamp, event: WorldEvent)] = []

  /// The maximum duration in ns: ten minutes.
  public static let longest: Nanoseconds = 600_000_000_000

  /// An empty script.
  public init(title: String) { self.title = title }
}
