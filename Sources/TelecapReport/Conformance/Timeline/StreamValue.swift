import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// What a timeline plots: the value of the stream that a scenario is about.
enum StreamValue: Hashable {
  /// How strongly a phone vibrates, 0…1.
  case strength
  /// Which pose a host is at, by its seq.
  case pose
  /// How far a pointer has come to the right, in counts.
  case pointer
  /// Which buttons are down.
  case buttons

  /// The value that a requirement on a system in this part is about.
  init(_ requirement: Requirement, _ setup: Setup) {
    switch setup.part.role {
    case .phone, nil: self = .strength
    case .host: self = setup.sendsHaptics ? .strength : .pose
    case .mouse, .mouseHost: self = requirement.id.contains("buttons") ? .buttons : .pointer
    }
  }

  /// How the axis is called.
  var axis: String {
    switch self {
    case .strength: "strength"
    case .pose: "seq"
    case .pointer: "counts to the right"
    case .buttons: "buttons"
    }
  }

  /// A value at its axis; a seq as it stands on the wire.
  func text(_ value: Double) -> String {
    self == .pose ? "\(UInt16(truncatingIfNeeded: Int64(clampingRounded: value)))" : Axis.text(value)
  }

  /// Its steps have names of whole numbers.
  var isWhole: Bool { self != .strength }

  /// Each message adds to the ones before it.
  var adds: Bool { self == .pointer }

  /// The value in a message; nil where it holds none.
  func value(of payload: [UInt8], over carrier: Carrier?) -> Double? {
    let whole = payload.span.bytes
    switch self {
    case .strength, .pose:
      let bytes = carrier == .tcp ? whole.extracting(min(2, payload.count)..<payload.count) : whole
      guard bytes.byteCount >= Header.size, UInt32.read(bytes, at: 0) == Header.magic else { return nil }
      let type = Header.fields.type.value(in: bytes)
      if self == .strength { return type == 7 ? Haptic.fields.intensity.value(in: bytes).map(Double.init) : nil }
      return type == 3 ? Pose.fields.seq.value(in: bytes).map(Double.init) : nil
    case .pointer:
      guard payload.count == MousePacket.size else { return nil }
      return MousePacket.fields.deltaX.value(in: whole).map(Double.init)
    case .buttons:
      guard payload.count == MousePacket.size else { return nil }
      return MousePacket.fields.buttons.value(in: whole).map { Double($0 & 7) }
    }
  }

  /// The value that the system shows by an event; nil where it shows none.
  func value(of event: PeerEvent) -> Double? {
    switch (self, event) {
    case (.strength, .hapticApplied(let strength)): Double(strength)
    case (.pose, .poseApplied(let pose)): Double(pose.seq)
    case (.pointer, .pointer(let position)): Double(position.x - ScreenSize.standard.centre.x)
    case (.buttons, .buttons(let bitmap)): Double(bitmap)
    default: nil
    }
  }
}
