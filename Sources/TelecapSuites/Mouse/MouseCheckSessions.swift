import TelecapConformance
import TelecapMouse

/// Valid sessions to check the rules of a system file.
enum MouseCheckSessions {
  static let all = hosts + mice

  private static let hosts = ["MOVEMENT", "CONTROL"].map { message in
    CheckSession(
      "mouse-host", shows: [.pointer, .buttons, .scroll],
      """
      steps:
        - {at: 0s, send: \(message), with: {delta_x: [5, -3], delta_y: [2, 4]}, count: 10, every: 20ms}
        - {at: 400ms, send: \(message), with: {buttons: [1, 0, 2, 0, 4, 0]}, every: 40ms}
        - {at: 700ms, send: \(message), with: {scroll: [1, 2, -1]}, every: 40ms}
      expect: {streams: [mouse.pointer.sum]}
      end: 1s
      """)
  }

  /// The actions that a mouse refuses or clamps, among those that it supports.
  private static let mice = [
    ["{press: 1}", "{press: 0}"], [],
  ].map { presses in
    let asked =
      ["{move: [1, 1]}", "{connect: true}", "{move: [3, -4, 1]}"] + presses + [
        "{move: [.nan, 1]}", "{move: [40000, 0]}",
      ]
    let steps = asked.enumerated().map { "  - {at: \($0.offset * 100)ms, ask: \($0.element)}\n" }.joined()
    return CheckSession(
      "mouse", shows: [.refused, .clamped], "steps:\n\(steps)expect: {movements: [never-minus-128]}\nend: 1s\n")
  }
}
