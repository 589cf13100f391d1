import TelecapModels
import TelecapRecording
import TelecapWire

/// A log with its decoded messages, each of which is decoded once for all readers of the run.
public struct DecodedLog: Sendable {
  /// The log.
  public private(set) var log: RunLog
  /// The protocol of the messages; nil for a system without one.
  let owner: WireProtocol?
  /// Every message that was sent to the system, delivered or not.
  private(set) var sent: [LoggedMessage] = []
  /// Every message that was delivered to the system.
  public private(set) var delivered: [LoggedMessage] = []
  /// Every message that the system sent.
  public private(set) var replies: [LoggedMessage] = []

  /// Each time that the system, a client, left its session by itself.
  private(set) var leaves: [OwnLeave] = []

  /// Decodes the messages of a log, in order of time.
  public init(_ log: RunLog, _ owner: WireProtocol?) {
    (self.log, self.owner) = (log, owner)
    guard let owner else { return }
    var (sent, delivered, replies) = (MessageList(owner), MessageList(owner), MessageList(owner))
    for (index, entry) in log.entries.enumerated() {
      switch entry.what {
      case .sent(let bytes, _, let peer, let carrier): sent.add(bytes, peer, carrier, index, entry.time)
      case .delivered(let bytes, _, let peer, let carrier, _): delivered.add(bytes, peer, carrier, index, entry.time)
      case .replied(let bytes, let peer, let carrier?): replies.add(bytes, peer, carrier, index, entry.time)
      case .opened(let peer):
        sent.restart(peer)
        delivered.restart(peer)
        replies.restart(peer)
      case .closed(let peer), .disconnected(let peer):
        delivered.restart(peer)
        replies.restart(peer)
      case .replied, .asked, .event, .output, .broke: break
      }
    }
    (self.sent, self.delivered, self.replies) = (sent.messages, delivered.messages, replies.messages)
    leaves = ownLeaves(owner)
  }

  /// The log of a system that does not show these observables. Its messages are not decoded again.
  func without(_ hidden: Set<Observable>) -> DecodedLog {
    var other = self
    other.log.shows.subtract(hidden)
    other.log.entries = []
    var places: [Int] = []
    for entry in log.entries {
      places.append(other.log.entries.count)
      if case .event(let event) = entry.what, let shown = event.aspect, hidden.contains(shown) { continue }
      other.log.entries.append(entry)
    }
    for index in sent.indices { other.sent[index].entry = places[sent[index].entry] }
    for index in delivered.indices { other.delivered[index].entry = places[delivered[index].entry] }
    for index in replies.indices { other.replies[index].entry = places[replies[index].entry] }
    return other
  }
}

extension ArraySlice<LoggedMessage> {
  /// Removes and returns the messages of an entry, and removes those before it. Call it in the order of the entries.
  public mutating func take(of entry: Int) -> ArraySlice<LoggedMessage> {
    self = drop { $0.entry < entry }
    let found = prefix { $0.entry == entry }
    self = dropFirst(found.count)
    return found
  }
}

/// The messages of one direction.
private struct MessageList {
  private let owner: WireProtocol
  private var framers: [PeerName: MessageFramer] = [:]
  private(set) var messages: [LoggedMessage] = []

  init(_ owner: WireProtocol) { self.owner = owner }

  /// Handles the start or end of a peer's connection, and so of its byte stream.
  mutating func restart(_ peer: PeerName) { framers[peer] = nil }

  mutating func add(_ bytes: [UInt8], _ peer: PeerName, _ carrier: Carrier, _ entry: Int, _ time: Timestamp) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    func message(_ kind: MessageKind, _ findings: [Finding], _ bytes: [UInt8], isFramed: Bool) {
      messages.append(
        LoggedMessage(
          time: time, peer: peer, carrier: carrier, kind: kind, findings: findings, bytes: bytes, entry: entry,
          isFramed: isFramed))
    }
    var findings: [Finding] = []
    guard carrier == .tcp else {
      let isBesideInvalid = dialect.hasInvalidMessage(besideOthers: bytes.span.bytes)
      return dialect.eachMessage(of: bytes.span.bytes) { part in
        findings.removeAll()
        let kind = MessageDecoder.decode(part, as: dialect, findings: &findings)
        if isBesideInvalid { findings.append(owner.rules.besideInvalid(part, of: bytes.count)) }
        message(
          kind, findings, part.byteCount == bytes.count ? bytes : part.withUnsafeBytes { Array($0) }, isFramed: true)
      }
    }
    var framer = framers.removeValue(forKey: peer) ?? MessageFramer(dialect)
    framer.receive(bytes.span.bytes) { event, frame in
      let copy = frame.withUnsafeBytes { Array($0) }
      if let finding = event.finding(owner.rules) { return message(owner.malformed, [finding], copy, isFramed: false) }
      findings.removeAll()
      let kind = MessageDecoder.decode(frame, as: dialect, findings: &findings)
      message(kind, findings, copy, isFramed: true)
    }
    framers[peer] = framer
  }
}
