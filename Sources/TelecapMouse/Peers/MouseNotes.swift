import TelecapModels
import TelecapRecording
import TelecapWire

extension NoteKind {
  /// The API rejected a call.
  public static let refused = NoteKind(
    "refused", [.word("error", MouseError.allCases.map(\.rawValue))], role: .refusal, rule: "refused",
    meaning: "which calls it refuses")

  /// A movement exceeded the limit of the API and was clamped to these counts.
  public static let clamped = NoteKind(
    "clamped", [.number("delta_x"), .number("delta_y"), .number("scroll")], rule: "clamped",
    meaning: "which movements it clamps")

  /// The kind of event for a packet over this transport.
  private static func packet(_ name: String, _ carrier: Carrier, _ role: Role) -> NoteKind {
    NoteKind(
      name,
      [
        .constant("carrier", carrier.name), .number("buttons"), .number("delta_x"), .number("delta_y"),
        .number("scroll"),
      ],
      role: role)
  }

  private static let sent = Packets { packet("mouse-sent", $0, .remark) }
  private static let received = Packets { packet("mouse-received", $0, .reaction) }

  /// The kinds of one event, one for each transport, so that an event stores at most four numbers.
  private struct Packets: Sendable {
    let udp, tcp, ble: NoteKind

    init(_ kind: (Carrier) -> NoteKind) { (udp, tcp, ble) = (kind(.udp), kind(.tcp), kind(.ble)) }

    subscript(carrier: Carrier) -> NoteKind {
      switch carrier {
      case .udp: udp
      case .tcp: tcp
      case .ble: ble
      }
    }

    /// The transport of an event of this kind; nil for any other.
    func carrier(of kind: NoteKind) -> Carrier? {
      if kind == udp { return .udp }
      if kind == tcp { return .tcp }
      return kind == ble ? .ble : nil
    }
  }

  /// The transport of a packet that a mouse host received; nil for any other kind.
  fileprivate var receivedOver: Carrier? { NoteKind.received.carrier(of: self) }

  fileprivate static func sent(over carrier: Carrier) -> NoteKind { sent[carrier] }
  fileprivate static func received(over carrier: Carrier) -> NoteKind { received[carrier] }
}

extension PeerNote {
  fileprivate init(_ kind: NoteKind, _ packet: MouseSample) {
    self.init(kind, Int(packet.buttons), Int(packet.deltaX), Int(packet.deltaY), Int(packet.scroll))
  }
}

extension PeerEvent {
  /// The API rejected a call.
  public static func refused(_ error: MouseError) -> PeerEvent {
    .note(PeerNote(.refused, MouseError.allCases.firstIndex(of: error)))
  }

  /// A movement exceeded the limit of the API and was clamped to these counts; nil for one that a program does not
  /// report.
  public static func clamped(deltaX: Int?, deltaY: Int?, scroll: Int?) -> PeerEvent {
    .note(PeerNote(.clamped, deltaX, deltaY, scroll))
  }

  /// A mouse sent a packet.
  public static func mouseSent(_ carrier: Carrier, _ packet: MouseSample) -> PeerEvent {
    .note(PeerNote(.sent(over: carrier), packet))
  }

  /// A mouse host received a packet.
  public static func mouseReceived(_ carrier: Carrier, _ packet: MouseSample) -> PeerEvent {
    .note(PeerNote(.received(over: carrier), packet))
  }

  /// The reason why the API rejected a call; nil for any other event.
  public var refusal: MouseError? {
    guard case .note(let note) = self, note.kind == .refused else { return nil }
    return note[0].map { MouseError.allCases[$0] }
  }

  /// The counts that the mouse reports for a clamped movement; nil for any other event.
  public var clamping: (deltaX: Int?, deltaY: Int?, scroll: Int?)? {
    guard case .note(let note) = self, note.kind == .clamped else { return nil }
    return (note[0], note[1], note[2])
  }

  /// The packet that a mouse host received, and its transport; nil for any other event.
  public var receivedPacket: (carrier: Carrier, sample: MouseSample)? {
    guard case .note(let note) = self, let carrier = note.kind.receivedOver, let buttons = note[0], let x = note[1],
      let y = note[2], let scroll = note[3]
    else { return nil }
    let sample = MouseSample(
      buttons: UInt8(truncatingIfNeeded: buttons), deltaX: Int16(truncatingIfNeeded: x),
      deltaY: Int16(truncatingIfNeeded: y), scroll: Int8(truncatingIfNeeded: scroll))
    return (carrier, sample)
  }
}
