import TelecapModels
import TelecapWire

/// What a POSE says.
public struct PoseSample: Hashable, Sendable {
  /// The sender's count, which wraps.
  public var seq: UInt16
  /// Microseconds since the session began.
  public var timestampMicroseconds: UInt64
  /// A movement begins here.
  public var movementStart: Bool
  /// In metres.
  public var position: SIMD3<Float>
  /// (qx, qy, qz, qw).
  public var orientation: SIMD4<Float>

  /// A pose of these values.
  public init(
    seq: UInt16, timestampMicroseconds: UInt64 = 0, movementStart: Bool = false, position: SIMD3<Float> = .zero,
    orientation: SIMD4<Float> = [0, 0, 0, 1]
  ) {
    self.seq = seq
    self.timestampMicroseconds = timestampMicroseconds
    self.movementStart = movementStart
    self.position = position
    self.orientation = orientation
  }

  /// What a valid POSE says; nil where the bytes end too early.
  public init?(_ bytes: RawSpan) {
    let fields = Pose.fields
    guard let seq = fields.seq.value(in: bytes), let timestamp = fields.timestamp.value(in: bytes),
      let flags = fields.flags.value(in: bytes), let x = fields.x.value(in: bytes), let y = fields.y.value(in: bytes),
      let z = fields.z.value(in: bytes), let qx = fields.qx.value(in: bytes), let qy = fields.qy.value(in: bytes),
      let qz = fields.qz.value(in: bytes), let qw = fields.qw.value(in: bytes)
    else { return nil }
    self.init(
      seq: seq, timestampMicroseconds: timestamp, movementStart: flags & Pose.movementStart != 0,
      position: SIMD3(x, y, z), orientation: SIMD4(qx, qy, qz, qw))
  }

  /// What a POSE says; nil for any other message.
  public init?(_ kind: MessageKind, _ bytes: RawSpan) {
    guard kind == .pose else { return nil }
    self.init(bytes)
  }

  /// The message that carries it.
  public static let message = Pose.layout.name

  /// None of its numbers is NaN or infinite: x − x is 0 for every other number.
  public var isFinite: Bool {
    let zero = position - position
    let turned = orientation - orientation
    return zero == .zero && turned == .zero
  }
}
