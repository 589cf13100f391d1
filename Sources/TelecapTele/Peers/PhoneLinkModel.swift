import TelecapModels
import TelecapRecording
import TelecapWire

/// A phone of TELE over Bluetooth: each message is one write or notification of its link with the host (TELE, Transports).
///
/// It writes its code when its link is up. The published text does not define when a session opens. Our behaviour is
/// derived: a session lasts from the first HEARTBEAT until 3 s without one, or the end of the link. A later HEARTBEAT
/// opens another session.
public struct PhoneLinkModel: Peer {
  private let settings: PhoneModel.Settings
  private let auth: Message
  private var inbox = Inbox(.teleBLE)
  private var isStarted = false
  private var poses: PoseSource
  /// The time of the last HEARTBEAT; nil outside a session.
  private var lastBeat: Timestamp?
  private var output: HapticOutput

  /// A phone that has not started.
  /// - Throws: `WireError.badText` unless the code is six of A–Z and 0–9.
  public init(_ settings: PhoneModel.Settings) throws(WireError) {
    self.settings = settings
    auth = try Message.auth(code: settings.code)
    poses = PoseSource(settings.path, rate: settings.poseRate)
    output = HapticOutput(playsImpacts: settings.playsImpacts)
  }

  /// The strength at which the motor runs, 0…1.
  public var strength: Float { output.strength }
  /// Whether it has received a HEARTBEAT within the timeout.
  public var hasSession: Bool { lastBeat != nil }

  public var nextWake: Timestamp? {
    guard let deadline else { return nil }
    return min(deadline, poses.next ?? deadline)
  }

  private var deadline: Timestamp? { lastBeat?.advanced(byNanoseconds: settings.timeout) }

  public mutating func start(at time: Timestamp, _ perform: Perform) { isStarted = true }

  public mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if carrier == .ble, isStarted { send(auth, perform) }
  }

  public mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    lose(.disconnected, perform)
  }

  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let deadline, time >= deadline { lose(.timeout, perform) }
    if let (sample, message) = poses.take(at: time) {
      send(message, perform)
      PeerAction.tell(.sent(AppliedValue(sample)), perform)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    advance(to: time, perform)
    switch inbox.read(bytes) {
    case .invalid(_, let rule): PeerAction.tell(.invalid(endpoint, rule), perform)
    case .valid(let kind):
      guard endpoint == settings.host else {
        return PeerAction.tell(.ignored(endpoint, kind, .inactive), perform)
      }
      take(kind, bytes, at: time, perform)
    }
  }

  /// Stops the phone: closes the link, for which there is no message.
  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if settings.recordsSessions { command(Cmd.recording, false, perform) }
    lose(.stopped, perform)
    perform(.disconnect(settings.host), RawSpan())
    isStarted = false
  }

  /// Sends a command of the user; sends nothing outside a session.
  public mutating func command(_ type: UInt8, _ value: Bool, _ perform: Perform) {
    guard hasSession else { return }
    send(Message.cmd(type, value), perform)
    PeerAction.tell(.sent(AppliedValue(CommandSample(type: type, value: value ? 1 : 0))), perform)
  }

  // MARK: - Rules

  private mutating func take(_ kind: MessageKind, _ bytes: RawSpan, at time: Timestamp, _ perform: Perform) {
    switch kind {
    case .heartbeat: heard(at: time, perform)
    case .haptic where hasSession: output.receive(bytes, perform)
    case .haptic: PeerAction.tell(.ignored(settings.host, kind, .inactive), perform)
    case .config: PeerAction.tell(.config(bytes: bytes.byteCount - Config.layout.fixedSize), perform)
    default: PeerAction.tell(.ignored(settings.host, kind, .direction), perform)
    }
  }

  private mutating func heard(at time: Timestamp, _ perform: Perform) {
    let isNew = lastBeat == nil
    lastBeat = time
    guard isNew else { return }
    PeerAction.tell(.sessionOpened(settings.host, sessionID: 0), perform)
    if settings.recordsSessions { command(Cmd.recording, true, perform) }
    if isStarted { poses.open(at: time) }
  }

  /// Ends the session. A lost session must not leave a motor on (requirement tele.session.safe-on-loss).
  private mutating func lose(_ reason: PeerEvent.CloseReason, _ perform: Perform) {
    guard hasSession else { return }
    lastBeat = nil
    poses.close()
    PeerAction.tell(.sessionClosed(settings.host, sessionID: 0, reason), perform)
    if output.stop() { PeerAction.tell(.hapticApplied(0), perform) }
  }

  private func send(_ message: Message, _ perform: Perform) {
    perform(.send(.ble, to: settings.host), message.bytes.span.bytes)
  }
}
