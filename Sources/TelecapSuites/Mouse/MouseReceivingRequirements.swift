import TelecapConformance
import TelecapMouse

extension Requirement {
  /// The requirements on a mouse host's handling of packets.
  static let mouseReceiving = [
    Requirement(
      "mouse.header.unknown", .must, "A packet with an unknown header is dropped and changes nothing.",
      "mouse, Receiver rule 1"),
    Requirement(
      "mouse.length.wrong", .must, "A packet of a wrong length is dropped and changes nothing.",
      "mouse, Receiver rule 1"),
    Requirement(
      "mouse.pointer.sum", .must,
      "The pointer is the sum of what was received, under loss, reordering and duplication.", "mouse, Receiver rule 2"),
    Requirement(
      "mouse.pointer.screen", .must,
      "The pointer never leaves the screen on any of its four edges, and movement back counts at once.",
      "mouse, Receiver rule 2"),
    Requirement(
      "mouse.scroll.sum", .must, derived: true, "Scroll that is received adds up, and never moves the pointer.",
      "mouse, WiFi packet; semantics, Requirements"),
    Requirement(
      "mouse.control.resync", .must, derived: true,
      "After bytes that hold no 0xAA or 0xBB the next packet of the stream is understood.",
      "mouse, WiFi packet; semantics, Requirements"),
    Requirement(
      "mouse.buttons.latest-value-wins", .must, "The last packet received is the state of the buttons.",
      "mouse, Receiver rule 3"),
    Requirement("mouse.buttons.reserved", .must, "Bits 3 to 7 of the buttons are ignored.", "mouse, Receiver rule 4"),
    Requirement(
      "mouse.buttons.control-repairs", .should, "A release over TCP mends a release that was lost over UDP.",
      "mouse, Receiver rule 3"),
    Requirement(
      "mouse.control.stream", .must, "TCP packets that are split and joined at every byte are understood.",
      "mouse, WiFi packet"),
  ]
}
