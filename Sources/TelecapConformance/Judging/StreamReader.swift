import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// How a system is judged by the streams that it receives and by what it sends: what it is held to, and what is measured of
/// it beside fidelity and age.
public struct StreamJudging: Sendable {
  /// The streams that it receives; none for a part that receives none.
  public let streams: [JudgedStream]
  /// The streams that it sends, as pictures show them.
  public let sends: [JudgedStream]
  /// What it is held to by what it sends, in every run.
  public let sending: [SenderRule]
  /// It is a host whose streams need sessions.
  private let needsSessions: Bool
  /// The same streams as a log tells what they begin with and where they end; nil where that is always the same.
  private let adapting: (@Sendable (RunLog) -> [JudgedStream])?
  /// Measures what only its protocol knows how to.
  let measure: @Sendable (RunLog, inout Measures) -> Void
  /// The protocol that the system speaks; nil where it speaks none.
  public let owner: WireProtocol?

  /// A receiver of these streams, and a sender of those. `owner` is that of the streams unless given.
  public init(
    _ streams: [JudgedStream] = [], sends: [JudgedStream] = [], sending: [SenderRule] = [],
    of owner: WireProtocol? = nil,
    adapting: (@Sendable (RunLog) -> [JudgedStream])? = nil,
    measure: @escaping @Sendable (RunLog, inout Measures) -> Void = { _, _ in }
  ) {
    self.streams = streams
    self.sends = sends
    self.sending = sending
    self.adapting = adapting
    self.measure = measure
    self.owner = owner ?? (streams.first ?? sends.first)?.owner
    needsSessions = streams.contains { $0.isOfClient }
  }

  /// What the log tells of sessions that a host has, by the place of an entry: those that it tells of itself, dated where
  /// they began on the wire, or where it does not tell those that the wire shows. A host whose streams need none has none.
  func sessions(_ log: RunLog) -> [Int: [PeerEvent]] {
    guard needsSessions, let owner else { return [:] }
    return DatedSessions.of(log, owner)
  }

  /// The streams that it receives, as they are judged in a run.
  public func streams(of log: RunLog) -> [JudgedStream] { adapting?(log) ?? streams }
}

/// Feeds the oracle of the streams with a log.
enum StreamReader {
  /// The oracle after all of the log, and the staleness up to the last thing that happened: the silence behind the last
  /// value is the scenario's end, not the network's doing.
  static func read(_ whole: RunLog, _ judging: StreamJudging) -> (oracle: Oracle, staleness: Staleness) {
    let frames = judging.owner?.dialect(over: .tcp)
    let log = frames.map { $0.framing == .none ? whole : whole.cutBehindMessages(of: $0) } ?? whole
    let streams = judging.streams(of: log).map { $0.printed(in: log) }
    var oracle = Oracle(streams, settle: log.settle, lateness: log.lateness)
    let sessions = judging.sessions(log)
    var turns = SessionTurns(whole, streams)
    var sending: [PeerName: MessageFramer] = [:]
    // The packets that were counted as sent: of those that were meant to be wrong none is lost or invalid.
    var counted: Set<Int> = []
    for (index, entry) in log.entries.enumerated() {
      turns.pass(to: entry.time, &oracle)
      switch entry.what {
      case .sent(let bytes, let packet, let peer, .tcp):
        guard let frames else { break }
        let before = oracle.fidelity.sent
        sending[peer, default: MessageFramer(frames)].receive(bytes.span.bytes) { event, frame in
          if event == .message { oracle.sent(frame, over: .tcp, at: entry.time) }
        }
        if oracle.fidelity.sent > before { counted.insert(packet) }
      case .sent(let bytes, let packet, _, let carrier):
        let before = oracle.fidelity.sent
        oracle.sent(bytes.span.bytes, over: carrier, at: entry.time)
        if oracle.fidelity.sent > before { counted.insert(packet) }
      case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
        oracle.delivered(
          bytes.span.bytes, over: carrier, from: endpoint(peer, log, entry.time), at: entry.time, sentAt: sentAt,
          packet: packet, wasOfStream: counted.contains(packet))
      case .opened(let peer):
        sending[peer] = nil
        oracle.opened(endpoint(peer, log, entry.time))
      case .closed(let peer), .disconnected(let peer): oracle.closed(endpoint(peer, log, entry.time), at: entry.time)
      case .event(.sessionOpened): break
      case .event(let event): oracle.observed(event, at: entry.time)
      case .replied, .asked, .output, .broke: break
      }
      for event in sessions[index] ?? [] { oracle.observed(event, at: entry.time) }
    }
    oracle.noteWhetherUseIsTold(shows: log.shows)
    let staleness = oracle.staleness
    oracle.finish(at: log.end, isCut: log.ended != nil)
    return (oracle, staleness)
  }

