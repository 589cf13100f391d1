/// The rules of the mapping from events to senses. The defaults are correct (haptics.md, One event, three senses); a
/// mutant of the shell differs in one of them.
public struct SensesRules: Hashable, Sendable {
  /// Whether distance weakens the haptics.
  public var fadesWithDistance = true
  /// Whether less energy weakens the haptics.
  public var fadesWithEnergy = true
  /// Whether the first transient has the material's upper bound; otherwise it has the lower one.
  public var cracksSharply = true
  /// Whether the rumble falls to the material's lower bound; otherwise it stays.
  public var rumbleFalls = true
  /// Whether a device in the state `serious` plays its sounds unplaced; otherwise they are placed.
  public var isFlatWhenSerious = true
  /// Whether a device in the state `critical` plays no sound.
  public var isSilentWhenCritical = true
  /// Whether a device that is not cool shows fewer particles.
  public var savesParticles = true
  /// Whether the session's category decides about the user's music; otherwise it is silenced.
  public var obeysCategory = true

  /// The correct rules.
  public init() {}
}
