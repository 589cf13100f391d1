import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapWire

/// Reads the log of a run for what is drawn of it: what was sent of each stream, and what its receiver applied.
struct WhatIfCollector {
  /// The part of the time that is drawn.
  let grid: TimeGrid
  /// The streams of the receiver.
  private(set) var tracks: [WhatIfTrack]
  private let judged: [JudgedStream]
  /// When what was delivered last was sent: what a receiver applies at that moment is of it.
  private var deliveredSentAt: Timestamp?

  init(_ streams: [JudgedStream], _ grid: TimeGrid) {
    self.grid = grid
    let drawn = streams.compactMap { stream in
      DrawnStream.all(of: [stream.owner]).first { $0.rules == stream.rules && $0.kind == stream.kind }
        .map { (stream, WhatIfTrack($0, grid)) }
    }
    (judged, tracks) = (drawn.map(\.0), drawn.map(\.1))
  }

  mutating func read(_ entry: LogEntry, _ bytes: RawSpan, at time: Timestamp) {
    switch entry {
    case .sent(_, _, let carrier): sent(bytes, over: carrier, at: time)
    case .delivered(_, _, _, let sentAt): deliveredSentAt = sentAt
    case .event(let event): applied(event, at: time)
    case .opened, .closed, .disconnected, .replied, .asked, .output, .broke: return
    }
  }

  mutating func finish(at time: Timestamp) {
    for place in tracks.indices { tracks[place].finish(at: time) }
  }

  private mutating func sent(_ bytes: RawSpan, over carrier: Carrier, at time: Timestamp) {
    for place in tracks.indices {
      let stream = tracks[place].stream
      guard let dialect = stream.owner.dialect(over: carrier), let numbers = stream.numbers(in: bytes, as: dialect)
      else { continue }
      tracks[place].sent(numbers, at: time)
    }
  }

  private mutating func applied(_ event: PeerEvent, at time: Timestamp) {
    for place in tracks.indices {
      guard let shown = judged[place].shown(by: event) else { continue }
      tracks[place].applied(Array(shown.value.values), sentAt: deliveredSentAt, at: time)
    }
  }
}
