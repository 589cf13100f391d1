import TelecapRecording
import TelecapWire

/// The faults of mutants of a declared protocol's peer.
enum DeclaredFault: String, CaseIterable, Sendable {
  // As a receiver.
  /// Applies values in order of arrival.
  case orderOfArrival = "order-of-arrival"
  /// Applies duplicates.
  case appliesDuplicates = "applies-duplicates"
  /// Drops duplicates, where they are to be applied.
  case dropsDuplicates = "drops-duplicates"
  /// Takes a number after the wraparound for stale.
  case wrapIsOld = "wrap-is-old"
  /// Takes a number after the wraparound for newer, where it is stale.
  case wrapIsNewer = "wrap-is-newer"
  /// Takes the number just past the window for stale too.
  case wideWindow = "wide-window"
  /// Takes the last number of the window for newer.
  case narrowWindow = "narrow-window"
  /// Takes every number past the window for stale, as RFC 1982 does.
  case ignoresWindow = "ignores-window"
  /// Compares the number of messages that declare it as unused.
  case countsUnused = "counts-unused"
  /// The first value wins.
  case firstValueWins = "first-value-wins"
  /// Applies NaN and infinity.
  case appliesNotFinite = "applies-not-finite"
  /// Applies values out of range without clamping.
  case noClamp = "no-clamp"
  /// Swaps two fields.
  case confusesValues = "confuses-values"
  /// Keeps its values after the stream has stopped.
  case staysOn = "stays-on"
  /// Does not check the header: accepts any bytes of a message's size.
  case headerUnchecked = "header-unchecked"
  /// Applies an increment as if it were the sum.
  case replacesSum = "replaces-sum"
  /// Clamps a sum only in its output, and adds to the unclamped sum.
  case clampsLate = "clamps-late"
  /// Drops stale messages, where each is to be counted.
  case dropsLate = "drops-late"
  /// Drops an event that equals the one before it.
  case dropsRepeated = "drops-repeated"
  /// Applies messages of senders without a session.
  case ignoresSessionState = "ignores-session-state"
  /// Reads each segment of a TCP stream as one message.
  case readsSegments = "reads-segments"
  /// Keeps the unread bytes of a TCP connection for the next one.
  case keepsRest = "keeps-rest"
  /// Reads a message from any byte of a TCP stream on.
  case ignoresHeads = "ignores-heads"
  /// Reads messages of SLIP without their escapes.
  case ignoresStuffing = "ignores-stuffing"
  /// Reads only the first message of a datagram.
  case readsFirst = "reads-first"
  /// Crashes on a message of less than four bytes.
  case crashesOnShort = "crashes-on-short"

  // As a sender.
  /// Sends messages with a wrong checksum.
  case wrongChecksum = "wrong-checksum"
  /// Sends each sequence number twice.
  case repeatsNumbers = "repeats-numbers"
  /// Stops sending soon after a session has begun.
  case silentAtRest = "silent-at-rest"
  /// Sends to clients whose session has timed out.
  case ignoresTimeout = "ignores-timeout"
  /// Sends to clients that have closed their session.
  case ignoresTeardown = "ignores-teardown"
  /// Keeps the sessions of clients whose connection has ended.
  case ignoresDisconnect = "ignores-disconnect"
  /// Sends twice as often as it may.
  case exceedsRate = "exceeds-rate"
  /// Does not answer the request that opens a session.
  case ignoresSessions = "ignores-sessions"
  /// Answers no other request.
  case ignoresRequests = "ignores-requests"
  /// Requests a session once and never again.
  case noKeepalive = "no-keepalive"
  /// Never opens a session.
  case opensNoSession = "opens-no-session"
  /// Changes its session id with each request.
  case changesID = "changes-id"
  /// Ends without closing its session.
  case noTeardown = "no-teardown"
  /// Accepts requests with any code.
  case ignoresCode = "ignores-code"
  /// Accepts more clients than may have a session.
  case acceptsEverybody = "accepts-everybody"
  /// Drops the requests that it rejects, where the declaration has a value that rejects.
  case dropsRejected = "drops-rejected"
  /// Rejects every request.
  case acceptsNobody = "accepts-nobody"
  /// Requests a session with a wrong code.
  case wrongCode = "wrong-code"
  /// Takes every answer for an acceptance.
  case ignoresRejection = "ignores-rejection"
  /// Sends its streams before an answer accepts.
  case sendsUnaccepted = "sends-unaccepted"

