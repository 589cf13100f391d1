import TelecapModels
import TelecapRecording
import TelecapWire

/// A host of TELE over Bluetooth: each message is one write or notification of a link (TELE, Transports).
///
/// HELLO, ACK and BYE are not used there, and the published text does not define replacements. Our behaviour is
/// derived. The right code from a link opens the session if no other link has it, without an answer. A wrong code has
/// no effect, nor has any code while a link is served. The end of the link closes the session.
public struct HostLinkModel: Peer {
  private let code: [UInt8]?
  private let config: Message
  private var inbox = Inbox(.teleBLE)
  private var links: Set<Endpoint> = []
  private var active: Endpoint?
  private var robot = Robot()
  private var heart: HeartbeatPump
  private var pump: HapticPump

  /// A host without a session, which sends `config`, a JSON object, when one opens.
  /// - Throws: `WireError` if CONFIG cannot contain it.
  public init(_ settings: HostModel.Settings = HostModel.Settings(), config: String = "{}") throws(WireError) {
    code = settings.code.map { Array($0.utf8) }
    self.config = try Message.config(config)
    heart = HeartbeatPump(every: settings.heartbeatInterval)
    pump = HapticPump(settings.waveform, rate: settings.hapticRate)
  }

  /// The link with the session; nil without one.
  public var client: Endpoint? { active }

  public var nextWake: Timestamp? {
    guard let beat = heart.next else { return nil }
    return min(beat, pump.next ?? beat)
  }

  public mutating func start(at time: Timestamp, _ perform: Perform) { heart.start(at: time) }

  public mutating func opened(_ carrier: Carrier, _ client: Endpoint, at time: Timestamp, _ perform: Perform) {
    if carrier == .ble { links.insert(client) }
  }

  public mutating func closed(_ client: Endpoint, at time: Timestamp, _ perform: Perform) {
    links.remove(client)
    if active == client { close(.disconnected, perform) }
  }

  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    guard let active else { return }
    if let message = heart.take(at: time) { send(message, to: active, perform) }
    if let (intensity, message) = pump.take(at: time) {
      send(message, to: active, perform)
      PeerAction.tell(.sent(AppliedValue(strength: intensity)), perform)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from client: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    advance(to: time, perform)
    guard links.contains(client) else { return }
    switch inbox.read(bytes) {
    case .invalid(_, let rule): PeerAction.tell(.invalid(client, rule), perform)
    case .valid(.bleAuth): auth(bytes, from: client, at: time, perform)
    case .valid(let kind):
      guard active == client else { return PeerAction.tell(.ignored(client, kind, .inactive), perform) }
      robot.receive(kind, bytes, from: client, perform)
    }
  }

  /// Stops the host: turns the phone's motor off, and closes its links.
  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if let active, let message = pump.off() {
      send(message, to: active, perform)
      PeerAction.tell(.sent(AppliedValue(strength: 0)), perform)
    }
    for link in links { perform(.disconnect(link), RawSpan()) }
    links = []
    close(.stopped, perform)
  }

  // MARK: - Rules

  private mutating func auth(_ bytes: RawSpan, from client: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard active == nil, isRightCode(bytes) else {
      return PeerAction.tell(.ignored(client, .bleAuth, active == nil ? .inactive : .otherSession), perform)
    }
    active = client
    robot.beginSession()
    PeerAction.tell(.sessionOpened(client, sessionID: 0), perform)
    heart.open(at: time)
    pump.open(at: time)
    advance(to: time, perform)
    send(config, to: client, perform)
  }

  private func isRightCode(_ bytes: RawSpan) -> Bool {
    guard let code else { return true }
    return bytes.withUnsafeBytes { $0.elementsEqual(code) }
  }

  private func send(_ message: Message, to client: Endpoint, _ perform: Perform) {
    perform(.send(.ble, to: client), message.bytes.span.bytes)
  }

  private mutating func close(_ reason: PeerEvent.CloseReason, _ perform: Perform) {
    guard let ended = active else { return }
    active = nil
    heart.close()
    pump.close()
    PeerAction.tell(.sessionClosed(ended, sessionID: 0, reason), perform)
  }
}
