import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Expectations on the state that a system shows.
extension JudgedRun {
  func poses(_ either: [[UInt16]]) -> Outcome {
    if let lack = lacks(.poses) { return lack }
    let applied = events { $0.appliedPose?.seq }
    let seqs = applied.map(\.value)
    if isShown(applied, either, among: poseArrivals) { return .held }
    let expected = either.map { "poses \(JudgedRun.text($0))" }.joined(separator: " or ")
    let time = firstDifference(of: applied, from: either.first ?? [])
    return .broken(Failure(time: time, expected: "\(expected) applied", observed: "poses \(JudgedRun.text(seqs))"))
  }

  /// Whether the shown values are one of these lists, with or without the values that may be skipped. In virtual time
  /// none may.
  private func isShown<Value>(
    _ shown: [(time: Timestamp, value: Value)], _ either: [[Value]],
    among arrivals: @autoclosure () -> Conflation<Value>, from start: Value? = nil
  ) -> Bool {
    if either.contains(shown.map(\.value)) { return true }
    guard log.settle > 0 else { return false }
    let arrivals = arrivals()
    return either.contains { arrivals.allows(shown, for: $0, from: start) }
  }

  /// Whether the last delivered HELLO got an ACK OK.
  var isLastHelloAccepted: Bool {
    guard let hello = delivered.last(where: { $0.kind == .hello }) else { return false }
    return replies.contains { reply in
      reply.peer == hello.peer && reply.time >= hello.time && reply.kind.answers
        && Ack.fields.status.value(in: reply.bytes.span.bytes) == AckStatus.ok.rawValue
    }
  }

  /// The time of the first difference between shown and expected values; the end if values are only missing.
  private func firstDifference<T: Equatable>(of shown: [(time: Timestamp, value: T)], from expected: [T]) -> Timestamp {
    let same = zip(expected, shown).prefix { $0 == $1.value }.count
    return same < shown.count ? shown[same].time : log.end
  }

  func strengths(_ either: [[Float]]) -> Outcome {
    if let lack = lacks(.strength) { return lack }
    var last: Float = 0
    var shown: [(time: Timestamp, value: Float)] = []
    for (time, strength) in events(\.appliedStrength) where strength != last {
      shown.append((time, strength))
      last = strength
    }
    let values = shown.map(\.value)
    if isShown(shown, either, among: forceArrivals(HapticStrength.clamped), from: 0) { return .held }
    let expected = either.map { "strengths \(JudgedRun.text($0))" }.joined(separator: " or ")
    let time = firstDifference(of: shown, from: either.first ?? [])
    let breach = Failure(time: time, expected: expected, observed: "strengths \(JudgedRun.text(values))")
    return broken(breach, at: time)
  }

  func impacts(_ expected: [HapticImpact]) -> Outcome {
    if let lack = lacks(.impacts) { return lack }
    let shown = events(\.impact)
    let styles = shown.map(\.value)
    if isShown(shown, [expected], among: forceArrivals { HapticImpact(intensity: $0) }) { return .held }
    let time = firstDifference(of: shown, from: expected)
    let breach = Failure(
      time: time, expected: "impacts \(JudgedRun.text(expected.map(\.rawValue)))",
      observed: "impacts \(JudgedRun.text(styles.map(\.rawValue)))")
    return broken(breach, at: time)
  }

  func commands(_ expected: [CommandSample]) -> Outcome {
    if let lack = lacks(.commands) { return lack }
    let shown = events(\.changingCommand)
    func words(_ commands: [CommandSample]) -> String {
      "commands " + JudgedRun.text(commands.map { "\($0.type):\($0.value)" })
    }
    let time = firstDifference(of: shown, from: expected)
    return .same(words(expected), words(shown.map(\.value)), at: time)
  }
}