  private static func endpoint(_ peer: PeerName, _ log: RunLog, _ time: Timestamp) -> Endpoint {
    log.peers.endpoint(of: peer, at: time) ?? VirtualAddresses.endpoint(of: peer)
  }
}

extension RunLog {
  /// The same log with every piece of a stream cut behind the messages that end in it: a session that one of them opens has
  /// begun when the next one comes.
  fileprivate func cutBehindMessages(of dialect: Dialect) -> RunLog {
    var framers: [PeerName: MessageFramer] = [:]
    var cut = self
    cut.entries = entries.flatMap { entry -> [Entry] in
      switch entry.what {
      case .opened(let peer), .closed(let peer), .disconnected(let peer): framers[peer] = nil
      case .delivered(let bytes, let packet, let peer, .tcp, let sentAt):
        return framers[peer, default: MessageFramer(dialect)].cut(bytes).map {
          Entry(entry.time, .delivered(Array($0), packet: packet, from: peer, over: .tcp, sentAt: sentAt))
        }
      default: break
      }
      return [entry]
    }
    return cut
  }
}

extension MessageFramer {
  /// A piece of a stream in parts, each but the last of which ends with a message.
  fileprivate mutating func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (parts, start): ([ArraySlice<UInt8>], Int) = ([], 0)
    for place in bytes.indices {
      var isWhole = false
      receive(bytes.span.bytes.extracting(place..<place + 1)) { event, _ in if event == .message { isWhole = true } }
      guard isWhole else { continue }
      parts.append(bytes[start...place])
      start = place + 1
    }
    return start < bytes.count || bytes.isEmpty ? parts + [bytes[start...]] : parts
  }
}

extension JudgedRun {
  /// What the oracle says of one requirement, by its id.
  func stream(_ requirement: String) -> Outcome {
    guard let check = oracle?.checks[requirement] else {
      return .missing("it receives no such stream that could be judged")
    }
    switch check.verdict {
    case .fail:
      guard let first = check.first else { return .held }
      let times = check.breaches > 1 ? " (\(check.breaches) times)" : ""
      return .broken(
        Breach(time: first.time, packet: first.packet, expected: first.expected, observed: first.observed + times))
    case .pass:
      if let unread = unread(requirement) { return .missing(unread) }
      return isBlurred(requirement) ? .missing(blurred) : .held
    default:
      let reason = leftByItself?.reason ?? "the run did not try it, or the system did not show it"
      return .missing(unread(requirement) ?? reason)
    }
  }

  /// That the rules of a system file do not read the values that a requirement is about: what they leave out is taken to be right
  /// elsewhere, and says nothing here.
  private func unread(_ requirement: String) -> String? {
    guard let mapping = log.mapping else { return nil }
    for stream in scenario.judging.streams {
      let isOfValues = stream.requirements.contains { $0.aspect == .values && $0.requirement.id == requirement }
      if isOfValues { return mapping.lack(of: stream.valuesToShow, stream) }
    }
    return nil
  }

  /// No requirement on the streams of this receiver is broken, and one was tried.
  func everyStream() -> Outcome {
    let outcomes = (oracle?.results ?? []).map { stream($0.requirement.id) }
    let breaches = outcomes.flatMap(\.breaches)
    if breaches.isEmpty, outcomes.allSatisfy({ $0.missing != nil }) { return .missing("the system showed nothing") }
    if breaches.isEmpty, isBlurred { return .missing(blurred) }
    return Outcome(breaches: breaches)
  }

  /// Something of a stream was not judged that should have been, for the machine was late.
  var isBlurred: Bool { (oracle?.results ?? []).contains { isBlurred($0.requirement.id) } }

  /// What of this requirement held may have been broken unseen. Over a network, and of traffic that others made, nothing says how
  /// far messages were to be apart.
  private func isBlurred(_ requirement: String) -> Bool {
    scenario.timeUse == .acts && scenario.combinations == [.none] && oracle?.isBlurred(requirement) == true
  }

  private var blurred: String {
    "this machine was \(log.lateness / 1_000_000) ms late: what came one after the other could not be told apart"
  }
}
