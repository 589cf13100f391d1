import TelecapModels
import TelecapWire

/// What a mouse packet says, or a HID report.
public struct MouseSample: Hashable, Sendable {
  /// Bit 0 left, 1 right, 2 middle, as they stood on the wire.
  public var buttons: UInt8
  /// Counts, + right.
  public var deltaX: Int16
  /// Counts, + down.
  public var deltaY: Int16
  /// Counts, + up.
  public var scroll: Int8

  /// A packet of these values.
  public init(buttons: UInt8, deltaX: Int16, deltaY: Int16, scroll: Int8) {
    self.buttons = buttons
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.scroll = scroll
  }

  /// What a valid packet says; nil where the bytes end too early.
  @inlinable
  public init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 5, let buttons = MousePacket.fields.buttons.value(in: bytes),
      let deltaX = MousePacket.fields.deltaX.value(in: bytes), let deltaY = MousePacket.fields.deltaY.value(in: bytes),
      let scroll = MousePacket.fields.scroll.value(in: bytes)
    else { return nil }
    self.init(buttons: buttons, deltaX: Int16(deltaX), deltaY: Int16(deltaY), scroll: scroll)
  }

  /// What a valid HID report says, whose shorter form does not scroll; nil where the bytes end too early.
  public init?(report bytes: RawSpan) {
    guard let buttons = MouseReport.fields.buttons.value(in: bytes),
      let deltaX = MouseReport.fields.deltaX.value(in: bytes), let deltaY = MouseReport.fields.deltaY.value(in: bytes)
    else { return nil }
    self.init(
      buttons: buttons, deltaX: deltaX, deltaY: deltaY, scroll: MouseReport.fields.scroll.value(in: bytes) ?? 0)
  }
}
