import TelecapImpairment
import TelecapModels
import TelecapRecording

/// Expectations on what a device tells of itself, in its own words.
extension JudgedRun {
  private var tellings: [(time: Timestamp, value: String)] {
    events { event -> String? in
      guard case .told(let words) = event else { return nil }
      return words
    }
  }

  /// Exactly these lines, each with its time: `200ms playing normal`.
  func tells(_ expected: [String]) -> Outcome {
    if let lack = lacks(.tellings) { return lack }
    let told = tellings
    let lines = told.map { "\(Interval(nanoseconds: $0.time.nanoseconds)) \($0.value)" }
    guard lines != expected else { return .held }
    let index = zip(lines, expected).prefix { $0 == $1 }.count
    return .broken(
      Breach(
        time: index < told.count ? told[index].time : log.end,
        expected: index < expected.count ? "“\(expected[index])”" : "nothing more after line \(expected.count)",
        observed: index < lines.count ? "“\(lines[index])”" : "nothing more after line \(lines.count)"))
  }

  /// Each of these is told, in this order, whatever comes between.
  func includes(_ expected: [String]) -> Outcome {
    if let lack = lacks(.tellings) { return lack }
    var rest = tellings[...]
    for words in expected {
      guard let index = rest.firstIndex(where: { $0.value == words }) else {
        return .broken(
          Breach(
            time: log.end, expected: "“\(words)”", observed: JudgedRun.text(tellings.map(\.value))))
      }
      rest = rest[(index + 1)...]
    }
    return .held
  }

  /// Nothing that begins with one of these words is told.
  func never(_ beginnings: [String]) -> Outcome {
    if let lack = lacks(.tellings) { return lack }
    guard let first = tellings.first(where: { line in beginnings.contains { line.value.hasPrefix($0) } }) else {
      return .held
    }
    return .broken(Breach(time: first.time, expected: "no such thing", observed: "“\(first.value)”"))
  }
}
