/// What the mapping from events to senses keeps to. As it stands it is right (haptics.md, One event, three senses); a shell
/// that is wrong differs in one of these.
public struct SensesRules: Hashable, Sendable {
  /// What is far away is felt less.
  public var fadesWithDistance = true
  /// What has less energy is felt less.
  public var fadesWithEnergy = true
  /// The first transient has the material's upper bound; otherwise its lower one.
  public var cracksSharply = true
  /// The rumble falls to the material's lower bound; otherwise it stays.
  public var rumbleFalls = true
  /// A device that is serious plays its sounds without a place; otherwise placed.
  public var isFlatWhenSerious = true
  /// A device that is critical plays no sound.
  public var isSilentWhenCritical = true
  /// A device that is not cool shows fewer particles.
  public var savesParticles = true
  /// The category of the session says what becomes of the user's music; otherwise it is silenced.
  public var obeysCategory = true

  /// The right ones.
  public init() {}
}
