import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire

/// Our model of a part in the session by which programs are learned; how it prints its events is for the test.
struct LearnedHost {
  let part: Part
  let log: RunLog

  init(_ part: Part = .host, over carrier: Carrier = .udp) throws {
    self.part = part
    guard let session = try Suites.all.learning(part, over: carrier)?.session else { throw SystemError("no session") }
    log = try ModelSystem(parsing: "model:\(part)", in: .all).runNow(session)
  }

  /// The lines that it prints, with other lines before and in between.
  func lines(_ print: (PeerEvent) -> [String]) -> [SeenLine] {
    log.entries.flatMap { entry -> [SeenLine] in
      guard case .event(let event) = entry.what else { return [] }
      return print(event).map { SeenLine($0, at: entry.time.nanoseconds) }
    }
  }

  /// The system learned from these lines.
  func learn(_ lines: [SeenLine]) -> LearnedSystem {
    Learner.learn(LearningLog(occasions: ExpectedEvents.of(log, part: part, kinds: Suites.all.kinds), lines: lines))
  }

  /// The file of what was learned, as it is read again.
  func file(_ learned: LearnedSystem) throws -> SystemFile {
    let entries = [
      SystemText.Entry("role", part.name), SystemText.Entry("command", "[a]"),
      SystemText.Entry("addresses", "{udp: free}"),
    ]
    let text = SystemText(comments: ["\u{1b}[2J"], entries: entries, learned: learned).text
    return try SystemFile(text, file: "learned.yaml", suites: .all)
  }

  /// The events that a file reads in these lines, next to the messages that were sent.
  func read(_ lines: [SeenLine], by file: SystemFile) -> (events: [PeerEvent], mapping: MappingStatistics) {
    var observations = EventDecoder(rules: file.rules, peers: log.peers, part.role?.owner, file: file.file)
    var events: [PeerEvent] = []
    var rest = file.format.read(lines)[...]
    var delivered = DecodedLog(log, part.role?.owner).delivered[...]
    for (index, entry) in log.entries.enumerated() {
      while let line = rest.first, line.time < entry.time.nanoseconds {
        rest.removeFirst()
        events += observations.events(printed: line.text.utf8)
      }
      for message in delivered.take(of: index) { observations.delivered(message) }
    }
    for line in rest { events += observations.events(printed: line.text.utf8) }
    return (events, observations.mapping)
  }

  /// The numbers of the poses that it applied.
  var applied: [UInt16] {
    log.entries.compactMap { if case .event(let event) = $0.what { event.appliedSeq } else { nil } }
  }
}

extension PeerEvent {
  /// The number of a pose that is applied; nil for every other event.
  var appliedSeq: UInt16? { appliedPose?.seq }
}
