import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct peer of a declared protocol, made from the declaration: it reads messages by their tables, applies the streams that it
/// receives, holds sessions, answers requests and sends its own streams. With a fault, wrong in just one way.
struct DeclaredPeer: DrivenPeer {
  private let owner: WireProtocol
  private let fault: DeclaredFault?
  /// The request that opens a session; nil where none does.
  private let request: MessageKind?
  private var receiver: DeclaredReceiver
  private var sender: DeclaredSender
  private var framers: [Endpoint: MessageFramer] = [:]
  private(set) var broke: String?
  /// The ids of the sessions that were told of, by the other side's address.
  private var sessions: [Endpoint: UInt64] = [:]

  init(
    _ owner: WireProtocol, _ side: Side, over carrier: Carrier, to host: Endpoint = VirtualAddresses.host,
    code: String = Setup.defaultCode, _ fault: DeclaredFault?
  ) {
    self.owner = owner
    self.fault = fault
    request = owner.asking.flatMap { owner.kind(named: $0.message, over: carrier) }
    receiver = DeclaredReceiver(owner, side, fault)
    sender = DeclaredSender(owner, side, over: carrier, to: host, code: code, fault)
  }

  var nextWake: Timestamp? {
    guard let receiving = receiver.nextWake else { return sender.nextWake }
    return min(receiving, sender.nextWake ?? receiving)
  }

  mutating func start(at time: Timestamp, _ perform: Perform) { sender.start(at: time, perform) }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    sender.stop(at: time, perform)
    tellSessions(.stopped, at: time, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    receiver.advance(to: time, perform)
    sender.advance(to: time, perform)
    tellSessions(.timeout, at: time, perform)
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framers[endpoint] = nil
    sender.opened(carrier, endpoint, at: time, perform)
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framers[endpoint] = nil
    sender.closed(endpoint)
    tellSessions(.disconnected, at: time, perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let dialect = owner.dialect(over: carrier) else { return }
    guard carrier == .tcp else { return message(bytes, as: dialect, carrier, from: endpoint, at: time, perform) }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message { message(frame, as: dialect, carrier, from: endpoint, at: time, perform) }
    }
    framers[endpoint] = framer
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
    // The wrong host takes any bytes of a request's size for one.
    let isMisread = fault == .headerUnchecked && request.map { $0.layout.isSize(of: bytes) } == true
    if let taken = error == nil ? kind : isMisread ? request : nil {
      sender.receive(taken, bytes, over: carrier, from: endpoint, at: time, perform)
      tellSessions(.bye, at: time, perform)
    }
    receiver.receive(
      bytes, error == nil ? kind : nil, isInSession: sessions[endpoint] != nil || fault == .ignoresSessionState,
      at: time,
      perform)
  }

  /// Tells of the sessions that began and ended since the last call. A new one begins the streams afresh that belong to sessions.
  private mutating func tellSessions(_ reason: PeerEvent.CloseReason, at time: Timestamp, _ perform: Perform) {
    guard owner.asking != nil else { return }
    let now = sender.sessions
    guard now != sessions else { return }
    for (end, id) in sessions where now[end] != id {
      perform(
        .event(.sessionClosed(end, sessionID: UInt32(truncatingIfNeeded: id), now[end] == nil ? reason : .replaced)),
        RawSpan())
    }
    let ended = !sessions.keys.allSatisfy { now[$0] != nil }
    let begun = now.filter { sessions[$0.key] != $0.value }
    sessions = now
    if ended || !begun.isEmpty { receiver.endSession(isOver: begun.isEmpty, at: time, perform) }
    for (end, id) in begun {
      perform(.event(.sessionOpened(end, sessionID: UInt32(truncatingIfNeeded: id))), RawSpan())
    }
  }
}