  /// The ids of all faults that a side of a protocol can have.
  static func possible(_ side: Side, of owner: WireProtocol) -> [String] {
    allCases.filter { fault in owner.testedCarriers.contains { fault.isPossible(side, of: owner, over: $0) } }.map(
      \.rawValue)
  }

  private var isReceiving: Bool {
    switch self {
    case .dropsDuplicates, .wrapIsNewer, .wideWindow, .narrowWindow, .ignoresWindow, .countsUnused, .orderOfArrival,
      .appliesDuplicates, .wrapIsOld, .firstValueWins, .appliesNotFinite, .noClamp, .confusesValues,
      .staysOn, .replacesSum, .ignoresSessionState, .clampsLate, .dropsLate, .dropsRepeated, .headerUnchecked,
      .readsSegments, .keepsRest, .ignoresHeads, .ignoresStuffing, .readsFirst,
      .crashesOnShort:
      true
    default: false
    }
  }

  /// Whether a side of a protocol can have this fault over a transport.
  func isPossible(_ side: Side, of owner: WireProtocol, over carrier: Carrier) -> Bool {
    isReceiving
      ? isPossible(JudgedStream.declared(by: owner, received: side, over: carrier), owner, over: carrier)
      : isPossible(sending: side, of: owner, over: carrier)
  }

  /// Whether a receiver of these streams can have this fault.
  private func isPossible(_ received: [JudgedStream], _ owner: WireProtocol, over carrier: Carrier) -> Bool {
    switch self {
    case .orderOfArrival, .wrapIsOld, .wrapIsNewer, .wideWindow, .narrowWindow, .ignoresWindow, .countsUnused,
      .dropsDuplicates:
      received.contains { $0.isNumbered && Optional(self).order(of: $0.numbers) != $0.numbers }
    case .appliesDuplicates: received.contains { $0.order != nil && !$0.numbers.rule.appliesDuplicates }
    case .replacesSum: received.contains(where: \.adds)
    case .clampsLate: received.contains { $0.adds && $0.rules.range != nil }
    case .dropsLate: received.contains(where: \.countsByNumber)
    case .dropsRepeated: received.contains { $0.rules.merge == .event && !$0.countsByNumber }
    // A value that may be clamped is not wrong when it is clamped.
    case .appliesNotFinite: received.contains { $0.mayHoldNoNumber && $0.rules.notFinite == .dropped }
    case .noClamp: received.contains { $0.rules.range != nil }
    case .confusesValues: received.contains { $0.values.count > 1 }
    case .staysOn: received.contains { $0.rules.silence != nil || $0.rules.isOffWithoutSession(of: owner) }
    case .ignoresSessionState: owner.asking != nil && received.contains(where: \.rules.inSession)
    case .headerUnchecked: !received.isEmpty && !owner.recognisedFields.isEmpty
    // Without decoding, no segment with a delimiter is a message, and no message of COBS.
    case .readsSegments: carrier == .tcp && owner.stuffing == nil && !received.isEmpty
    case .keepsRest: carrier == .tcp && owner.hasBadLengths && received.contains { $0.receiver == .host }
    case .ignoresHeads: carrier == .tcp && owner.hasHeads && !received.isEmpty
    case .ignoresStuffing: carrier == .tcp && owner.stuffing == .slip && !received.isEmpty
    case .readsFirst: carrier == .udp && owner.hasSeveralInDatagram && !received.isEmpty
    default: !received.isEmpty
    }
  }

