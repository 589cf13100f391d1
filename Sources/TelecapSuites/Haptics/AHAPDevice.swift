import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapWire

/// A player of AHAP patterns as a system under test: right, or wrong in one way. It tells what it reads and what is felt.
struct AHAPDevice: Device {
  private let fault: AHAPFault?
  private var pattern = AHAP([])
  private(set) var broke: String?

  init(_ fault: AHAPFault? = nil) { self.fault = fault }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    switch action as? HapticsAction {
    case .read(let text): read(text, perform)
    case .sample: tell(sample(at: Double(time.nanoseconds) / 1e9), perform)
    default: break
    }
    return []
  }

  private mutating func read(_ text: String, _ perform: Perform) {
    let reading = AHAPReading(Array(text.utf8))
    if reading.hasErrors, fault == .crashesOnMalformed {
      broke = "crashed: unexpectedly found nil"
      return
    }
    for finding in reading.findings {
      let severity = fault == .refusesUnknownKeys && finding.rule == .unknownKey ? Severity.error : finding.severity
      guard !finding.rule.isAdvice, !(fault == .silent && severity < .error) else { continue }
      guard !(fault == .acceptsMalformed && severity == .error) else { continue }
      tell("\(severity.name) \(finding.rule.rawValue) at \(finding.position) \(finding.path)", perform)
    }
    let refused = reading.hasErrors && fault != .acceptsMalformed
    let unknown = fault == .refusesUnknownKeys && reading.findings.contains { $0.rule == .unknownKey }
    if refused || unknown {
      // What was there before goes on.
      if fault == .losesOnMalformed { pattern = AHAP([]) }
      return tell("refused", perform)
    }
    pattern = reading.pattern
    tell("read \(pattern.pattern.count) items", perform)
  }

  /// What is felt, to four digits.
  private func sample(at time: Double) -> String {
    let felt = fault?.evaluation?.sample(of: pattern, at: time) ?? HapticTimeline(pattern).sample(at: time)
    return "intensity \(Told.number(felt.intensity)) sharpness \(Told.number(felt.sharpness))"
  }

  private func tell(_ words: String, _ perform: Perform) { perform(.event(.told(words)), RawSpan()) }
}

/// The same arithmetic as `HapticTimeline` without envelopes, so simple that one line of it can be made wrong.
struct PlainEvaluation {
  /// A missing intensity and sharpness.
  var defaults = (intensity: 1.0, sharpness: 0.5)
  /// Values are held to their ranges.
  var clamps = true
  /// Between two points of a curve its value lies on the line.
  var interpolates = true
  /// Times of points count from the curve's.
  var isRelative = true

  func sample(of pattern: AHAP, at time: Double) -> HapticSample {
    var felt = HapticSample.silence
    for case .event(let event) in pattern.pattern where event.time <= time {
      guard time < event.time + (event.duration ?? 0) else { continue }
      let intensity = held(event.value(of: .hapticIntensity) ?? defaults.intensity, 0...1)
      let sharpness = held(event.value(of: .hapticSharpness) ?? defaults.sharpness, 0...1)
      felt = HapticSample(
        intensity: held(intensity * held(control("HapticIntensityControl", pattern, time) ?? 1, 0...1), 0...1),
        sharpness: held(sharpness + held(control("HapticSharpnessControl", pattern, time) ?? 0, -1...1), 0...1))
    }
    return felt
  }

  private func held(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    clamps ? max(range.lowerBound, min(range.upperBound, value)) : value
  }

  /// The value of a dynamic parameter; nil before its first point.
  private func control(_ id: String, _ pattern: AHAP, _ time: Double) -> Double? {
    for case .curve(let curve) in pattern.pattern.reversed() where curve.id == id {
      let local = isRelative ? time - curve.time : time
      guard let after = curve.points.firstIndex(where: { $0.time > local }) else { return curve.points.last?.value }
      guard after > 0 else { return nil }
      let (left, right) = (curve.points[after - 1], curve.points[after])
      guard interpolates else { return left.value }
      return left.value + (right.value - left.value) * (local - left.time) / (right.time - left.time)
    }
    return nil
  }
}
