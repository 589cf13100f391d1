import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapWire

/// Reads the log of a run for what is drawn of it: what was sent and delivered of each stream, what its receiver applied, and what
/// became of the packets. A run may have a million messages, and a person waits for it: nothing is allocated for one.
struct RunCollector {
  /// What is drawn.
  private(set) var run: NetworkRun
  /// When the run began, in the time that is drawn.
  private let start: Timestamp
  /// What was changed before it was sent, as it was.
  private let originals: Originals
  /// Which packets arrive more than once.
  private let copies: Copies
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

  init(_ streams: [JudgedStream], _ grid: TimeGrid, start: Timestamp, _ originals: Originals, _ copies: Copies) {
    let drawn = streams.compactMap { stream in
      DrawnStream.all(of: [stream.owner]).first { $0.rules == stream.rules && $0.kind == stream.kind }
        .map { (stream, $0) }
    }
    (judged, run) = (drawn.map(\.0), NetworkRun(drawn.map(\.1), grid))
    (self.start, self.originals, self.copies) = (start, originals, copies)
    var owners: [WireProtocol] = []
    for (stream, _) in drawn where !owners.contains(where: { $0 === stream.owner }) { owners.append(stream.owner) }
    spoken = owners.map { owner in
      Spoken(
        dialects: Carrier.allCases.compactMap { carrier in owner.dialect(over: carrier).map { (carrier, $0) } },
        tracks: drawn.enumerated().filter { $1.0.owner === owner }.map { ($1.1.kind, $0) })
    }
  }

  /// - Parameter time: since the run began.
  mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    let time = drawn(time)
    switch entry {
    case .sent(let bytes, let packet, _, let carrier):
      if let original = originals.take(packet) {
        messages(in: original.span.bytes, over: carrier) { $0.sent($1, at: time) }
      } else {
        messages(in: bytes, over: carrier) { $0.sent($1, at: time) }
      }
    case .delivered(let bytes, let packet, let end, let carrier, let sentAt):
      deliveredSentAt = drawn(sentAt)
      // Of a stream every byte arrives, in its order.
      guard carrier != .tcp else { return }
      run.delivered(packet, from: end, sentAt: drawn(sentAt), at: time, isAgain: copies.arrived(packet))
      messages(in: bytes, over: carrier) { $0.delivered($1, at: time) }
    case .event(let event): applied(event, at: time)
    case .opened, .closed, .disconnected, .replied, .asked, .output, .broke: return
    }
  }

  /// The run ended, and these were the lines of its plan.
  ///
  /// - Parameter time: in the time that is drawn.
  mutating func finish(at time: Timestamp, _ fates: PlannedFates) { run.finish(at: time, fates) }

  private func drawn(_ time: Timestamp) -> Timestamp { start.advanced(byNanoseconds: time.nanoseconds) }

  /// Hands over the values of each stream that a valid message carries.
  private mutating func messages(
    in bytes: RawSpan, over carrier: Carrier, _ body: (inout RunTrack, StreamValues) -> Void
  ) {
    for one in spoken {
      guard let dialect = one.dialect(over: carrier) else { continue }
      let (kind, error) = MessageDecoder.check(bytes, as: dialect)
      if error != nil { continue }
      for track in one.tracks where track.kind == kind {
        run.tracks[track.place].read(bytes, into: &numbers)
        run.change(track.place) { body(&$0, numbers) }
      }
    }
  }

  private mutating func applied(_ event: PeerEvent, at time: Timestamp) {
    for place in judged.indices where judged[place].isShown(by: event, into: &shown) {
      run.change(place) { $0.applied(shown.value.values, sentAt: deliveredSentAt, at: time) }
    }
  }
}
