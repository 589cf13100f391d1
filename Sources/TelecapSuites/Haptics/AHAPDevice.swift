import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapWire

/// A player of AHAP patterns as a system under test: correct, or with one fault. It reports findings and samples.
struct AHAPDevice: Device {
  private let fault: AHAPFault?
  private let rules: EvaluationRules
  private var pattern = AHAP([])
  private(set) var broke: String?

  init(_ fault: AHAPFault? = nil) {
    self.fault = fault
    var rules = EvaluationRules()
    fault?.change(&rules)
    self.rules = rules
  }

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
      tell("(\(severity.name) \(finding.rule.rawValue) at \(finding.position) \(finding.path))", perform)
    }
    let refused = reading.hasErrors && fault != .acceptsMalformed
    let unknown = fault == .refusesUnknownKeys && reading.findings.contains { $0.rule == .unknownKey }
    if refused || unknown {
      // The pattern before stays.
      if fault == .losesOnMalformed { pattern = AHAP([]) }
      return tell("refused", perform)
    }
    pattern = reading.pattern
    tell("read (\(pattern.pattern.count) items)", perform)
  }

  /// The sampled output, to four digits.
  private func sample(at time: Double) -> String {
    let felt = HapticTimeline(pattern, rules: rules).sample(at: time)
    return "intensity \(DeviceWords.number(felt.intensity)) sharpness \(DeviceWords.number(felt.sharpness))"
  }

  private func tell(_ words: String, _ perform: Perform) { perform(.event(.told(words)), RawSpan()) }
}
