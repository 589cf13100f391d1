import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapText
import Testing

/// How programs of several habits print the same, and what is learned of each: all poses are read back.
@Suite("Output formats that are learned")
struct HabitTests {
  /// An event with names and values; nil for what is not shown.
  private static func pairs(_ event: PeerEvent) -> [(String, String)]? {
    if let pose = event.appliedPose {
      return [
        ("event", "\"pose\""), ("seq", "\(pose.seq)"), ("x", "\(pose.position.x)"), ("y", "\(pose.position.y)"),
      ]
    }
    if let command = event.changingCommand {
      let name = command.type == 1 ? "\"rec\"" : "\"keep\""
      return [("event", "\"button\""), ("name", name), ("down", command.value == 1 ? "true" : "false")]
    }
    return switch event {
    case .sessionOpened(_, let id): [("event", "\"opened\""), ("id", "\(id)")]
    case .sessionClosed(_, _, let reason):
      [("event", "\"closed\""), ("why", reason == .teardown ? "\"said goodbye\"" : "\"fell silent\"")]
    default: nil
    }
  }

  private static func object(_ pairs: [(String, String)]) -> String {
    "{\(pairs.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", "))}"
  }

  /// Learns a host that prints in this habit, and reads what it printed by what was learned.
  private func learn(
    _ printed: ([(String, String)], Nanoseconds) -> [String]
  ) throws -> (learned: LearnedSystem, file: SystemFile) {
    let host = try LearnedHost()
    var lines: [SeenLine] = []
    for entry in host.log.entries {
      guard case .event(let event) = entry.what, let pairs = Self.pairs(event) else { continue }
      lines += printed(pairs, entry.time.nanoseconds).map { SeenLine($0, at: entry.time.nanoseconds) }
    }
    let learned = host.learn(lines)
    let file = try host.file(learned)
    let (events, mapping) = host.read(lines, by: file)
    #expect(learned.missing == [])
    #expect(events.compactMap(\.appliedSeq) == host.applied)
    #expect(mapping.notices == [])
    let ends = events.compactMap { if case .sessionClosed(_, _, let reason) = $0 { reason } else { nil } }
    #expect(Set(ends) == [.teardown, .timeout], "\(learned.rules.last?.rule.fields ?? [:])")
    return (learned, file)
  }

