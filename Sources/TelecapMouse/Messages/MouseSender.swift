import TelecapWire

/// Makes the messages of a correct mouse (mouse.md, Sender rules 1 and 3): deltas are clamped to the range of the
/// packet, −128 is never sent, reserved bits are 0. `MouseSplit` splits a large movement into several packets.
extension Message {
  /// A movement packet over WiFi; deltas and scroll in counts, clamped to −127…127.
  public static func mouseMovement(deltaX: Int, deltaY: Int, buttons: UInt8, scroll: Int = 0) -> Message {
    packet(.mouseMovement, deltaX, deltaY, buttons, scroll)
  }

  /// A control packet over WiFi for a change of a button; deltas and scroll in counts, clamped to −127…127.
  public static func mouseControl(buttons: UInt8, deltaX: Int = 0, deltaY: Int = 0, scroll: Int = 0) -> Message {
    packet(.mouseControl, deltaX, deltaY, buttons, scroll)
  }

  /// A HID report over Bluetooth; deltas in counts, clamped to int16; scroll clamped to −127…127.
  public static func mouseReport(deltaX: Int, deltaY: Int, buttons: UInt8, scroll: Int = 0) -> Message {
    var message = Typed<MouseReport>()
    message[MouseReport.fields.buttons] = buttons & 7
    message[MouseReport.fields.deltaX] = Int16(clamping: deltaX)
    message[MouseReport.fields.deltaY] = Int16(clamping: deltaY)
    message[MouseReport.fields.scroll] = clampedToPacket(scroll)
    return message.message
  }

  /// The delta clamped to −127…127, the range of a WiFi packet (mouse.md, Sender rule 1).
  public static func clampedToPacket(_ delta: Int) -> Int8 { Int8(max(-127, min(127, delta))) }

  private static func packet(
    _ kind: MessageKind, _ deltaX: Int, _ deltaY: Int, _ buttons: UInt8, _ scroll: Int
  ) -> Message {
    var message = Typed<MousePacket>(empty: kind)
    message[MousePacket.fields.buttons] = buttons & 7
    message[MousePacket.fields.deltaX] = clampedToPacket(deltaX)
    message[MousePacket.fields.deltaY] = clampedToPacket(deltaY)
    message[MousePacket.fields.scroll] = clampedToPacket(scroll)
    return message.message
  }
}
