import TelecapConformance
import TelecapMouse

/// Sessions with values that occur nowhere else, to infer the output mapping of a program.
enum MouseLearning {
  /// Small movements back and forth, turns of the wheel, and buttons, one after the other.
  static let all = [
    LearningSession(
      "mouse-host",
      trials: [
        "mouse.pointer.sum", "mouse.scroll.sum", "mouse.buttons.latest-value-wins", "mouse.pointer.screen",
        "mouse.length.wrong",
      ]
    ) { _ in
      """
      steps:
        - {at: 300ms, send: MOVEMENT, with: {delta_x: [7, 13, -5, 11, 3, -17, 19, 2], delta_y: [3, -2, 17, 5, -7, 13, 1, 23]}, every: 100ms}
        - {at: 1300ms, send: MOVEMENT, with: {buttons: [1, 0, 2, 0, 4, 0, 5, 0]}, every: 100ms}
        - {at: 2300ms, send: MOVEMENT, with: {scroll: [3, 2, -1, 5, -7, 4]}, every: 100ms}
      expect: {streams: [mouse.pointer.sum]}
      end: 3200ms
      """
    }
  ]
}
