import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapWire

/// Reads the log of a run for what is drawn of it: what was sent of each stream, and what its receiver applied. A run may have a
/// million messages, and a person waits for it: nothing is allocated for one.
struct WhatIfCollector {
  /// The part of the time that is drawn.
  let grid: TimeGrid
  /// The streams of the receiver.
  private(set) var tracks: [WhatIfTrack]
  private let judged: [JudgedStream]
  private let spoken: [Spoken]
  /// When what was delivered last was sent: what a receiver applies at that moment is of it.
  private var deliveredSentAt: Timestamp?
  private var numbers = StreamValues()
  private var shown = JudgedStream.Shown()

  /// A protocol as it is spoken over each carrier, with its streams.
  private struct Spoken {
    let dialects: [(carrier: Carrier, dialect: Dialect)]
    /// Which messages carry a stream, and where it stands among the tracks.
    let tracks: [(kind: MessageKind, place: Int)]

    /// What a message is read by that goes over a carrier; nil where the protocol does not.
    func dialect(over carrier: Carrier) -> Dialect? {
      for one in dialects where one.carrier == carrier { return one.dialect }
      return nil
    }
  }

  init(_ streams: [JudgedStream], _ grid: TimeGrid) {
    self.grid = grid
    let drawn = streams.compactMap { stream in
      DrawnStream.all(of: [stream.owner]).first { $0.rules == stream.rules && $0.kind == stream.kind }
        .map { (stream, WhatIfTrack($0, grid)) }
    }
    (judged, tracks) = (drawn.map(\.0), drawn.map(\.1))
    var owners: [WireProtocol] = []
    for (stream, _) in drawn where !owners.contains(where: { $0 === stream.owner }) { owners.append(stream.owner) }
    spoken = owners.map { owner in
      Spoken(
        dialects: Carrier.allCases.compactMap { carrier in owner.dialect(over: carrier).map { (carrier, $0) } },
        tracks: drawn.enumerated().filter { $1.0.owner === owner }.map { ($1.1.stream.kind, $0) })
    }
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
    for one in spoken {
      guard let dialect = one.dialect(over: carrier) else { continue }
      let (kind, error) = MessageDecoder.check(bytes, as: dialect)
      if error != nil { continue }
      for track in one.tracks where track.kind == kind {
        tracks[track.place].read(bytes, into: &numbers)
        tracks[track.place].sent(numbers, at: time)
      }
    }
  }

  private mutating func applied(_ event: PeerEvent, at time: Timestamp) {
    for place in tracks.indices where judged[place].isShown(by: event, into: &shown) {
      tracks[place].applied(shown.value.values, sentAt: deliveredSentAt, at: time)
    }
  }
}
