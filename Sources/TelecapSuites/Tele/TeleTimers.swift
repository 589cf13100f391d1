import TelecapConformance
import TelecapModels
import TelecapTele

/// The timers of our host and phone, in ns, and their rates, a second: those of the rules unless a set-up has others, which
/// makes them wrong.
public struct TeleTimers: SetupOption, Hashable, Sendable {
  /// After so long without a message a host closes a session over UDP.
  public var hostTimeout = HostModel.timeout
  /// Within so long a TCP connection must bring its HELLO.
  public var helloTimeout = HostStreamModel.helloTimeout
  /// HAPTIC messages a second.
  public var hapticRate = HostModel.Settings().hapticRate
  /// From one HEARTBEAT to the next over Bluetooth.
  public var heartbeatInterval = HostModel.Settings().heartbeatInterval
  /// From one HELLO to the next.
  public var helloInterval = PhoneModel.helloInterval
  /// After so long without ACK OK, over Bluetooth without HEARTBEAT, a phone takes its session for lost.
  public var phoneTimeout = PhoneModel.timeout
  /// Poses a second.
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
