import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// Expectations on what a mouse host shows of its state.
extension JudgedRun {
  func pointer(_ deltaX: Int, _ deltaY: Int) -> Outcome {
    if let lack = lacks(.pointer) { return lack }
    let centre = ScreenSize.standard.centre
    let shown = events { event -> PointerPosition? in
      guard case .pointer(let position) = event else { return nil }
      return position
    }
    let at = shown.last?.value ?? centre
    return .same(
      "pointer moved by (\(deltaX), \(deltaY))", "pointer moved by (\(at.x - centre.x), \(at.y - centre.y))",
      at: shown.last?.time ?? log.end)
  }

  func buttons(_ expected: UInt8) -> Outcome {
    if let lack = lacks(.buttons) { return lack }
    let shown = events { event -> UInt8? in
      guard case .buttons(let bitmap) = event else { return nil }
      return bitmap
    }
    return .same("buttons \(expected)", "buttons \(shown.last?.value ?? 0)", at: shown.last?.time ?? log.end)
  }
}
