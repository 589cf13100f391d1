import TelecapModels
import TelecapWire

/// The content of a mouse packet or a HID report.
public struct MouseSample: Hashable, Sendable {
  /// Bit 0 left, 1 right, 2 middle; reserved bits unchanged.
  public var buttons: UInt8
  /// Counts, + right.
  public var deltaX: Int16
  /// Counts, + down.
  public var deltaY: Int16
  /// Counts, + up.
  public var scroll: Int8

  /// A packet with these values.
  public init(buttons: UInt8, deltaX: Int16, deltaY: Int16, scroll: Int8) {
    self.buttons = buttons
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.scroll = scroll
  }

  /// The content of a valid packet; nil if the bytes are truncated.
  @inlinable
  public init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 5, let buttons = MousePacket.fields.buttons.value(in: bytes),
      let deltaX = MousePacket.fields.deltaX.value(in: bytes), let deltaY = MousePacket.fields.deltaY.value(in: bytes),
      let scroll = MousePacket.fields.scroll.value(in: bytes)
    else { return nil }
    self.init(buttons: buttons, deltaX: Int16(deltaX), deltaY: Int16(deltaY), scroll: scroll)
  }

  /// The content of a valid HID report, whose shorter form has no scroll; nil if the bytes are truncated.
  public init?(report bytes: RawSpan) {
    guard let buttons = MouseReport.fields.buttons.value(in: bytes),
      let deltaX = MouseReport.fields.deltaX.value(in: bytes), let deltaY = MouseReport.fields.deltaY.value(in: bytes)
    else { return nil }
    self.init(
      buttons: buttons, deltaX: deltaX, deltaY: deltaY, scroll: MouseReport.fields.scroll.value(in: bytes) ?? 0)
  }
}
