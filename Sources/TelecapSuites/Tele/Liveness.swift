import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Expectations on what the system sends, and when.
extension JudgedRun {
  /// HELLO comes at least every `longest` ns between the two times.
  func helloEvery(_ longest: Int64, _ from: Timestamp, _ to: Timestamp) -> Outcome {
    let times = replies.filter { $0.kind == .hello && $0.isValid && $0.time >= from && $0.time <= to }.map(\.time)
    guard !times.isEmpty else { return .broken(Breach(time: from, expected: "HELLO", observed: "none")) }
    var last = from
    for time in times + [to] {
      let gap = time.nanoseconds(since: last)
      if gap > longest + log.settle {
        return .broken(
          Breach(
            time: time, expected: "a HELLO at least every \(longest / 1_000_000) ms",
            observed: "none for \(gap / 1_000_000) ms"))
      }
      last = time
    }
    return .held
  }

  /// The phone notices that its session is lost: it says so, or where it tells nothing of sessions it stops sending poses.
  func noticesLoss(_ after: ClosedRange<Int64>) -> Outcome {
    var lastAck: Timestamp?
    for entry in log.entries {
      guard case .delivered(let bytes, _, _, .udp, _) = entry.what else { continue }
      if MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind == .ack { lastAck = entry.time }
    }
    guard let lastAck else { return .missing("the phone sent no HELLO that could be acknowledged") }
    let expected =
      "the loss is noticed \(after.lowerBound / 1_000_000)…\(after.upperBound / 1_000_000) ms after the last ACK"
    func judge(_ time: Timestamp, _ what: String) -> Outcome {
      let age = time.nanoseconds(since: lastAck)
      guard age < after.lowerBound - log.settle || age > after.upperBound + log.settle else { return .held }
      return .broken(Breach(time: time, expected: expected, observed: "\(what) after \(age / 1_000_000) ms"))
    }
    if log.shows.contains(.sessions) {
      let closed = events { event -> Bool? in
        guard case .sessionClosed = event else { return nil }
        return true
      }.last
      guard let closed else { return .broken(Breach(time: log.end, expected: expected, observed: "it was not")) }
      return judge(closed.time, "it was")
    }
    guard let pose = replies.last(where: { $0.kind == .pose }) else {
      return .missing("the phone shows no sessions and sends no poses")
    }
    return judge(pose.time, "poses stopped")
  }

  /// Every HAPTIC that the host sends is 0…1, with channel and reserved 0.
  func hapticInRange(_ count: Int) -> Outcome {
    let haptics = replies.filter { $0.kind == .haptic }
    for haptic in haptics {
      let bytes = haptic.bytes.span.bytes
      let intensity = Haptic.fields.intensity.value(in: bytes) ?? .nan
      let reserved = Haptic.fields.reserved.value(in: bytes) ?? 0
      let channel = Haptic.fields.channel.value(in: bytes) ?? 0
      guard intensity >= 0, intensity <= 1, reserved == 0, channel == 0 else {
        return .broken(
          Breach(
            time: haptic.time, expected: "intensity in 0…1, channel 0, reserved 0",
            observed: "intensity \(intensity), channel \(channel), reserved \(reserved)"))
      }
    }
    return haptics.count >= count ? .held : .missing("the host sent \(haptics.count) HAPTIC, not \(count)")
  }
}
