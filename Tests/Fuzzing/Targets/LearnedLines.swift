import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapText

extension FuzzTarget {
  /// Lines that a program printed while it was learned, each after the time in ms at which it arrived. The file that is
  /// written is read again, and has the rules that were found.
  static let learned = FuzzTarget("learned", seeds: { [LearnedLines.objects, LearnedLines.text] }) { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(200).map { line in
      let time = line.prefix { (48...57).contains($0) }
      let text = String(decoding: line.dropFirst(time.count + 1), as: UTF8.self)
      return SeenLine(text, at: (Int64(String(decoding: time, as: UTF8.self)) ?? 0) % 20_000 * 1_000_000)
    }
    let learned = Learner.learn(LearningLog(occasions: LearnedLines.occasions, lines: lines))
    guard !learned.rules.isEmpty else { return false }
    let head = [("role", "host"), ("command", "[a]"), ("addresses", "{udp: free}")].map { SystemText.Entry($0.0, $0.1) }
    let text = SystemText(comments: [], entries: head, learned: learned).text
    do {
      let file = try SystemFile(text, file: "learned.yaml", suites: .all)
      try hold(file.rules.map(\.kind) == learned.rules.map(\.rule.kind), "it has other rules:\n\(text)")
      for (read, found) in zip(file.rules, learned.rules.map(\.rule)) {
        try hold(read.conditions == found.conditions, "it has other conditions:\n\(text)")
      }
    } catch let error as YAMLFileError {
      throw Broken(description: "what was written cannot be read: \(error)\n\(text)")
    }
    return true
  }
}

private enum LearnedLines {
  private static let log: RunLog = {
    do {
      guard let session = try Suites.all.learning(.host, over: .udp)?.session else { fatalError("no session") }
      return try ModelSystem(parsing: "model:host", in: .all).runNow(session)
    } catch {
      fatalError("\(error)")
    }
  }()

  static let occasions = ExpectedEvents.of(log, part: .host, kinds: Suites.all.kinds)

  /// The output of our model.
  static let objects = seed { $0 }

  /// The same as a program that prints text would put it.
  static let text = seed { object in
    object.filter { !"{}\"".contains($0) }.replacing(",", with: " ")
  }

  private static func seed(_ printed: (String) -> String) -> [UInt8] {
    log.entries.flatMap { entry -> [UInt8] in
      guard case .event(let event) = entry.what else { return [] }
      return Array("\(entry.time.nanoseconds / 1_000_000) \(printed(event.jsonLine(at: entry.time)))\n".utf8)
    }
  }
}
