import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// How a system is tested by the streams that it receives and the messages that it sends, and how it is measured in
/// addition to fidelity and age.
public struct StreamJudging: Sendable {
  /// The streams that it receives; empty for a part that receives none.
  public let streams: [JudgedStream]
  /// The streams that it sends, for timelines.
  public let sends: [JudgedStream]
  /// The rules on what it sends, checked in every run.
  public let sending: [SenderRule]
  /// Whether it is a host whose streams need sessions.
  private let needsSessions: Bool
  /// The streams with the initial values and limits that a log shows; nil where these are always the same.
  private let adapting: (@Sendable (DecodedLog) -> [JudgedStream])?
  /// Measures of its protocol.
  let measure: @Sendable (DecodedLog, inout Measures) -> Void
  /// The protocol of the system; nil without one.
  public let owner: WireProtocol?

  /// A receiver of these streams and a sender of those. `owner` is that of the streams unless given.
  public init(
    _ streams: [JudgedStream] = [], sends: [JudgedStream] = [], sending: [SenderRule] = [],
    of owner: WireProtocol? = nil,
    adapting: (@Sendable (DecodedLog) -> [JudgedStream])? = nil,
    measure: @escaping @Sendable (DecodedLog, inout Measures) -> Void = { _, _ in }
  ) {
    self.streams = streams
    self.sends = sends
    self.sending = sending
    self.adapting = adapting
    self.measure = measure
    self.owner = owner ?? (streams.first ?? sends.first)?.owner
    needsSessions = streams.contains { $0.isOfClient }
  }

  /// The sessions of a host: those that it reports, or those that its traffic shows if it reports none. Empty for a
  /// host whose streams need none.
  func sessions(_ decoded: DecodedLog) -> [DatedSessions.Place: [PeerEvent]] {
    guard needsSessions else { return [:] }
    return DatedSessions(decoded, fromWire: !decoded.log.shows.contains(.sessions)).byPlace
  }

  /// The streams that it receives, as they are checked in a run.
  public func streams(of log: RunLog) -> [JudgedStream] { adapting.map { $0(DecodedLog(log, owner)) } ?? streams }

  /// The streams that it receives, for a decoded log.
  func streams(of decoded: DecodedLog) -> [JudgedStream] { adapting?(decoded) ?? streams }
}

extension StreamJudging {
  /// The oracle after the whole log, and the staleness up to the last event: a scenario, not the network, causes the
  /// silence after the last value.
  func read(_ decoded: DecodedLog) -> (oracle: Oracle, staleness: Staleness) {
    let log = decoded.log
    let streams = streams(of: decoded).map { $0.printed(in: log) }
    var oracle = Oracle(streams, settle: log.settle, lateness: log.lateness)
    let sessions = sessions(decoded)
    var turns = SessionTurns(decoded, streams)
    var (sent, delivered) = (decoded.sent[...], decoded.delivered[...])
    // The packets that were counted as sent. A deliberately wrong packet is neither lost nor invalid.
    var counted: Set<Int> = []
    for (index, entry) in log.entries.enumerated() {
      turns.pass(to: entry.time, &oracle)
      func observe(_ place: DatedSessions.Place) {
        for event in sessions[place] ?? [] { oracle.observed(event, at: entry.time) }
      }
      switch entry.what {
      case .sent(_, let packet, _, _):
        let before = oracle.fidelity.sent
        for message in sent.take(of: index) { oracle.sent(message.kind, at: entry.time) }
        if oracle.fidelity.sent > before { counted.insert(packet) }
      case .delivered(_, let packet, let peer, _, let sentAt):
        oracle.delivers(sentAt: sentAt, wasOfStream: counted.contains(packet))
        let end = log.endpoint(of: peer, at: entry.time)
        // A message may open a session for the next message of the same TCP segment.
        for (number, message) in delivered.take(of: index).enumerated() {
          if message.isFramed { oracle.delivered(message, from: end, packet: packet) }
          observe(DatedSessions.Place(entry: index, message: number))
        }
        continue
      case .opened(let peer): oracle.opened(log.endpoint(of: peer, at: entry.time))
      case .closed(let peer), .disconnected(let peer):
        oracle.closed(log.endpoint(of: peer, at: entry.time), at: entry.time)
      case .event(.sessionOpened), .event(.sessionClosed): break
      case .event(let event): oracle.observed(event, at: entry.time)
      case .replied, .asked, .output, .broke: break
      }
      observe(DatedSessions.Place(entry: index))
    }
    oracle.noteWhetherUseIsTold(shows: log.shows)
    let staleness = oracle.staleness
    oracle.finish(at: log.end, isCut: log.ended != nil)
    return (oracle, staleness)
  }
}

extension RunLog {
  fileprivate func endpoint(of peer: PeerName, at time: Timestamp) -> Endpoint {
    peers.endpoint(of: peer, at: time) ?? VirtualAddresses.endpoint(of: peer)
  }
}

extension JudgedRun {
  /// The outcome of one requirement, by its id.
  func stream(_ requirement: String) -> Outcome {
    guard let check = oracle?.checks[requirement] else {
      return .missing("it receives no such stream")
    }
    switch check.verdict {
    case .fail:
      guard let first = check.first else { return .held }
      let times = check.breaches > 1 ? " (\(check.breaches) times)" : ""
      return .broken(
        Failure(time: first.time, packet: first.packet, expected: first.expected, observed: first.observed + times))
    case .pass:
      if let unread = unread(requirement) { return .missing(unread) }
      return isTimingAmbiguous(requirement) ? .missing(blurred) : .held
    default:
      let reason = leftByItself?.reason ?? "the run did not try it, or the system did not show it"
      return .missing(unread(requirement) ?? reason)
    }
  }

  /// The reason why a requirement on values is not observable: the rules of the system file do not read all of its
  /// values. Elsewhere, values that are not read are assumed to be right.
  private func unread(_ requirement: String) -> String? {
    guard let mapping = log.mapping else { return nil }
    for stream in scenario.judging.streams {
      let isOfValues = stream.requirements.contains { $0.aspect == .values && $0.requirement.id == requirement }
      if isOfValues { return mapping.lack(of: stream.valuesToShow, stream) }
    }
    return nil
  }

  /// The outcome of all stream requirements: none is broken, and at least one was exercised.
  func everyStream() -> Outcome {
    let outcomes = (oracle?.results ?? []).map { stream($0.requirement.id) }
    let breaches = outcomes.flatMap(\.breaches)
    if breaches.isEmpty, outcomes.allSatisfy({ $0.missing != nil }) { return .missing("the system showed nothing") }
    if breaches.isEmpty, isTimingAmbiguous { return .missing(blurred) }
    return Outcome(breaches: breaches)
  }

  /// Whether a check was skipped because the machine was late.
  var isTimingAmbiguous: Bool { (oracle?.results ?? []).contains { isTimingAmbiguous($0.requirement.id) } }

  /// Whether a failure of this requirement may be missed because the machine was late. With impairments or in foreign
  /// traffic, the distance between messages is not specified.
  private func isTimingAmbiguous(_ requirement: String) -> Bool {
    scenario.timeUse == .acts && scenario.combinations == [.none] && oracle?.isTimingAmbiguous(requirement) == true
  }

  private var blurred: String {
    "this machine was \(log.lateness / 1_000_000) ms late: what came one after the other could not be told apart"
  }
}
