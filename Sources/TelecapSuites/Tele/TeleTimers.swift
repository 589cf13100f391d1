import TelecapConformance
import TelecapModels
import TelecapTele

/// The timers of our host and phone, in ns, and their rates, per second: those of the rules by default. A setup with
/// others makes a mutant.
public struct TeleTimers: SetupOption, Hashable, Sendable {
  /// The silence after which a host closes a session over UDP.
  public var hostTimeout = HostModel.timeout
  /// The time in which a TCP connection must send its HELLO.
  public var helloTimeout = HostStreamModel.helloTimeout
  /// HAPTIC messages per second.
  public var hapticRate = HostModel.Settings().hapticRate
  /// The interval of HEARTBEAT over Bluetooth.
  public var heartbeatInterval = HostModel.Settings().heartbeatInterval
  /// The interval of HELLO.
  public var helloInterval = PhoneModel.helloInterval
  /// The time without ACK OK, over Bluetooth without HEARTBEAT, after which a phone takes its session as lost.
  public var phoneTimeout = PhoneModel.timeout
  /// Poses per second.
  public var poseRate = 60

  /// The timers of the rules.
  public init() {}

  public static let standard = TeleTimers()

  func set(_ settings: inout HostModel.Settings) {
    settings.timeout = hostTimeout
    settings.helloTimeout = helloTimeout
    settings.hapticRate = hapticRate
    settings.heartbeatInterval = heartbeatInterval
  }

  func set(_ settings: inout PhoneModel.Settings) {
    settings.helloInterval = helloInterval
    settings.timeout = phoneTimeout
    settings.poseRate = poseRate
  }
}