  @Test("JSON over several lines is learned as blocks")
  func pretty() throws {
    let (learned, file) = try learn { pairs, _ in
      let members = pairs.map { "  \"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
      return "{\n\(members)\n}".split(separator: "\n").map(String.init)
    }
    #expect(learned.format == .jsonBlocks && file.format == .jsonBlocks)
    #expect(learned.rules.allSatisfy { $0.rule.pattern == nil })
  }

  @Test("YAML documents with lines of --- between them are learned as blocks")
  func yaml() throws {
    let (learned, file) = try learn { pairs, time in
      ["stamp: \(time)"] + pairs.map { "\($0.0): \($0.1)" } + ["---"]
    }
    #expect(learned.format == .yamlBlocks && file.format == .yamlBlocks)
  }

  @Test("JSON after the time and name of a log is read as JSON")
  func syslog() throws {
    let (learned, _) = try learn { pairs, _ in ["Nov 25 02:00:01 robot hostd[71]: " + Self.object(pairs)] }
    #expect(learned.format == .jsonBehindText)
    #expect(learned.rules.allSatisfy { $0.rule.pattern == nil })
  }

  @Test("Python's dictionaries are read as objects")
  func python() throws {
    let (learned, _) = try learn { pairs, _ in
      let text = Self.object(pairs).replacing("\"", with: "'").replacing("true", with: "True")
      return [text.replacing("false", with: "False"), "{'event': 'stats', 'load': 0.5, 'note': None}"]
    }
    #expect(learned.format == .lines && learned.rules.allSatisfy { $0.rule.pattern == nil })
  }

  @Test("The names and values of a log line, and the lines of a table, are learned as text")
  func pairsAndTables() throws {
    let columns = ["event", "seq", "x", "y", "name", "down", "id", "why"]
    for isTable in [false, true] {
      let (learned, _) = try learn { pairs, time in
        let stamp = "\(time / 1_000_000)"
        if !isTable { return ["ts=\(stamp) level=info " + pairs.map { "\($0.0)=\($0.1)" }.joined(separator: " ")] }
        let cells = columns.map { name in pairs.first { $0.0 == name }?.1.replacing("\"", with: "") ?? "" }
        return [stamp + "," + cells.joined(separator: ",")]
      }
      #expect(learned.format == .lines && learned.rules.allSatisfy { $0.rule.pattern != nil })
    }
  }

  @Test("A clock that restarts with each session is noted, and is neither a condition nor a reason")
  func clock() throws {
    for isText in [false, true] {
      var start: Nanoseconds = 0
      let (learned, _) = try learn { pairs, time in
        if pairs[0].1 == "\"opened\"" { start = time }
        let clock = Numbers.fixed(Double(time - start) / 1e9, 2)
        if isText { return ["[\(clock)] " + pairs.map { "\($0.0) \($0.1)" }.joined(separator: " ")] }
        return [Self.object([("t", clock)] + pairs)]
      }
      #expect(learned.notes.count == 1 && learned.notes[0].contains("is a clock that began again"), "\(learned.notes)")
      for rule in learned.rules {
        #expect(!rule.rule.fields.values.contains { $0.path == ["t"] })
        #expect(!rule.rule.conditions.contains { $0.path == ["t"] })
      }
    }
  }

  @Test("A clock that only goes on causes no note")
  func steadyClock() throws {
    let (learned, _) = try learn { pairs, time in [Self.object([("t", "\(time / 1_000)")] + pairs)] }
    #expect(learned.notes == [])
  }

  @Test("Learned expressions contain no names of days and months")
  func dates() throws {
    let (learned, _) = try learn { pairs, _ in
      ["Wed Nov 25 02:00:01 2026 " + pairs.map { "\($0.0) \($0.1)" }.joined(separator: " ")]
    }
    #expect(!learned.rules.contains { $0.rule.pattern?.text.contains("Nov") ?? false })
  }

  /// A pose in words, with other text after it if a movement begins.
  private static func text(_ event: PeerEvent, starts: String, goes: String) -> [String] {
    guard let pose = event.appliedPose else { return pairs(event).map { [object($0)] } ?? [] }
    let at = [pose.position.x, pose.position.y, pose.position.z].map { "\($0)" }
    return ["pose \(pose.seq): \(at.joined(separator: " "))" + (pose.movementStart ? starts : goes)]
  }

  @Test(
    "A mark, a word or the presence of text after the numbers shows whether a movement begins",
    arguments: [
      (" <<", " .."), (" <<", ""), ("", "<<"), ("*", ""), (" (moves)", ""), (" start", " goes on"), ("m*", "m"),
      (" MOVE lag 3", " lag 4"),
    ])
  func marksBehind(starts: String, goes: String) throws {
    let host = try LearnedHost()
    let lines = host.lines { Self.text($0, starts: starts, goes: goes) }
    let learned = host.learn(lines)
    #expect(learned.missing == [])
    let rules = learned.rules.filter { $0.rule.kind == .pose }
    #expect(rules.reduce(0) { $0 + $1.found } == rules.first?.of, "\(rules)")
    let (events, mapping) = host.read(lines, by: try host.file(learned))
    #expect(events.compactMap(\.appliedSeq) == host.applied && mapping.notices == [])
    let starting = events.compactMap { $0.appliedPose?.movementStart }
    let sent = host.log.entries.compactMap { entry -> Bool? in
      if case .event(let event) = entry.what { event.appliedPose?.movementStart } else { nil }
    }
    #expect(starting == sent && Set(sent).count == 2)
  }

  @Test("Poses of which half are shown are not learned; of which nearly all are, with a note")
  func partly() throws {
    let host = try LearnedHost()
    func learn(every: Int) -> LearnedSystem {
      var count = 0
      return host.learn(
        host.lines { event in
          if event.appliedSeq != nil { count += 1 }
          return event.appliedSeq != nil && count % every == 0 ? [] : Self.pairs(event).map { [Self.object($0)] } ?? []
        })
    }
    let half = learn(every: 2)
    #expect(!half.rules.contains { $0.rule.kind == .pose })
    #expect(half.missing.map(\.why).contains { $0.hasPrefix("only ") && $0.contains(" that were sent are shown: {") })
    let most = learn(every: 8).rules.first { $0.rule.kind == .pose }
    #expect(
      most?.notes.contains { $0.hasSuffix("are not shown: a program that applies them and does not say so fails") }
        == true)
  }

  @Test("A bar next to a number is ignored, at any length")
  func bars() throws {
    let phone = try LearnedHost(.phone)
    let lines = phone.lines { event in
      guard let level = event.appliedStrength else { return [] }
      let bar = String(repeating: "#", count: Int(level * 20)).padding(20)
      return ["motor \(level) |\(bar)|"]
    }
    let learned = phone.learn(lines)
    let rules = learned.rules.filter { $0.rule.kind == .strength }
    #expect(rules.reduce(0) { $0 + $1.found } == rules.first?.of, "\(rules) \(learned.missing)")
    #expect(!learned.rules.contains { $0.rule.kind == .impact })
    let (events, mapping) = phone.read(lines, by: try phone.file(learned))
    #expect(events.count == lines.count && mapping.notices == [], "\(mapping)")
  }

