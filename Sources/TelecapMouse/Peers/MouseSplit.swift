import TelecapModels
import TelecapWire

/// Splits a movement into packets of −127…127: their sum is the movement, the buttons are the same in all, and scroll
/// is only in the first (mouse.md, Sender rules 1, 2 and 4).
public struct MouseSplit: Sequence, IteratorProtocol, Sendable {
  private let buttons: UInt8
  private var deltaX: Int
  private var deltaY: Int
  private var scroll: Int8
  private var isFirst = true

  /// The packets of a movement in counts; scroll is clamped to −127…127. There is always at least one packet.
  public init(deltaX: Int, deltaY: Int, buttons: UInt8, scroll: Int = 0) {
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.buttons = buttons & 7
    self.scroll = Message.clampedToPacket(scroll)
  }

  public mutating func next() -> MouseSample? {
    guard isFirst || deltaX != 0 || deltaY != 0 else { return nil }
    let packet = MouseSample(
      buttons: buttons, deltaX: Int16(Message.clampedToPacket(deltaX)),
      deltaY: Int16(Message.clampedToPacket(deltaY)), scroll: scroll)
    deltaX -= Int(packet.deltaX)
    deltaY -= Int(packet.deltaY)
    scroll = 0
    isFirst = false
    return packet
  }
}

/// The errors of the mouse's API (mouse.md, Errors of the API).
public enum MouseError: String, Error, Sendable, CaseIterable {
  /// Bluetooth is not available.
  case bluetoothNotAvailable = "bluetooth-not-available"
  /// A connection is not up yet; both must be before anything is sent.
  case notConnected = "not-connected"
  /// The computer is unreachable.
  case wifiConnectionFailed = "wifi-connection-failed"
  /// A number is NaN.
  case invalidData = "invalid-data"
}
