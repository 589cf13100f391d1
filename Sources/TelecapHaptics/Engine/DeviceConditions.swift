/// How hot a device is (ProcessInfo.ThermalState), coolest first.
public enum ThermalState: String, Sendable, CaseIterable, Comparable {
  case nominal, fair, serious, critical

  /// Whether `left` is cooler.
  public static func < (left: ThermalState, right: ThermalState) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .nominal: 0
    case .fair: 1
    case .serious: 2
    case .critical: 3
    }
  }
}

/// What a device can afford, and what is played on it (Multisensory Architectures, Thermal Throttling Mitigation; Battery
/// Optimization). Heat weighs more than the battery.
public struct DeviceConditions: Hashable, Sendable {
  /// How hot it is.
  public var thermal: ThermalState
  /// Whether its user asked it to save power.
  public var isLowPower: Bool

  /// A cool device with power to spare, unless told otherwise.
  public init(thermal: ThermalState = .nominal, isLowPower: Bool = false) {
    self.thermal = thermal
    self.isLowPower = isLowPower
  }

  /// What becomes of a haptic pattern.
  public enum Haptics: Hashable, Sendable {
    /// It is played as it is.
    case asIs
    /// One medium impact is played in its place, to save power.
    case mediumImpact
    /// Nothing is played: the device is this hot.
    case nothing(ThermalState)
  }

  /// What becomes of sound.
  public enum Audio: String, Sendable {
    /// Spatial, as it is.
    case spatial
    /// Without spatialisation.
    case flat
    /// As little as can be.
    case minimal
  }

  /// What becomes of particles.
  public enum Particles: String, Sendable {
    case all, fewer, minimal
  }

  /// From `serious` on no haptics; else in low-power mode one medium impact.
  public var haptics: Haptics {
    if thermal >= .serious { return .nothing(thermal) }
    return isLowPower ? .mediumImpact : .asIs
  }

  /// Spatial up to `fair`, flat when `serious`.
  public var audio: Audio {
    switch thermal {
    case .nominal, .fair: .spatial
    case .serious: .flat
    case .critical: .minimal
    }
  }

  /// All of them only when `nominal`.
  public var particles: Particles {
    switch thermal {
    case .nominal: .all
    case .fair, .serious: .fewer
    case .critical: .minimal
    }
  }
}
