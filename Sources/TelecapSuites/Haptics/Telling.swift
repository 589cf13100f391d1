import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording

/// An expectation on what a device tells of itself, in its own words.
enum Telling: Expectation, Hashable {
  /// It tells exactly these lines, each at its time.
  case exactly([Line])
  /// It tells each of these, in this order, whatever comes between.
  case inOrder([String])
  /// It tells nothing that begins like one of these.
  case never([String])

  /// What is told, and when.
  struct Line: Hashable, CustomStringConvertible {
    var time: Timestamp
    var words: String

    /// `200ms playing normal`.
    var description: String { "\(Interval(nanoseconds: time.nanoseconds)) \(words)" }
  }

  func judge(_ run: JudgedRun) -> Outcome {
    if let lack = run.lacks(.tellings) { return lack }
    let told = run.events { event -> String? in
      guard case .told(let words) = event else { return nil }
      return words
    }.map { Line(time: $0.time, words: $0.value) }
    return switch self {
    case .exactly(let lines): Telling.exactly(lines, told, run.log.end)
    case .inOrder(let words): Telling.inOrder(words, told, run.log.end)
    case .never(let beginnings): Telling.never(beginnings, told)
    }
  }

  private static func exactly(_ expected: [Line], _ told: [Line], _ end: Timestamp) -> Outcome {
    guard told != expected else { return .held }
    let index = zip(told, expected).prefix { $0 == $1 }.count
    return .broken(
      Breach(
        time: index < told.count ? told[index].time : end,
        expected: index < expected.count ? "“\(expected[index])”" : "nothing more after line \(expected.count)",
        observed: index < told.count ? "“\(told[index])”" : "nothing more after line \(told.count)"))
  }

  private static func inOrder(_ expected: [String], _ told: [Line], _ end: Timestamp) -> Outcome {
    var rest = told[...]
    for words in expected {
      guard let index = rest.firstIndex(where: { $0.words == words }) else {
        let all = told.map(\.words).joined(separator: ", ")
        return .broken(Breach(time: end, expected: "“\(words)”", observed: "[\(all)]"))
      }
      rest = rest[(index + 1)...]
    }
    return .held
  }

  private static func never(_ beginnings: [String], _ told: [Line]) -> Outcome {
    guard let first = told.first(where: { line in beginnings.contains { line.words.hasPrefix($0) } }) else {
      return .held
    }
    return .broken(Breach(time: first.time, expected: "no such thing", observed: "“\(first.words)”"))
  }
}

// MARK: - In a scenario

extension Telling {
  static let keys: [ScenarioKey<any Expectation>] = [
    ScenarioKey("tells", .list(.text), "What a device tells, line by line, each with its time: 200ms playing normal.") {
      (value) throws(YAMLFileError) in
      var lines: [Line] = []
      for line in value.list { lines.append(try read(line)) }
      return Telling.exactly(lines)
    },
    ScenarioKey("includes", .list(.text), "Lines that a device tells in this order, whatever comes between.") {
      Telling.inOrder($0.list.compactMap(\.text))
    },
    ScenarioKey("never", .list(.text), "How nothing begins that a device tells.") {
      Telling.never($0.list.compactMap(\.text))
    },
  ]

  private static func read(_ value: YAMLValue) throws(YAMLFileError) -> Line {
    let parts = (value.text ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let time = try? Interval(parsing: String(parts[0])) else {
      throw value.error("what is told has its time before it: 200ms playing normal")
    }
    return Line(time: Timestamp(nanoseconds: time.nanoseconds), words: String(parts[1]))
  }
}
