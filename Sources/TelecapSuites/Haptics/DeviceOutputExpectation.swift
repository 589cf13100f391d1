import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// An expectation on the output of a device, as text. Text in brackets is optional.
enum DeviceOutputExpectation: Expectation, Hashable {
  /// The output is exactly these lines, each at its time.
  case exactly([Line])
  /// The output contains these lines in this order, among others.
  case inOrder([Line])
  /// No line of the output begins like one of these.
  case never([Line])
  /// The findings include these, and no other error.
  case finds([Line])

  /// A line of output with its time.
  struct Line: Hashable, CustomStringConvertible {
    /// Nil for any time.
    var time: Timestamp?
    var words: String

    /// `200ms playing normal`.
    var description: String { (time.map { "\(Interval(nanoseconds: $0.nanoseconds)) " } ?? "") + words }
  }

  /// An observed line.
  private typealias Told = (time: Timestamp, words: String)

  func judge(_ run: JudgedRun) -> Outcome {
    if let lack = run.lacks(.tellings) { return lack }
    let told = run.events { event -> String? in
      guard case .told(let words) = event else { return nil }
      return words
    }.map { (time: $0.time, words: $0.value) }
    let nearness = Tolerance(run.log)
    func isSame(_ line: Line, _ told: Told) -> Bool {
      (line.time.map { nearness.isSame($0, told.time) } ?? true) && nearness.isSame(line.words, told.words)
    }
    return switch self {
    case .exactly(let lines): DeviceOutputExpectation.exactly(lines, told, run.log.end, isSame)
    case .inOrder(let lines): DeviceOutputExpectation.inOrder(lines, told, run.log.end, isSame)
    case .never(let lines): DeviceOutputExpectation.never(lines, told, nearness)
    case .finds(let lines): DeviceOutputExpectation.finds(lines, told, run.log.end, nearness)
    }
  }

  private static func exactly(
    _ expected: [Line], _ all: [Told], _ end: Timestamp, _ isSame: (Line, Told) -> Bool
  ) -> Outcome {
    let told = all.filter { !DeviceWords.required($0.words).isEmpty }
    let index = zip(expected, told).prefix { isSame($0, $1) }.count
    guard index < max(told.count, expected.count) else { return .held }
    return .broken(
      Failure(
        time: index < told.count ? told[index].time : end,
        expected: index < expected.count ? "“\(expected[index])”" : "nothing more after line \(expected.count)",
        observed: index < told.count ? quoted(told[index]) : "nothing more after line \(told.count)"))
  }

  private static func inOrder(
    _ expected: [Line], _ told: [Told], _ end: Timestamp, _ isSame: (Line, Told) -> Bool
  ) -> Outcome {
    var rest = told[...]
    for line in expected {
      guard let index = rest.firstIndex(where: { isSame(line, $0) }) else {
        let all = JudgedRun.text(told.map { line.time == nil ? $0.words : "\(Line(time: $0.time, words: $0.words))" })
        return .broken(Failure(time: end, expected: "“\(line)”", observed: all))
      }
      rest = rest[(index + 1)...]
    }
    return .held
  }

  private static func never(_ lines: [Line], _ told: [Told], _ nearness: Tolerance) -> Outcome {
    let first = told.first { told in
      lines.contains { line in
        let words = line.words.hasPrefix("(") ? told.words : DeviceWords.required(told.words)
        return words.hasPrefix(line.words) && line.time.map { nearness.isSame($0, told.time) } ?? true
      }
    }
    return first.map { .broken(Failure(time: $0.time, expected: "no such thing", observed: "“\($0.words)”")) } ?? .held
  }

  private static func finds(_ lines: [Line], _ all: [Told], _ end: Timestamp, _ nearness: Tolerance) -> Outcome {
    let told = all.filter { DeviceFinding($0.words) != nil }
    var rest = told
    for line in lines {
      let found = rest.firstIndex { told in
        guard let expected = DeviceFinding(line.words), let finding = DeviceFinding(told.words) else { return false }
        return expected.isSame(as: finding) && line.time.map { nearness.isSame($0, told.time) } ?? true
      }
      guard let found else {
        return .broken(
          Failure(time: line.time ?? end, expected: "“\(line)”", observed: JudgedRun.text(told.map(\.words))))
      }
      rest.remove(at: found)
    }
    guard let error = rest.first(where: { DeviceFinding($0.words)?.isError == true }) else { return .held }
    return .broken(Failure(time: error.time, expected: "no error but those", observed: quoted(error)))
  }

  private static func quoted(_ told: Told) -> String { "“\(Line(time: told.time, words: told.words))”" }
}

// MARK: - In a scenario

extension DeviceOutputExpectation {
  static let keys: [ScenarioKey<any Expectation>] = [
    ScenarioKey(
      "tells", .list(.text),
      "The lines that a device prints, each with its time: 200ms playing normal. A word * is any; text of the device in brackets is ignored."
    ) { (value) throws(YAMLFileError) in DeviceOutputExpectation.exactly(try lines(value, timed: true)) },
    ScenarioKey(
      "includes", .list(.text),
      "Lines that a device prints in this order, perhaps with others between them; with or without a time."
    ) { (value) throws(YAMLFileError) in DeviceOutputExpectation.inOrder(try lines(value, timed: false)) },
    ScenarioKey("never", .list(.text), "Beginnings of lines that a device never prints; with or without a time.") {
      (value) throws(YAMLFileError) in DeviceOutputExpectation.never(try lines(value, timed: false))
    },
    ScenarioKey(
      "finds", .list(.text),
      "The findings of a player in the patterns that it reads, and no other errors: 1s error at 2:22 $.Pattern[0].Event.Time."
    ) { (value) throws(YAMLFileError) in
      let lines = try lines(value, timed: true)
      for (line, entry) in zip(lines, value.list) where DeviceFinding(line.words)?.line == nil {
        throw entry.error("a finding has its place: 1s error at 2:22 $.Pattern[0].Event.Time, or 1s finding at …")
      }
      return DeviceOutputExpectation.finds(lines)
    },
  ]

  private static func lines(_ value: YAMLValue, timed: Bool) throws(YAMLFileError) -> [Line] {
    var lines: [Line] = []
    for entry in value.list {
      let text = entry.text ?? ""
      let parts = text.split(separator: " ", maxSplits: 1)
      if parts.count == 2, let time = try? Interval(parsing: String(parts[0])) {
        lines.append(Line(time: Timestamp(nanoseconds: time.nanoseconds), words: String(parts[1])))
      } else if timed {
        throw entry.error("a line begins with its time: 200ms playing normal")
      } else {
        lines.append(Line(words: text))
      }
    }
    return lines
  }
}
