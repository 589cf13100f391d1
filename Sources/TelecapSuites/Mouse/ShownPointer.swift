import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// Expectations on the state that a mouse host shows.
extension JudgedRun {
  /// Checks that the pointer has moved this far from its start, within its screen: an edge discards the rest of a
  /// movement, and a movement back counts at once.
  func pointer(_ deltaX: Int, _ deltaY: Int) -> Outcome {
    if let lack = lacks(.pointer) { return lack }
    let shown = events(\.pointer)
    let place = PointerPlace(of: decoded)
    // A pointer in a corner does not show movements beyond the edge.
    guard let start = place.start else { return .missing("the system never showed where its pointer is") }
    if !place.isKnown { return .missing("the space in which the pointer moves is not known: \(place.unknownSpace)") }
    let right = end(of: start, movedBy: (deltaX, deltaY), in: place)
    let at = shown.last?.value ?? start
    return .same(
      "pointer moved by (\(right.x - start.x), \(right.y - start.y))",
      "pointer moved by (\(at.x - start.x), \(at.y - start.y))", at: shown.last?.time ?? log.end)
  }

  /// The position of a pointer after the deliveries, clamped after each packet. The difference between the scenario's
  /// expectation and their sum comes last.
  private func end(of start: PointerPosition, movedBy sum: (x: Int, y: Int), in place: PointerPlace) -> PointerPosition
  {
    var (at, rest) = (start, sum)
    for one in MouseDelivery.all(in: decoded) {
      let (x, y) = (Int(one.sample.deltaX), Int(one.sample.deltaY))
      at = place.nearest(x: at.x + x, y: at.y + y)
      rest = (rest.x - x, rest.y - y)
    }
    return place.nearest(x: at.x + rest.x, y: at.y + rest.y)
  }

  /// Checks that the wheel has turned this far since the run began.
  func scroll(_ expected: Int) -> Outcome {
    if let lack = lacks(.scroll) { return lack }
    let shown = events(\.scroll)
    let observed = (shown.last?.value ?? 0) - (JudgedStream.wheelStart(in: decoded) ?? 0)
    return .same("scrolled by \(expected)", "scrolled by \(observed)", at: shown.last?.time ?? log.end)
  }

  func buttons(_ expected: UInt8) -> Outcome {
    if let lack = lacks(.buttons) { return lack }
    let shown = events(\.buttons)
    return .same("buttons \(expected)", "buttons \(shown.last?.value ?? 0)", at: shown.last?.time ?? log.end)
  }
}
