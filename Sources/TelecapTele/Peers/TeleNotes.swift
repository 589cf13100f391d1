import TelecapModels
import TelecapRecording
import TelecapWire

extension NoteKind {
  /// The phone played an impact.
  public static let impact = NoteKind(
    "haptic-impact", [.word("style", HapticImpact.allCases.map(\.rawValue))], role: .reaction, rule: "impact",
    meaning: "which impacts it plays"
  ) { kind, bytes in
    guard kind == .haptic, bytes.byteCount >= kind.layout.fixedSize,
      let intensity = Haptic.fields.intensity.value(in: bytes)
    else { return nil }
    return HapticImpact(intensity: intensity).flatMap { HapticImpact.allCases.firstIndex(of: $0) }
  }

  /// A phone received a CONFIG with this many bytes.
  public static let config = NoteKind("config", [.number("bytes")])
}

extension PeerEvent {
  /// The phone played an impact.
  public static func hapticImpact(_ impact: HapticImpact) -> PeerEvent {
    .note(PeerNote(.impact, HapticImpact.allCases.firstIndex(of: impact)))
  }

  /// A phone received a CONFIG with this many bytes.
  public static func config(bytes: Int) -> PeerEvent { .note(PeerNote(.config, bytes)) }

  /// The impact that a phone played; nil for any other event.
  public var impact: HapticImpact? {
    guard case .note(let note) = self, note.kind == .impact else { return nil }
    return note[0].map { HapticImpact.allCases[$0] }
  }
}

extension PeerEvent {
  /// A host received a HELLO and answered it.
  public static func hello(_ client: Endpoint, sessionID: UInt32, answer: AckStatus) -> PeerEvent {
    .requested(client, sessionID: sessionID, SessionAnswer(answer))
  }

  /// A phone received an ACK.
  public static func ack(_ status: AckStatus) -> PeerEvent { .answered(SessionAnswer(status)) }
}

extension SessionAnswer {
  /// The status of an ACK.
  public init(_ status: AckStatus) {
    self.init(code: UInt64(status.rawValue), status.name, isAccepted: status == .ok, names: SessionAnswer.tele)
  }

  private static let tele = Names(request: "hello", answer: "ack", field: "status")
}
