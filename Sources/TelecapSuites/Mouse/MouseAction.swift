import TelecapModels

/// An action of a mouse's user.
public enum MouseAction: UserAction, Hashable {
  /// Both connections come up.
  case connect
  /// A movement in counts, + right and + down, with a scroll, + up; may be NaN.
  case move(deltaX: Double, deltaY: Double, scroll: Double)
  /// Presses these buttons, and releases all others.
  case press(UInt8)
  /// A movement as a HID report over Bluetooth.
  case report(deltaX: Int, deltaY: Int, scroll: Int, buttons: UInt8)

  public var name: String {
    switch self {
    case .connect: "connect"
    case .move: "move"
    case .press: "press"
    // It uses Bluetooth, which telecap does not receive.
    case .report: ""
    }
  }

  public var values: [String: String] {
    switch self {
    case .connect, .report: [:]
    case .move(let x, let y, let scroll):
      ["X": MouseAction.text(x), "Y": MouseAction.text(y), "SCROLL": MouseAction.text(scroll)]
    case .press(let buttons): ["BUTTONS": "\(buttons)"]
    }
  }

  public var distance: Double? { if case .move(let x, _, _) = self { x } else { nil } }

  /// A whole number without a point.
  private static func text(_ count: Double) -> String { Int(exactly: count).map { "\($0)" } ?? "\(count)" }

  public var words: String {
    switch self {
    case .connect: "connect"
    case .move(let deltaX, let deltaY, let scroll):
      "move \(deltaX), \(deltaY)" + (scroll == 0 ? "" : ", scroll \(scroll)")
    case .press(let buttons): "press buttons \(buttons)"
    case .report(let deltaX, let deltaY, let scroll, let buttons):
      "report \(deltaX), \(deltaY), scroll \(scroll), buttons \(buttons)"
    }
  }
}
