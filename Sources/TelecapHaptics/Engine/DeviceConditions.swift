/// The thermal state of a device (ProcessInfo.ThermalState), coolest first.
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

/// The heat and power of a device, and the output that they allow (Multisensory Architectures, Thermal Throttling
/// Mitigation; Battery Optimization). Heat has priority over the battery.
public struct DeviceConditions: Hashable, Sendable {
  /// The thermal state.
  public var thermal: ThermalState
  /// Whether low-power mode is on.
  public var isLowPower: Bool

  /// By default a cool device with power to spare.
  public init(thermal: ThermalState = .nominal, isLowPower: Bool = false) {
    self.thermal = thermal
    self.isLowPower = isLowPower
  }

  /// The output of a haptic pattern.
  public enum Haptics: Hashable, Sendable {
    /// The pattern unchanged.
    case asIs
    /// One medium impact in its place, to save power.
    case mediumImpact
    /// No output, because of this thermal state.
    case nothing(ThermalState)
  }

  /// The output of sound.
  public enum Audio: String, Sendable {
    /// Spatial, unchanged.
    case spatial
    /// Without spatialisation.
    case flat
    /// Minimal.
    case minimal
  }

  /// The output of particles.
  public enum Particles: String, Sendable {
    case all, fewer, minimal
  }

  /// None from `serious` on; otherwise one medium impact in low-power mode.
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

  /// All particles only if `nominal`.
  public var particles: Particles {
    switch thermal {
    case .nominal: .all
    case .fair, .serious: .fewer
    case .critical: .minimal
    }
  }
}
