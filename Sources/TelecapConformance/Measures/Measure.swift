import TelecapRecording

/// A measurement of a run. It affects a verdict only where a scenario sets a threshold on it (semantics, the section on
/// stale values).
public enum Measure: String, Hashable, Sendable, CaseIterable {
  /// The mean age of information, in ns.
  case ageMean = "age-mean"
  /// The age of information that is not exceeded for 99 % of the time, in ns.
  case ageP99 = "age-p99"
  /// The largest age of information, in ns.
  case agePeak = "age-peak"
  /// The share of time in which the applied value was stale, 0…1.
  case stale
  /// The largest distance between the newest pose sent and the one applied, in mm.
  case poseError = "pose-error"
  /// The largest angle between them, in degrees.
  case poseAngle = "pose-angle"
  /// The largest jump after a lost or late movement_start, in mm.
  case jump
  /// The distance at the end between the pointer and its position without any loss, in counts.
  case pointerError = "pointer-error"

  /// Its meaning, as a sentence.
  public var meaning: String {
    switch self {
    case .ageMean: "The mean age of information."
    case .ageP99: "The age of information that is not exceeded for 99 % of the time."
    case .agePeak: "The largest age of information."
    case .stale: "The share of time in which the applied value was older than the newest sent, 0…1."
    case .poseError: "The largest distance between the newest pose sent and the one applied, in mm."
    case .poseAngle: "The largest angle between the newest pose sent and the one applied, in degrees."
    case .jump: "The largest jump after a lost or late movement_start, in mm."
    case .pointerError: "How far the pointer lies from where all that was sent would have brought it, in counts."
    }
  }

  /// Whether it is a time, in ns.
  public var isTime: Bool { self == .ageMean || self == .ageP99 || self == .agePeak }

  /// Its value in a run; nil where it could not be measured.
  public func value(in measures: Measures) -> Double? {
    switch self {
    case .ageMean: measures.ageMean.map { Double($0) }
    case .ageP99: measures.ageP99.map { Double($0) }
    case .agePeak: measures.agePeak.map { Double($0) }
    case .stale: measures.staleShare
    case .poseError: measures.poseError
    case .poseAngle: measures.poseAngle
    case .jump: measures.jump
    case .pointerError: measures.pointerError.map { Double($0) }
    }
  }

  /// A value with its unit: `31.5 ms`, `12 counts`.
  public func text(_ value: Double) -> String {
    let thousandths = Int64(clampingRounded: (isTime ? value / 1e6 : value) * 1_000)
    let number = thousandths % 1_000 == 0 ? "\(thousandths / 1_000)" : "\(Double(thousandths) / 1_000)"
    return switch self {
    case .ageMean, .ageP99, .agePeak: "\(number) ms"
    case .stale: "\(number) of the time"
    case .poseError, .jump: "\(number) mm"
    case .poseAngle: "\(number)°"
    case .pointerError: "\(number) counts"
    }
  }
}
