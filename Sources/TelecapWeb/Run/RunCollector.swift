import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapWire

/// Collects the data of a picture from the log of a run: the sent and delivered messages of each stream, the values
/// that its receiver applied, and the fates of the packets. A run may have a million messages and a user waits for it,
/// so nothing is allocated per message.
struct RunCollector {
  /// The collected data.
  private(set) var run: NetworkRun
  /// The start of the run, in drawn time.
  private let start: Timestamp
  /// The originals of changed messages.
  private let originals: Originals
  /// The packets with several copies.
  private let copies: Copies
  private let judged: [JudgedStream]
  private let spoken: [Spoken]
  /// The time at which the last delivered packet was sent; a value that the receiver applies now is from it.
  private var deliveredSentAt: Timestamp?
  private var numbers = StreamValues()
  private var shown = JudgedStream.Shown()

  /// A protocol over each transport, with its streams.
  private struct Spoken {
    let dialects: [(carrier: Carrier, dialect: Dialect)]
    /// The messages with a stream, and the index of its track.
    let tracks: [(kind: MessageKind, place: Int)]

    /// The protocol version over a transport; nil if the protocol does not have it.
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

  /// - Parameter time: the time since the start of the run.
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
      // All bytes of a stream arrive, in order.
      guard carrier != .tcp else { return }
      run.delivered(packet, from: end, sentAt: drawn(sentAt), at: time, isAgain: copies.arrived(packet))
      messages(in: bytes, over: carrier) { $0.delivered($1, at: time) }
    case .event(let event): applied(event, at: time)
    case .opened, .closed, .disconnected, .replied, .asked, .output, .broke: return
    }
  }

  /// Ends the run with the lines of its plan.
  ///
  /// - Parameter time: the end, in drawn time.
  mutating func finish(at time: Timestamp, _ fates: PlannedFates) { run.finish(at: time, fates) }

  private func drawn(_ time: Timestamp) -> Timestamp { start.advanced(byNanoseconds: time.nanoseconds) }

  /// Passes the values of each stream in a valid message to `body`.
  private mutating func messages(
    in bytes: RawSpan, over carrier: Carrier, _ body: (inout RunTrack, StreamValues) -> Void
  ) {
    for one in spoken {
      guard let dialect = one.dialect(over: carrier) else { continue }
      dialect.eachMessage(of: bytes) { message in
        let (kind, error) = MessageDecoder.check(message, as: dialect)
        if error != nil { return }
        for track in one.tracks where track.kind == kind {
          run.tracks[track.place].read(message, into: &numbers)
          run.change(track.place) { body(&$0, numbers) }
        }
      }
    }
  }

  private mutating func applied(_ event: PeerEvent, at time: Timestamp) {
    for place in judged.indices where judged[place].isShown(by: event, into: &shown) {
      run.change(place) { $0.applied(shown.value.values, sentAt: deliveredSentAt, at: time) }
    }
  }
}
