import TelecapHaptics
import TelecapRecording

/// The part that a system under test plays: an end of a wire, or what comes behind one and turns values into sensations.
public enum Part: String, Sendable, CaseIterable {
  /// The robot's PC (`Role.host`).
  case host
  /// The mobile app (`Role.phone`).
  case phone
  /// The phone as a computer mouse (`Role.mouse`).
  case mouse
  /// The computer whose pointer the mouse moves (`Role.mouseHost`).
  case mouseHost = "mouse-host"
  /// Reads AHAP patterns and plays them.
  case ahap
  /// A phone's haptic engine with its manager, and what is started beside it.
  case haptics
  /// Traces touches, and hands them on.
  case touch

  /// The part of a program that plays this role on the wire.
  public init(_ role: Role) {
    self =
      switch role {
      case .host: .host
      case .phone: .phone
      case .mouse: .mouse
      case .mouseHost: .mouseHost
      }
  }

  /// What it is on the wire; nil for a device, which has no wire of its own and is only ever a model.
  public var role: Role? {
    switch self {
    case .host: .host
    case .phone: .phone
    case .mouse: .mouse
    case .mouseHost: .mouseHost
    case .ahap, .haptics, .touch: nil
    }
  }
}
