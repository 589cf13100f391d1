import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapWire

/// The streams of the mouse with the requirements on a host, under the existing ids of the mouse's requirements.
extension JudgedStream {
  /// The pointer, the wheel and the buttons of a mouse host with this screen, whose pointer starts in its centre.
  public static func mouse(_ screen: ScreenSize = .standard) -> [JudgedStream] { mouse(PointerPlace(screen), wheel: 0) }

  /// The streams of a run, with the screen and the initial positions of the pointer and the wheel that the host
  /// declares or shows.
  static func mouse(of log: DecodedLog) -> [JudgedStream] {
    mouse(PointerPlace(of: log), wheel: wheelStart(in: log))
  }

  /// The initial position of a host's wheel in a run; nil where it was not shown.
  static func wheelStart(in log: DecodedLog) -> Int? {
    let trace = CountTrace(log.log, MouseDelivery.all(in: log), counts: { Int($0.scroll) }, place: \.scroll)
    return trace.origin(start: nil, range: -PointerPosition.farthest...PointerPosition.farthest)?.start
  }

  private static func mouse(_ place: PointerPlace, wheel: Int?) -> [JudgedStream] {
    // Without known edges a sum proves nothing.
    (place.isKnown ? [pointer(place)] : []) + [scroll(from: wheel), buttons]
  }

  private static func pointer(_ place: PointerPlace) -> JudgedStream {
    of(
      declared: "pointer", of: Mouse.wire,
      [
        (.latest, "mouse.pointer.sum"), (.clampHigh, "mouse.pointer.screen"), (.clampLow, "mouse.pointer.screen"),
      ], in: Requirement.mouseReceiving,
      ranges: [place.across, place.down].map { Double($0.lowerBound)...Double($0.upperBound) },
      start: place.start.map { [Double($0.x), Double($0.y)] }, axis: "counts to the right", taken: place.taken,
      words: { value, _ in "pointer (\(Int(value.values[0])), \(Int(value.values[1])))" },
      reading: { $0.receivedPacket == nil ? nil : .uses })
  }

  /// The wheel, initially at `start`; nil where the host never showed it.
  private static func scroll(from start: Int?) -> JudgedStream {
    of(
      declared: "scroll", of: Mouse.wire, [(.latest, "mouse.scroll.sum")], in: Requirement.mouseReceiving,
      start: start.map { [Double($0)] }, axis: "counts up",
      words: { value, _ in "scrolled by \(Int(value.values.first ?? 0))" })
  }

  private static let buttons = of(
    declared: "buttons", of: Mouse.wire,
    [
      (.latest, "mouse.buttons.latest-value-wins"), (.reserved, "mouse.buttons.reserved"),
      (.control, "mouse.buttons.control-repairs"), (.invalid, "mouse.header.unknown"),
      (.invalid, "mouse.length.wrong"),
    ], in: Requirement.mouseReceiving, start: [0],
    words: { value, _ in "buttons \(Int(value.values.first ?? 0))" })
}

extension Observable {
  /// The refused calls of its API.
  public static let refusals = Observable.note(.refused)
  /// The clamped movements.
  public static let clampings = Observable.note(.clamped)
}

extension EventRule.Kind {
  /// A refused call of its API.
  public static let refused = EventRule.Kind.note(.refused)
  /// A movement of its user that was too large and was clamped.
  public static let clamped = EventRule.Kind.note(.clamped)
  /// The position of the pointer.
  public static let pointer = EventRule.Kind.applied(.shown("pointer", of: Mouse.wire))
  /// The pressed buttons.
  public static let buttons = EventRule.Kind.applied(.shown("buttons", of: Mouse.wire))
  /// The turn of the wheel since the start of its host.
  public static let scroll = EventRule.Kind.applied(.shown("scroll", of: Mouse.wire))
}

extension Observable {
  /// The position of a host's pointer.
  public static let pointer = Observable.stream("pointer")
  /// The turn of its wheel.
  public static let scroll = Observable.stream("scroll")
  /// Its pressed buttons.
  public static let buttons = Observable.stream("buttons")
}
