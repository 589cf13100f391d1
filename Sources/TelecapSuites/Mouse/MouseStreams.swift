import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapWire

/// The streams of the mouse as a host is held to them, under the ids that the mouse's requirements always had.
extension JudgedStream {
  /// The pointer and the buttons of a mouse host with this screen.
  public static func mouse(_ screen: ScreenSize = .standard) -> [JudgedStream] { [pointer(screen), buttons] }

  private static func pointer(_ screen: ScreenSize) -> JudgedStream {
    of(
      declared: "pointer", of: Mouse.wire,
      [
        (.latest, "mouse.pointer.sum"), (.clampHigh, "mouse.pointer.screen"), (.clampLow, "mouse.pointer.screen"),
      ], in: Requirement.mouseReceiving, ranges: [0...Double(screen.width - 1), 0...Double(screen.height - 1)],
      start: [Double(screen.centre.x), Double(screen.centre.y)],
      axis: "counts to the right", words: { value, _ in "pointer (\(Int(value.values[0])), \(Int(value.values[1])))" },
      reading: { event, shown in
        switch event {
        case .pointer(let at):
          shown.value.values = [Double(at.x), Double(at.y)]
          return .shows
        case .mouseReceived: return .uses
        default: return nil
        }
      })
  }

  private static let buttons = of(
    declared: "buttons", of: Mouse.wire,
    [
      (.latest, "mouse.buttons.latest-value-wins"), (.reserved, "mouse.buttons.reserved"),
      (.control, "mouse.buttons.control-repairs"), (.invalid, "mouse.header.unknown"),
    ], in: Requirement.mouseReceiving, start: [0],
    words: { value, _ in "buttons \(Int(value.values.first ?? 0))" },
    reading: { event, shown in
      guard case .buttons(let bitmap) = event else { return nil }
      shown.value.values = [Double(bitmap)]
      return .shows
    })
}
