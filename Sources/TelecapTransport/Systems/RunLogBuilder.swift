import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// Inserts a program's output into the log of sent and received messages.
struct RunLogBuilder {
  private var log: RunLog
  private var observations: EventDecoder
  private var timing: OutputTiming.Tracker

  /// The maximum number of lines without events that are kept of a run.
  static let keptLines = 10_000

  /// Adds lines to the log of a run; `begin` is the start of the run on the clock of the lines.
  /// - Parameter known: the mapping statistics of earlier runs.
  static func add(
    _ lines: [ProgramOutput.Line], since begin: Nanoseconds, to log: RunLog, of file: SystemFile,
    known: MappingStatistics? = nil
  ) -> RunLog {
    let decoded = DecodedLog(log, file.part.role?.owner)
    return RunLog.reading(after: known) { read(lines, since: begin, beside: decoded, by: file, rounded: $0) }
  }

  private static func read(
    _ lines: [ProgramOutput.Line], since begin: Nanoseconds, beside decoded: DecodedLog, by file: SystemFile,
    rounded: MappingStatistics?
  ) -> RunLog {
    let log = decoded.log
    let observations = EventDecoder(
      rules: file.rules, peers: log.peers, file.part.role?.owner, file: file.file, rounded: rounded)
    var builder = RunLogBuilder(log: log, observations: observations)
    builder.log.entries = []
    builder.log.said = file.said
    var (rest, delivered) = (lines[...], decoded.delivered[...])
    // The last output before an exit may be read after the exit was noticed.
    let latest = log.ended.flatMap { $0.time <= log.end ? $0.time : nil }
    func time(_ line: ProgramOutput.Line) -> Timestamp {
      let time = Timestamp(nanoseconds: max(0, line.time &- begin))
      return min(time, latest ?? time)
    }
    for (index, entry) in log.entries.enumerated() {
      while let line = rest.first, time(line) < entry.time {
        builder.add(rest.removeFirst(), at: time(line))
      }
      builder.add(entry, delivered.take(of: index))
    }
    for line in rest { builder.add(line, at: time(line)) }
    builder.log.mapping = builder.observations.mapping
    builder.timing.finish()
    builder.log.mapping?.timing = builder.timing.timing
    return builder.log
  }

  private init(log: RunLog, observations: EventDecoder) {
    self.log = log
    self.observations = observations
    timing = OutputTiming.Tracker(settle: log.settle)
  }

  private mutating func add(_ entry: RunLog.Entry, _ messages: ArraySlice<LoggedMessage>) {
    log.note(entry.what, at: entry.time)
    for message in messages { observations.delivered(message) }
    switch entry.what {
    case .delivered:
      isUntouched = false
      timing.delivered(at: entry.time)
    case .opened: isUntouched = false
    default: return
    }
  }

  private var kept = 0
  /// Whether no message was delivered so far.
  private var isUntouched = true

  private mutating func add(_ line: ProgramOutput.Line, at time: Timestamp) {
    // Output after the request to exit is not part of the run.
    var events = time <= log.end ? observations.events(printed: line.text, isShown: line.isShown) : []
    // Reactions to a probe are no failures of the run.
    if isUntouched, let end = log.probesEnd, time < end { events.removeAll(where: \.isReaction) }
    if time > log.end, line.isShown { observations.late(line.text) }
    for event in events { log.note(.event(event), at: time) }
    if !events.isEmpty { timing.printed(at: time) }
    guard events.isEmpty, kept < RunLogBuilder.keptLines else { return }
    kept += 1
    log.note(.output(String(decoding: line.text, as: UTF8.self)), at: time)
  }
}
