import TelecapConformance

/// Right sessions by which the rules of a system file are checked.
enum MouseCheckSessions {
  static let all = ["MOVEMENT", "CONTROL"].map { message in
    CheckSession(
      "mouse-host", shows: [.pointer, .buttons],
      """
      steps:
        - {at: 0s, send: \(message), with: {delta_x: [5, -3], delta_y: [2, 4]}, count: 10, every: 20ms}
        - {at: 400ms, send: \(message), with: {buttons: [1, 0, 2, 0, 4, 0]}, every: 40ms}
      expect: {streams: [mouse.pointer.sum]}
      end: 1s
      """)
  }
}