  @Test("A motor of 255 steps is read as the strength that was played, rounded or cut", arguments: [true, false])
  func steps(rounds: Bool) throws {
    let phone = try LearnedHost(.phone)
    var told: [Float] = []
    let lines = phone.lines { event in
      guard let level = event.appliedStrength else { return [] }
      told.append(level)
      let step = level * 255
      return ["duty -> \(Int(rounds ? step.rounded() : step))/255"]
    }
    let learned = phone.learn(lines)
    let rule = learned.rules.first { $0.rule.kind == .strength }
    #expect(rule?.found == rule?.of && rule?.rule.fields["intensity"]?.times == 1 / 255, "\(learned.missing)")
    let (events, _) = phone.read(lines, by: try phone.file(learned))
    let read = events.compactMap(\.appliedStrength)
    #expect(read == told)
  }

  @Test("A unit directly after a number is no part of it, and the head of a table is no row")
  func unitsAndHeads() throws {
    for isTable in [false, true] {
      let host = try LearnedHost()
      let head = isTable ? [SeenLine("seq,x,y,z,lag", at: 0)] : []
      let lines =
        head
        + host.lines { event in
          guard let pose = event.appliedPose else { return Self.pairs(event).map { [Self.object($0)] } ?? [] }
          let (x, y, z) = (pose.position.x, pose.position.y, pose.position.z)
          return [isTable ? "\(pose.seq),\(x),\(y),\(z),0.3" : "\(pose.seq) at \(x)m \(y)m \(z)m after \(pose.seq)ms"]
        }
      let learned = host.learn(lines)
      let rule = learned.rules.first { $0.rule.kind == .pose }
      #expect(
        rule?.rule.fields["z"] != nil && rule?.notes.contains { $0.contains("cannot be distinguished") } == false,
        "\(learned)")
      let (events, mapping) = host.read(lines, by: try host.file(learned))
      #expect(events.compactMap(\.appliedSeq) == host.applied && mapping.notices == [], "\(mapping.notices)")
    }
  }

  @Test("Text that shows each pose twice, on arrival and on use, is read once")
  func stages() throws {
    let host = try LearnedHost()
    let lines = host.lines { event in
      guard let pose = event.appliedPose else { return Self.pairs(event).map { [Self.object($0)] } ?? [] }
      return ["recv", "used"].map { "\($0) \(pose.seq) \(pose.position.x) \(pose.position.y)" }
    }
    let learned = host.learn(lines)
    let (events, _) = host.read(lines, by: try host.file(learned))
    #expect(events.compactMap(\.appliedSeq) == host.applied)
  }

  @Test("Output in batches of 100 ms is noted, and in batches of 20 ms is not")
  func batches() throws {
    let host = try LearnedHost()
    let lines = host.lines { event in Self.pairs(event).map { [Self.object($0)] } ?? [] }
    func learn(batch: Nanoseconds) -> LearnedSystem {
      host.learn(lines.map { SeenLine($0.text, at: ($0.time / batch + 1) * batch) })
    }
    #expect(learn(batch: 100_000_000).rules.contains { $0.notes.contains { $0.contains("holds its output back") } })
    #expect(!learn(batch: 20_000_000).rules.contains { $0.notes.contains { $0.contains("holds its output back") } })
  }

  @Test("Buffered output is noted, with what to do")
  func heldBack() throws {
    let host = try LearnedHost()
    let lines = host.lines { event in Self.pairs(event).map { [Self.object($0)] } ?? [] }
    let late = host.learn(lines.map { SeenLine($0.text, at: host.log.end.nanoseconds + 1) })
    let note = late.rules.first?.notes.first { $0.contains("holds its output back") }
    #expect(note?.contains("flush it after each line") == true || note?.contains("flush after each line") == true)
    #expect(!host.learn(lines).rules.contains { $0.notes.contains { $0.contains("holds its output back") } })
  }

  @Test(
    "A file name that changes at each start is replaced by a pattern",
    arguments: [
      ("log-20261125-023529-802526.txt", "log-*.txt"), ("runs/robot.12345.log", "runs/robot.*.log"),
      ("2026-11-25T02:35:29Z.jsonl", "*.jsonl"), ("out_3f2a9c.mp4", "out_*.mp4"), ("a-1-b-2.txt", "a-*-b-*.txt"),
      ("events.jsonl", nil), ("robot_v2x.log", nil), ("run7/events.log", nil), ("42", nil),
    ] as [(String, String?)])
  func names(_ name: String, _ pattern: String?) { #expect(FileNamePattern.of(name) == pattern) }

  @Test("A date in a file name is detected")
  func aDayInANameIsSeen() {
    #expect(FileNamePattern.hasDate("log-2026-11-25.txt") && FileNamePattern.hasDate("a/20261125.log"))
    #expect(!FileNamePattern.hasDate("robot-12345678.log") && !FileNamePattern.hasDate("20261125/robot.log"))
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
