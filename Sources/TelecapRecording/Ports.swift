/// The ports that tell which protocol a payload speaks (tele.md, Transports; mouse.md, WiFi packet). All settable.
public struct Ports: Hashable, Sendable {
  /// TELE udp-v1. Default 50000.
  public var teleUDP: UInt16
  /// TELE tcp-v1. Default 50000.
  public var teleTCP: UInt16
  /// TELE BEACON broadcasts. Default 50001.
  public var teleBeacon: UInt16
  /// Mouse movement over UDP. Default 8888.
  public var mouseUDP: UInt16
  /// Mouse control over TCP. Default 8889.
  public var mouseTCP: UInt16

  /// The ports of the documents unless given.
  public init(
    teleUDP: UInt16 = 50_000, teleTCP: UInt16 = 50_000, teleBeacon: UInt16 = 50_001, mouseUDP: UInt16 = 8_888,
    mouseTCP: UInt16 = 8_889
  ) {
    self.teleUDP = teleUDP
    self.teleTCP = teleTCP
    self.teleBeacon = teleBeacon
    self.mouseUDP = mouseUDP
    self.mouseTCP = mouseTCP
  }

  /// The ports of the documents.
  public static let standard = Ports()
}
