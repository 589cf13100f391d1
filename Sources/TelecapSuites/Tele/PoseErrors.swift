import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The distance between a host's applied pose and the newest sent one.
struct PoseErrors {
  private(set) var distance: Double?
  private(set) var jump: Double?
  private var newest: PoseSample?
  private var applied: PoseSample?
  /// The movement of each pose, by its seq.
  private var movements: [UInt16: Int] = [:]
  private var movement = 0
  /// The smallest |q·q′| of the newest and the applied orientation: the cosine of half the angle.
  private var cosine = 1.0

  /// The largest angle in degrees.
  var angle: Double? {
    guard distance != nil else { return nil }
    var low = 0.0
    var high = 0.25
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if Sine.cosine(turns: middle) > cosine { low = middle } else { high = middle }
    }
    return low * 720
  }

  /// Measures a host's run.
  static func measure(_ log: DecodedLog, _ measures: inout Measures) {
    var errors = PoseErrors()
    errors.read(log.log)
    measures.poseError = errors.distance
    measures.poseAngle = errors.angle
    measures.jump = errors.jump
  }

  private mutating func read(_ log: RunLog) {
    for entry in log.entries {
      switch entry.what {
      case .sent(let bytes, _, _, _):
        // The bytes sent over a byte stream are segments, not messages.
        guard MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind == .pose,
          let pose = PoseSample(bytes.span.bytes), pose.isFinite
        else { continue }
        if pose.movementStart { movement += 1 }
        movements[pose.seq] = movement
        newest = pose
        compare()
      case .event(let event):
        guard let pose = event.appliedPose, pose.isFinite else { continue }
        if let applied, !pose.movementStart, let now = movements[pose.seq], let before = movements[applied.seq],
          now != before
        {
          jump = max(jump ?? 0, PoseErrors.millimetres(pose.position - applied.position))
        }
        applied = pose
        compare()
      default: continue
      }
    }
  }

  private mutating func compare() {
    guard let newest, let applied else { return }
    distance = max(distance ?? 0, PoseErrors.millimetres(newest.position - applied.position))
    let product = newest.orientation * applied.orientation
    cosine = min(cosine, Double(abs(product.sum())))
  }

  private static func millimetres(_ difference: SIMD3<Float>) -> Double {
    (Double((difference * difference).sum())).squareRoot() * 1_000
  }
}
