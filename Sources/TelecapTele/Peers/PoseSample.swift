import TelecapModels
import TelecapWire

/// The content of a POSE.
public struct PoseSample: Hashable, Sendable {
  /// The sequence number, which wraps.
  public var seq: UInt16
  /// Microseconds since the start of the session.
  public var timestampMicroseconds: UInt64
  /// Whether a movement starts here.
  public var movementStart: Bool
  /// In metres.
  public var position: SIMD3<Float>
  /// (qx, qy, qz, qw).
  public var orientation: SIMD4<Float>

  /// A pose with these values.
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

  /// The content of a valid POSE; nil if the bytes are truncated.
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

  /// The content of a POSE; nil for any other message.
  public init?(_ kind: MessageKind, _ bytes: RawSpan) {
    guard kind == .pose else { return nil }
    self.init(bytes)
  }

  /// The name of its message.
  public static let message = Pose.layout.name

  /// Whether no number is NaN or infinite: x − x is 0 for all others.
  public var isFinite: Bool {
    let zero = position - position
    let turned = orientation - orientation
    return zero == .zero && turned == .zero
  }
}
