import TelecapModels
import TelecapRecording
import TelecapWire

/// A host of TELE tcp-v1: the connection is the session (tele.md, Session rules, tcp-v1).
public struct HostStreamModel: Peer {
  /// The timeout for the HELLO of a new connection, in ns.
  public static let helloTimeout: Nanoseconds = 5_000_000_000

  private let code: String?
  private let config: Message
  private let helloTimeout: Nanoseconds
  private var inbox = Inbox(.teleTCP)
  private var connections: [Endpoint: Connection] = [:]
  private var active: Endpoint?
  private var robot = Robot()
  private var pump: HapticPump

  private struct Connection: Sendable {
    var framer = MessageFramer(.teleTCP)
    /// Nil before the HELLO was accepted.
    var sessionID: UInt32?
    let deadline: Timestamp
  }

  /// A host without a session, which sends `config`, a JSON object, after its ACK.
  /// - Throws: `WireError` if CONFIG cannot contain it.
  public init(_ settings: HostModel.Settings = HostModel.Settings(), config: String = "{}") throws(WireError) {
    code = settings.code
    self.config = try Message.config(config)
    helloTimeout = settings.helloTimeout
    pump = HapticPump(settings.waveform, rate: settings.hapticRate)
  }

  public var nextWake: Timestamp? {
    let waiting = connections.values.lazy.filter { $0.sessionID == nil }.map(\.deadline).min()
    guard let waiting else { return pump.next }
    return min(waiting, pump.next ?? waiting)
  }

  public mutating func start(at time: Timestamp, _ perform: Perform) {}

  public mutating func opened(_ carrier: Carrier, _ client: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard carrier == .tcp else { return }
    connections[client] = Connection(deadline: time.advanced(byNanoseconds: helloTimeout))
  }

  public mutating func closed(_ client: Endpoint, at time: Timestamp, _ perform: Perform) {
    end(client, .disconnected, perform)
  }

  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    let late = connections.filter { $0.value.sessionID == nil && time >= $0.value.deadline }.keys
    for client in late { drop(client, .timeout, perform) }
    if let active, let (intensity, message) = pump.take(at: time) {
      send(message, to: active, perform)
      PeerAction.tell(.sent(AppliedValue(strength: intensity)), perform)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from client: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard var framer = connections[client]?.framer else { return }
    framer.receive(bytes) { event, frame in
      switch event {
      case .message where connections[client] != nil: message(frame, from: client, at: time, perform)
      case .badLength:
        PeerAction.tell(.invalid(client, .frameLength), perform)
        drop(client, .disconnected, perform)
      default: return
      }
    }
    connections[client]?.framer = framer
  }

  /// Stops the host: turns the phone's motor off and sends BYE (tele.md, Messages: BYE).
  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if let active, let message = pump.off() {
      send(message, to: active, perform)
      PeerAction.tell(.sent(AppliedValue(strength: 0)), perform)
    }
    for (client, connection) in connections {
      if let id = connection.sessionID { send(Message.bye(sessionID: id), to: client, perform) }
      drop(client, .stopped, perform)
    }
  }

  // MARK: - Rules

  private mutating func message(_ bytes: RawSpan, from client: Endpoint, at time: Timestamp, _ perform: Perform) {
    switch inbox.read(bytes) {
    case .invalid(let kind, let rule):
      PeerAction.tell(.invalid(client, rule), perform)
      if rule == .version, kind == .hello { refuse(.versionUnsupported, 0, client, perform) }
      if rule == .magic { drop(client, .disconnected, perform) }
    case .valid(.hello): hello(bytes, from: client, at: time, perform)
    case .valid(let kind):
      guard let id = connections[client]?.sessionID else {
        return PeerAction.tell(.ignored(client, kind, .inactive), perform)
      }
      guard kind == .bye else { return robot.receive(kind, bytes, from: client, perform) }
      guard kind.closes(UInt64(id), in: bytes) else {
        return PeerAction.tell(.ignored(client, kind, .otherSession), perform)
      }
      drop(client, .teardown, perform)
    }
  }

  /// Handles the only HELLO: a second one on the same connection is ignored.
  private mutating func hello(_ bytes: RawSpan, from client: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard connections[client]?.sessionID == nil else {
      return PeerAction.tell(.ignored(client, .hello, .otherSession), perform)
    }
    let id = Hello.fields.sessionID.value(in: bytes) ?? 0
    if let code, Hello.fields.code.row.value(in: bytes) != .text(code) {
      return refuse(.badCode, id, client, perform)
    }
    guard active == nil else { return refuse(.busy, id, client, perform) }
    active = client
    connections[client]?.sessionID = id
    robot.beginSession()
    send(Message.ackTCP(.ok), to: client, perform)
    PeerAction.tell(.hello(client, sessionID: id, answer: .ok), perform)
    PeerAction.tell(.sessionOpened(client, sessionID: id), perform)
    send(config, to: client, perform)
    pump.open(at: time)
    advance(to: time, perform)
  }

  /// Answers with an ACK, and disconnects.
  private mutating func refuse(_ status: AckStatus, _ id: UInt32, _ client: Endpoint, _ perform: Perform) {
    send(Message.ackTCP(status), to: client, perform)
    PeerAction.tell(.hello(client, sessionID: id, answer: status), perform)
    drop(client, .disconnected, perform)
  }

  private func send(_ message: Message, to client: Endpoint, _ perform: Perform) {
    guard let frame = try? message.framed(as: .teleTCP) else { return }
    perform(.send(.tcp, to: client), frame.span.bytes)
  }

  private mutating func drop(_ client: Endpoint, _ reason: PeerEvent.CloseReason, _ perform: Perform) {
    perform(.disconnect(client), RawSpan())
    end(client, reason, perform)
  }

  private mutating func end(_ client: Endpoint, _ reason: PeerEvent.CloseReason, _ perform: Perform) {
    guard let id = connections.removeValue(forKey: client)?.sessionID else { return }
    active = nil
    pump.close()
    PeerAction.tell(.sessionClosed(client, sessionID: id, reason), perform)
  }
}
