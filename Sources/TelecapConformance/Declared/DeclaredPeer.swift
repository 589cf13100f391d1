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
  /// The sessions that streams belong to.
  private var sessions: [DeclaredSender.Session] = []
  private let followsSessions: Bool
  private(set) var broke: String?

  init(
    _ owner: WireProtocol, _ side: Side, over carrier: Carrier, to host: Endpoint = VirtualAddresses.host,
    _ fault: DeclaredFault?
  ) {
    (self.owner, self.fault) = (owner, fault)
    followsSessions = owner.streams.contains(where: \.inSession)
    request = owner.asking.flatMap { owner.kind(named: $0.message, over: carrier) }
    receiver = DeclaredReceiver(owner, side, fault)
    sender = DeclaredSender(owner, side, over: carrier, to: host, fault)
  }

  var nextWake: Timestamp? {
    guard let receiving = receiver.nextWake else { return sender.nextWake }
    return min(receiving, sender.nextWake ?? receiving)
  }

  mutating func start(at time: Timestamp, _ perform: Perform) { sender.start(at: time, perform) }
  mutating func stop(at time: Timestamp, _ perform: Perform) { sender.stop(at: time, perform) }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    receiver.advance(to: time, perform)
    sender.advance(to: time, perform)
    followSessions(perform)
  }

  /// Begins and ends the streams that belong to sessions.
  private mutating func followSessions(_ perform: Perform) {
    guard followsSessions, sessions != sender.sessions else { return }
    let former = sessions
    sessions = sender.sessions
    if !Set(former).isSubset(of: sessions) { receiver.endSession(perform) }
    if !Set(sessions).isSubset(of: former) { receiver.beginSession() }
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framers[endpoint] = nil
    sender.opened(carrier, endpoint, at: time, perform)
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framers[endpoint] = nil
    sender.closed(endpoint)
    followSessions(perform)
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
    if followsSessions { advance(to: time, perform) }
    let inSession = sessions.contains { $0.peer == endpoint }
    receiver.receive(bytes, error == nil ? kind : nil, inSession: inSession, at: time, perform)
    // The wrong host takes any bytes of a request's size for one.
    let isMisread = fault == .headerUnchecked && request.map { $0.layout.isSize(of: bytes) } == true
    guard let taken = error == nil ? kind : isMisread ? request : nil else { return }
    sender.receive(taken, bytes, over: carrier, from: endpoint, at: time, perform)
    followSessions(perform)
  }
}
