import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct peer of a declared protocol: it decodes messages by their tables, applies the streams that it receives,
/// keeps sessions, answers requests and sends its own streams. With a fault it is a mutant.
struct DeclaredPeer: DrivenPeer {
  private let owner: WireProtocol
  private let fault: DeclaredFault?
  /// The request that opens a session; nil for a protocol without one.
  private let request: MessageKind?
  private var receiver: DeclaredReceiver
  private var sender: DeclaredSender
  private var framers: [Endpoint: MessageFramer] = [:]
  private(set) var broke: String?
  /// The reported sessions.
  private var sessions: [DeclaredSender.Session] = []

  init(
    _ owner: WireProtocol, _ side: Side, over carrier: Carrier, to host: Endpoint = VirtualAddresses.host,
    code: String = Setup.defaultCode, _ fault: DeclaredFault?
  ) {
    self.owner = owner
    self.fault = fault
    request = owner.asking.flatMap { owner.kind(named: $0.message, over: carrier) }
    receiver = DeclaredReceiver(owner, side, over: carrier, fault)
    sender = DeclaredSender(owner, side, over: carrier, to: host, code: code, fault)
  }

  var nextWake: Timestamp? {
    guard let receiving = receiver.nextWake else { return sender.nextWake }
    return min(receiving, sender.nextWake ?? receiving)
  }

  mutating func start(at time: Timestamp, _ perform: Perform) { sender.start(at: time, perform) }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    sender.stop(at: time, perform)
    reportSessions(.stopped, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    receiver.advance(to: time, perform)
    sender.advance(to: time, perform)
    reportSessions(.timeout, perform)
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if fault != .keepsRest { framers[endpoint] = nil }
    sender.opened(carrier, endpoint, at: time, perform)
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if fault != .keepsRest { framers[endpoint] = nil }
    sender.closed(endpoint)
    reportSessions(.disconnected, perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    guard carrier == .tcp else {
      var isFirst = true
      return dialect.eachMessage(of: bytes) { part in
        if isFirst || fault != .readsFirst { message(part, as: dialect, carrier, from: endpoint, at: time, perform) }
        isFirst = false
      }
    }
    if fault == .readsSegments {
      let length = if case .length(let prefix) = dialect.framing { prefix.size } else { 0 }
      let frame = bytes.extracting(min(length, bytes.byteCount)..<bytes.byteCount)
      return message(frame, as: dialect, carrier, from: endpoint, at: time, perform)
    }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(framing(of: dialect))
    framer.receive(bytes) { event, frame in
      guard event == .message else { return }
      if fault == .ignoresStuffing, case .stuffed(let stuffing) = dialect.framing {
        let encoded = stuffing.encoded(frame.withUnsafeBytes { Array($0) })
        return message(encoded.span.bytes, as: dialect, carrier, from: endpoint, at: time, perform)
      }
      message(frame, as: dialect, carrier, from: endpoint, at: time, perform)
    }
    framers[endpoint] = framer
  }

  /// The framing of a byte stream, after this fault.
  private func framing(of dialect: Dialect) -> Framing {
    guard fault == .ignoresHeads, case .fixed(let size, _) = dialect.framing else { return dialect.framing }
    return .fixed(size: size, heads: Array(.min ... .max))
  }

  private mutating func message(
    _ bytes: RawSpan, as dialect: Dialect, _ carrier: Carrier, from endpoint: Endpoint, at time: Timestamp,
    _ perform: Perform
  ) {
    if fault == .crashesOnShort, bytes.byteCount < 4 {
      broke = "crashed: index out of range"
      return
    }
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    // The mutant reads any bytes of a request's size as one.
    let isMisread = fault == .headerUnchecked && request.map { $0.layout.isSize(of: bytes) } == true
    if let taken = error == nil ? kind : isMisread ? request : nil {
      sender.receive(taken, bytes, over: carrier, from: endpoint, at: time, perform)
      reportSessions(.teardown, perform)
    }
    let isInSession = sessions.contains { $0.peer == endpoint } || fault == .ignoresSessionState
    receiver.receive(bytes, error == nil ? kind : nil, isInSession: isInSession, at: time, perform)
  }

  /// Reports the sessions that began and ended since the last call. A new one restarts the streams of sessions.
  private mutating func reportSessions(_ reason: PeerEvent.CloseReason, _ perform: Perform) {
    guard owner.asking != nil, !sender.hasOnly(sessions) else { return }
    let (before, now) = (sessions, sender.sessions)
    sessions = now
    let begun = now.filter { !before.contains($0) }
    for session in before where !now.contains(session) {
      let isReplaced = now.contains { $0.peer == session.peer }
      perform(
        .event(.sessionClosed(session.peer, sessionID: session.shownID, isReplaced ? .replaced : reason)), RawSpan())
    }
    receiver.endSession(isOver: begun.isEmpty, perform)
    for session in begun { perform(.event(.sessionOpened(session.peer, sessionID: session.shownID)), RawSpan()) }
  }
}

extension DeclaredSender.Session {
  /// Its id in events.
  fileprivate var shownID: UInt32 { UInt32(truncatingIfNeeded: id) }
}
