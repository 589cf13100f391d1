import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The values of the mouse's streams with the types of their fields.
extension AppliedValue {
  /// The position of a pointer.
  public init(_ place: PointerPosition) { self.init("pointer", AppliedValue.pointer, place.x, place.y) }

  /// The sum of a wheel's movements, + up.
  public init(scroll total: Int) { self.init("scroll", AppliedValue.scroll, total) }

  /// The held buttons: bit 0 left, 1 right, 2 middle.
  public init(buttons: UInt8) { self.init("buttons", AppliedValue.buttons, Int(buttons)) }

  private init(_ stream: String, _ names: EventNames?, _ first: Int, _ second: Int? = nil) {
    self.init(stream: stream, names: names)
    values.append(WholeNumber(first))
    if let second { values.append(WholeNumber(second)) }
  }

  /// A count of a stream; nil for another stream.
  fileprivate func count(of name: String, at place: Int = 0) -> Int? {
    stream == name && place < values.count ? Int(Int64(clampingRounded: values[place])) : nil
  }
}

extension AppliedValue {
  private static let pointer = Mouse.wire.names(of: "pointer")
  private static let scroll = Mouse.wire.names(of: "scroll")
  private static let buttons = Mouse.wire.names(of: "buttons")
}

extension PointerPosition {
  /// Nil for a value of another stream.
  public init?(_ value: AppliedValue) {
    guard let x = value.count(of: "pointer"), let y = value.count(of: "pointer", at: 1) else { return nil }
    self.init(x: x, y: y)
  }
}

extension PeerEvent {
  /// The pointer is at this position from now on.
  public static func pointer(_ place: PointerPosition) -> PeerEvent { .applied(AppliedValue(place)) }

  /// The sum of the wheel's movements since the start of the host, + up.
  public static func scroll(_ total: Int) -> PeerEvent { .applied(AppliedValue(scroll: total)) }

  /// These buttons are held from now on: bit 0 left, 1 right, 2 middle.
  public static func buttons(_ bitmap: UInt8) -> PeerEvent { .applied(AppliedValue(buttons: bitmap)) }

  /// The position of the pointer from now on; nil for any other event.
  public var pointer: PointerPosition? { if case .applied(let value) = self { PointerPosition(value) } else { nil } }

  /// The sum of the wheel's movements; nil for any other event.
  public var scroll: Int? { if case .applied(let value) = self { value.count(of: "scroll") } else { nil } }

  /// The held buttons; nil for any other event.
  public var buttons: UInt8? {
    if case .applied(let value) = self { value.count(of: "buttons").map { UInt8(clamping: $0) } } else { nil }
  }
}
