import TelecapConformance
import TelecapMouse

extension Requirement {
  /// The requirements on the packets of a mouse.
  static let mouseSending = [
    Requirement(
      "mouse.clamp.int8", .must,
      "The part of a delta in one packet is clamped: −32768 → −127, 128 → 127, for both axes.",
      "Core Connectivity Layer, WiFi Packet Format; mouse, Sender rule 1"),
    Requirement(
      "mouse.clamp.never-minus-128", .must, "No byte of a delta or of scroll is ever 0x80.", "mouse, Sender rule 1"),
    Requirement(
      "mouse.split.sum", .must,
      "The packets of a movement add up to it; what no int16 holds, and scroll beyond ±127, is clamped and said.",
      "Core Connectivity Layer, Why 8-bit deltas; mouse, Sender rule 2"),
    Requirement(
      "mouse.split.buttons", .must,
      "Every packet of a large movement carries the same buttons, and scroll goes once.", "mouse, Sender rule 4"),
    Requirement(
      "mouse.sender.form", .must,
      "Every packet has five bytes, the header of its carrier, reserved bits of 0 and the buttons that are down; a click goes over TCP.",
      "mouse, WiFi packet; mouse, Sender rule 3"),
    Requirement(
      "mouse.sender.not-connected", .must, "Sending before both connections are up is an error, not a silent drop.",
      "mouse, Sender rule 6"),
    Requirement(
      "mouse.sender.not-a-number", .must, "A movement of NaN is an error, never a trap.", "mouse, Sender rule 5"),
    Requirement(
      "mouse.hid.layout", .must,
      "A HID report is six bytes: buttons, two little-endian int16 with their signs, scroll.",
      "Core Connectivity Layer, HID Report Format"),
  ]
}
