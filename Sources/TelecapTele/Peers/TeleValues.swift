import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The values of TELE's streams with the types of their fields.
extension AppliedValue {
  /// A pose.
  public init(_ pose: PoseSample) {
    var values = StreamValues()
    for axis in 0..<3 { values.append(Double(pose.position[axis])) }
    for axis in 0..<4 { values.append(Double(pose.orientation[axis])) }
    values.append(whole: pose.timestampMicroseconds)
    values.append(whole: pose.movementStart ? UInt64(Pose.movementStart) : 0)
    self.init(stream: "pose", number: UInt64(pose.seq), values: values, names: AppliedValue.pose)
  }

  /// The strength of a motor.
  public init(strength: Float) {
    self.init(stream: "haptic", values: [Double(strength)], names: AppliedValue.haptic)
  }

  /// A command.
  public init(_ command: CommandSample, isChange: Bool = true) {
    var value = StreamValues()
    value.append(WholeNumber(command.value))
    self.init(
      stream: "cmd", key: [UInt64(command.type)], values: value, isChange: isChange, names: AppliedValue.command)
  }

  /// The strength of a motor; nil for another stream.
  public var strength: Float? { stream == "haptic" ? values.first.map { Float($0) } : nil }
}

extension AppliedValue {
  private static let pose = Tele.wire.names(of: "pose")
  private static let haptic = Tele.wire.names(of: "haptic")
  private static let command = Tele.wire.names(of: "cmd")
}

/// The content of a CMD.
public struct CommandSample: Hashable, Sendable {
  /// 1 RECORDING, 2 KEEP_RECORDING.
  public var type: UInt8
  /// 0 or 1.
  public var value: UInt8

  /// A command with these values.
  public init(type: UInt8, value: UInt8) { (self.type, self.value) = (type, value) }

  /// Nil for a value of another stream.
  public init?(_ value: AppliedValue) {
    guard value.stream == "cmd", let type = value.key.first, let state = value.values.first else { return nil }
    self.init(type: UInt8(clamping: type), value: UInt8(clamping: Int64(clampingRounded: state)))
  }
}

extension PoseSample {
  /// Nil for a value of another stream, and for an incomplete one.
  public init?(_ value: AppliedValue) {
    let values = value.values
    guard value.stream == "pose", let number = value.number, values.count == 9 else { return nil }
    func real(_ place: Int) -> Float { Float(values[place]) }
    self.init(
      seq: UInt16(truncatingIfNeeded: number), timestampMicroseconds: values.whole(at: 7)?.unsigned ?? 0,
      movementStart: values[8] == Double(Pose.movementStart), position: [real(0), real(1), real(2)],
      orientation: [real(3), real(4), real(5), real(6)])
  }
}

extension PeerEvent {
  /// A host applies a pose.
  public static func poseApplied(_ pose: PoseSample) -> PeerEvent { .applied(AppliedValue(pose)) }

  /// A host drops a pose.
  public static func poseDropped(_ pose: PoseSample, _ reason: DropReason) -> PeerEvent {
    .dropped(AppliedValue(pose), reason)
  }

  /// A motor runs at this strength, 0…1, from now on.
  public static func hapticApplied(_ strength: Float) -> PeerEvent { .applied(AppliedValue(strength: strength)) }

  /// A phone received an intensity, not clamped yet.
  public static func hapticReceived(_ intensity: Float) -> PeerEvent { .received(AppliedValue(strength: intensity)) }

  /// A host applies a command.
  /// - Parameter changed: whether it changed the state.
  public static func command(type: UInt8, value: UInt8, changed: Bool) -> PeerEvent {
    .applied(AppliedValue(CommandSample(type: type, value: value), isChange: changed))
  }

  /// The pose that a host applies; nil for any other event.
  public var appliedPose: PoseSample? { if case .applied(let value) = self { PoseSample(value) } else { nil } }

  /// The pose that a host drops; nil for any other event.
  public var droppedPose: PoseSample? { if case .dropped(let value, _) = self { PoseSample(value) } else { nil } }

  /// The strength at which a motor runs from now on; nil for any other event.
  public var appliedStrength: Float? { if case .applied(let value) = self { value.strength } else { nil } }

  /// The intensity that a phone received; nil for any other event.
  public var receivedIntensity: Float? { if case .received(let value) = self { value.strength } else { nil } }

  /// The command that a host applies, whether or not it changes the state; nil for any other event.
  public var appliedCommand: CommandSample? { if case .applied(let value) = self { CommandSample(value) } else { nil } }

  /// The command by which a host changes its state; nil for any other event.
  public var changingCommand: CommandSample? {
    if case .applied(let value) = self, value.isChange { CommandSample(value) } else { nil }
  }
}
