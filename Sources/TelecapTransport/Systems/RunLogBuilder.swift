import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// Puts what a program printed in its place among what was sent and what came back.
struct RunLogBuilder {
  private var log: RunLog
  private var observations: Observations
  /// When each peer was last told that it has a session.
  private var acknowledged: [Endpoint: Timestamp] = [:]

  /// How many lines that are no events are kept of a run.
  static let keptLines = 10_000

  /// Lines beside the log of one run; `begin` is when the run began on the clock of the lines.
  static func add(_ lines: [ProgramOutput.Line], since begin: Int64, to log: RunLog, by rules: [EventRule]) -> RunLog {
    var builder = RunLogBuilder(log: log, observations: Observations(rules: rules, peers: log.peers))
    builder.log.entries = []
    var rest = lines[...]
    func time(_ line: ProgramOutput.Line) -> Timestamp { Timestamp(nanoseconds: max(0, line.time &- begin)) }
    for entry in log.entries {
      while let line = rest.first, time(line) < entry.time {
        builder.add(rest.removeFirst(), at: time(line))
      }
      builder.add(entry)
    }
    for line in rest { builder.add(line, at: time(line)) }
    let entries = builder.log.entries.enumerated()
    builder.log.entries = entries.sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    return builder.log
  }

  private init(log: RunLog, observations: Observations) {
    self.log = log
    self.observations = observations
  }

  private mutating func add(_ entry: RunLog.Entry) {
    log.entries.append(entry)
    switch entry.what {
    case .delivered(let bytes, _, let peer, let carrier, _): observations.delivered(bytes, from: peer, over: carrier)
    case .replied(let bytes, let peer, _?):
      if RunLogBuilder.isOK(bytes), let endpoint = log.peers[peer] { acknowledged[endpoint] = entry.time }
    default: return
    }
  }

  private var kept = 0

  private mutating func add(_ line: ProgramOutput.Line, at time: Timestamp) {
    // What it does when it is told to end is no part of the run.
    let isOfRun = line.isShown && time <= log.end
    let events = isOfRun ? JSONValue(line: line.text).map { observations.events(in: $0) } ?? [] : []
    for event in events { log.note(.event(event), at: self.time(of: event, shownAt: time)) }
    guard events.isEmpty, kept < RunLogBuilder.keptLines else { return }
    kept += 1
    log.note(.output(String(decoding: line.text, as: UTF8.self)), at: time)
  }

  /// A host's session begins when its ACK OK says so, which comes a moment before the host prints it: what was sent in
  /// between belongs to the session.
  private func time(of event: PeerEvent, shownAt time: Timestamp) -> Timestamp {
    guard case .sessionOpened(let peer, _) = event, let ack = acknowledged[peer],
      time.nanoseconds(since: ack) < WallClockRun.settle
    else { return time }
    return ack
  }

  /// ACK OK, as a datagram or as a frame.
  private static func isOK(_ bytes: [UInt8]) -> Bool {
    let message = UInt32.read(bytes.span.bytes, at: 2) == Header.magic ? Array(bytes.dropFirst(2)) : bytes
    let span = message.span.bytes
    return UInt32.read(span, at: 0) == Header.magic
      && Header.fields.type.value(in: span) == MessageKind.ack.teleType
      && Ack.fields.status.value(in: span) == AckStatus.ok.rawValue
  }
}
