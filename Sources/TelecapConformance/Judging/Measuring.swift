import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// What is measured in a run, not judged (semantics, What is stale is measured).
enum Measuring {
  static func measures(of log: RunLog, _ fidelity: Fidelity, _ staleness: Staleness, role: Role) -> Measures {
    var measures = Measures()
    measures.fidelity = fidelity
    measures.ageMean = staleness.mean
    measures.ageP99 = staleness.p99
    if measures.ageMean != nil { measures.agePeak = staleness.peak }
    measures.staleShare = staleness.staleShare
    switch role {
    case .host:
      var errors = PoseErrors()
      errors.read(log)
      measures.poseError = errors.distance
      measures.poseAngle = errors.angle
      measures.jump = errors.jump
    case .mouseHost: measures.pointerError = pointerError(log)
    case .phone, .mouse: break
    }
    return measures
  }

  /// How far the pointer lies from where all that was sent would have brought it.
  private static func pointerError(_ log: RunLog) -> Int? {
    let screen = ScreenSize.standard
    var meant = screen.centre
    var shown: PointerPosition?
    for entry in log.entries {
      switch entry.what {
      case .sent(let bytes, _, _, _):
        guard bytes.count == 5, let packet = MouseSample(bytes.span.bytes) else { continue }
        meant = screen.nearest(x: meant.x + Int(packet.deltaX), y: meant.y + Int(packet.deltaY))
      case .event(.pointer(let position)): shown = position
      default: continue
      }
    }
    return shown.map { max(abs($0.x - meant.x), abs($0.y - meant.y)) }
  }
}

/// How far the pose that a host goes by was from the newest that was sent.
private struct PoseErrors {
  private(set) var distance: Double?
  private(set) var jump: Double?
  private var newest: PoseSample?
  private var applied: PoseSample?
  /// The movement that each pose belongs to, by its seq.
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

  mutating func read(_ log: RunLog) {
    for entry in log.entries {
      switch entry.what {
      case .sent(let bytes, _, _, _):
        guard bytes.count == Pose.layout.fixedSize, bytes[4] == 3, let pose = PoseSample(bytes.span.bytes),
          pose.isFinite
        else { continue }
        if pose.movementStart { movement += 1 }
        movements[pose.seq] = movement
        newest = pose
        compare()
      case .event(.poseApplied(let pose)) where pose.isFinite:
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