  /// Whether a sender can have this fault over a transport.
  private func isPossible(sending side: Side, of owner: WireProtocol, over carrier: Carrier) -> Bool {
    let sending = DeclaredSending(owner: owner, side: side, carrier: carrier)
    let streams = sending.streams
    let (asking, isHost) = (owner.asking, side == .host)
    let timeout = owner.testedTimeout(over: carrier)
    if sending.rules.isEmpty { return false }
    let sendsInSessions = isHost && asking != nil && !streams.isEmpty
    switch self {
    case .wrongChecksum: return !owner.checkFields.isEmpty
    case .repeatsNumbers: return streams.contains { $0.order != nil }
    case .silentAtRest: return sendsInSessions && streams.contains { $0.rules.interval != nil }
    case .ignoresTimeout: return sendsInSessions && timeout != nil
    case .ignoresTeardown: return sendsInSessions && owner.session?.closing != nil
    case .ignoresDisconnect: return sendsInSessions && carrier.isConnected && asking?.accepts != nil
    case .exceedsRate: return streams.contains { $0.rules.rate != nil }
    // An answer that is a stream may be missing because there is nothing to send.
    case .ignoresSessions:
      return isHost && asking.map { !owner.isStream($0.answers) } == true
        && owner.answer(over: carrier) != nil
    case .ignoresRequests:
      return sending.rules.contains {
        if case .request(let request) = $0.drive { !owner.isStream(request.answers) } else { false }
      }
    // Without streams of the host, only the client keeps a session alive.
    case .noKeepalive:
      return !isHost && asking != nil && timeout != nil
        && !JudgedStream.declared(by: owner, received: .client, over: carrier).isEmpty
    case .opensNoSession: return !isHost && asking != nil
    case .changesID: return !isHost && asking?.id != nil && carrier == .udp
    case .noTeardown: return !isHost && asking != nil && owner.session?.closing != nil
    case .ignoresCode: return isHost && asking?.accepts != nil && asking?.code != nil
    case .acceptsEverybody: return isHost && asking?.accepts != nil && asking?.clients != nil
    case .acceptsNobody: return isHost && asking?.accepts != nil
    case .dropsRejected: return isHost && asking?.accepts != nil && (asking?.code != nil || asking?.clients != nil)
    case .wrongCode: return !isHost && asking?.code != nil
    case .ignoresRejection, .sendsUnaccepted:
      return !isHost && asking?.accepts != nil && streams.contains(where: \.rules.inSession)
    default: return false
    }
  }
}

extension DeclaredFault? {
  /// The order by which a receiver with this fault compares numbers.
  func order(of right: NumberOrder) -> NumberOrder {
    var rule = right.rule
    switch (self, rule.comparison) {
    case (.orderOfArrival, _): rule.comparison = .none
    case (.appliesDuplicates, _): rule.appliesDuplicates = true
    case (.dropsDuplicates, _): rule.appliesDuplicates = false
    case (.countsUnused, _): rule.unused = nil
    case (.wrapIsOld, .serial), (.wrapIsOld, .restarting): rule.comparison = .greater
    case (.wrapIsOld, .window(let size, _)): rule.comparison = .window(size: size, wraps: false)
    case (.wrapIsNewer, .greater): rule.comparison = .serial
    case (.wrapIsNewer, .window(let size, _)): rule.comparison = .window(size: size, wraps: true)
    case (.wideWindow, .window(let size, let wraps)): rule.comparison = .window(size: size + 1, wraps: wraps)
    case (.narrowWindow, .window(let size, let wraps)): rule.comparison = .window(size: size - 1, wraps: wraps)
    case (.ignoresWindow, .window): rule.comparison = .serial
    default: return right
    }
    return NumberOrder(rule, bits: right.bits)
  }
}

extension WireProtocol {
  /// Its messages over TCP have one size and begin with known bytes.
  fileprivate var hasHeads: Bool {
    if case .fixed? = dialect(over: .tcp)?.framing { true } else { false }
  }

  /// Frames over TCP can have a length that no message has.
  fileprivate var hasBadLengths: Bool {
    if case .length(let prefix)? = dialect(over: .tcp)?.framing { prefix.canBeWrong } else { false }
  }

  /// How its messages over TCP are encoded; nil where they are not.
  fileprivate var stuffing: ByteStuffing? {
    if case .stuffed(let stuffing)? = dialect(over: .tcp)?.framing { stuffing } else { nil }
  }

  /// A datagram may contain several messages.
  var hasSeveralInDatagram: Bool { dialect(over: .udp)?.hasSeveralInDatagram == true }

  /// Whether one of these messages carries a stream.
  func isStream(_ names: Set<String>) -> Bool { streams.contains { names.contains($0.message) } }
}

extension Part {
  /// Whether a model of a side of a declared protocol can have this fault over a transport.
  public func canFail(_ fault: String, over carrier: Carrier) -> Bool {
    guard let role, let fault = DeclaredFault(rawValue: fault) else { return false }
    return fault.isPossible(role.side, of: role.owner, over: carrier)
  }
}
