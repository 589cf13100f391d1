import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct phone of TELE, over udp-v1 or tcp-v1 (tele.md, Session rules).
public struct PhoneModel: Peer {
  /// The behaviour of a phone.
  public struct Settings: Sendable {
    /// The host's address.
    public var host: Endpoint
    /// The six characters that the host shows.
    public var code: String
    /// The session_id of its first session, random; later ones are computed from it.
    public var sessionID: UInt32
    /// The path of its poses.
    public var path: PosePath
    /// Poses a second; the rules allow at most 60.
    public var poseRate: Int
    /// udp-v1 or tcp-v1.
    public var dialect: Dialect
    /// Whether its user presses record when a session opens, and again before it ends.
    public var recordsSessions = false
    /// Whether it plays impacts in place of a continuous output.
    public var playsImpacts = false
    /// The interval of HELLO over UDP, in ns (rule 1).
    public var helloInterval = PhoneModel.helloInterval
    /// The timeout of a session in ns: over UDP without ACK OK (rule 5), over Bluetooth without HEARTBEAT.
    public var timeout = PhoneModel.timeout

    /// Settings; by default the path is a circle of 10 cm in 4 s.
    public init(
      host: Endpoint, code: String, sessionID: UInt32,
      path: PosePath = .circle(radius: 0.1, period: 4_000_000_000), poseRate: Int = 60, dialect: Dialect = .teleUDP
    ) {
      self.host = host
      self.code = code
      self.sessionID = sessionID
      self.path = path
      self.poseRate = poseRate
      self.dialect = dialect
    }
  }

  /// The interval of HELLO over UDP, also while poses are sent, in ns (rule 1).
  public static let helloInterval: Nanoseconds = 1_000_000_000
  /// The timeout of a session without ACK OK, in ns (rule 5).
  public static let timeout: Nanoseconds = 3_000_000_000

  private let settings: Settings
  private let isStream: Bool
  /// The request for its current or next session.
  private var hello: Typed<Hello>
  private var sessionIDs: SplitMix64
  private var inbox: Inbox
  private var framer = MessageFramer(.teleTCP)
  private var isStarted = false
  private var helloBeat: Metronome?
  private var poses: PoseSource
  /// The time of the host's last OK; nil outside a session.
  private var lastAck: Timestamp?
  private var output: HapticOutput

  /// A phone that has not started.
  /// - Throws: `WireError.badText` unless the code is six of A–Z and 0–9.
  public init(_ settings: Settings) throws(WireError) {
    self.settings = settings
    hello = try Typed<Hello>(sessionID: settings.sessionID, code: settings.code)
    sessionIDs = SplitMix64(seed: UInt64(settings.sessionID))
    isStream = settings.dialect == .teleTCP
    inbox = Inbox(settings.dialect)
    poses = PoseSource(settings.path, rate: settings.poseRate)
    output = HapticOutput(playsImpacts: settings.playsImpacts)
  }

  /// The strength at which the motor runs, 0…1.
  public var strength: Float { output.strength }
  /// Whether the host has answered OK within the timeout.
  public var hasSession: Bool { lastAck != nil }

  public var nextWake: Timestamp? {
    func earlier(_ left: Timestamp?, _ right: Timestamp?) -> Timestamp? {
      guard let left, let right else { return left ?? right }
      return min(left, right)
    }
    return earlier(earlier(helloBeat?.next, poses.next), deadline)
  }

  private var sessionID: UInt32 { hello[Hello.fields.sessionID] }

  /// Over UDP silence ends a session; over TCP the end of the connection.
  private var deadline: Timestamp? { isStream ? nil : lastAck?.advanced(byNanoseconds: settings.timeout) }

  public mutating func start(at time: Timestamp, _ perform: Perform) {
    isStarted = true
    guard !isStream else { return }
    helloBeat = Metronome(from: time, rate: 1, in: settings.helloInterval)
    advance(to: time, perform)
  }

  public mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard carrier == .tcp, isStream else { return }
    framer = MessageFramer(.teleTCP)
    if isStarted { send(hello.message, perform) }
  }

  public mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    framer = MessageFramer(.teleTCP)
    lose(.disconnected, perform)
  }

  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let deadline, time >= deadline { lose(.timeout, perform) }
    if helloBeat?.take(at: time) == true { send(hello.message, perform) }
    if let (sample, message) = poses.take(at: time) {
      send(message, perform)
      PeerAction.tell(.sent(AppliedValue(sample)), perform)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    advance(to: time, perform)
    guard isStream else { return message(bytes, from: endpoint, at: time, perform) }
    var framer = framer
    framer.receive(bytes) { event, frame in
      switch event {
      case .message: message(frame, from: endpoint, at: time, perform)
      case .badLength:
        PeerAction.tell(.invalid(endpoint, .frameLength), perform)
        hangUp(endpoint, perform)
      default: return
      }
    }
    self.framer = framer
  }

  /// Sends a command of the user; sends nothing outside a session.
  public mutating func command(_ type: UInt8, _ value: Bool, _ perform: Perform) {
    guard hasSession else { return }
    send(Message.cmd(type, value), perform)
    PeerAction.tell(.sent(AppliedValue(CommandSample(type: type, value: value ? 1 : 0))), perform)
  }

  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if settings.recordsSessions { command(Cmd.recording, false, perform) }
    if hasSession { send(Message.bye(sessionID: sessionID), perform) }
    lose(.stopped, perform)
    helloBeat = nil
    isStarted = false
  }

  // MARK: - Rules

  private mutating func message(_ bytes: RawSpan, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    switch inbox.read(bytes) {
    case .invalid(_, let rule):
      PeerAction.tell(.invalid(endpoint, rule), perform)
      if isStream, rule == .magic { hangUp(endpoint, perform) }
    case .valid(let kind):
      guard endpoint == settings.host else {
        return PeerAction.tell(.ignored(endpoint, kind, .inactive), perform)
      }
      take(kind, bytes, at: time, perform)
    }
  }

  private mutating func take(_ kind: MessageKind, _ bytes: RawSpan, at time: Timestamp, _ perform: Perform) {
    switch kind {
    case .haptic:
      guard hasSession else { return PeerAction.tell(.ignored(settings.host, kind, .inactive), perform) }
      output.receive(bytes, perform)
    case .ack where !isStream, .ackTCP where isStream: acknowledged(bytes, at: time, perform)
    case .config: PeerAction.tell(.config(bytes: bytes.byteCount - Config.layout.fixedSize), perform)
    // Session rule 6: only a BYE of its own session has effect.
    case .bye where isStream && kind.closes(UInt64(sessionID), in: bytes): hangUp(settings.host, perform)
    case .bye where isStream: PeerAction.tell(.ignored(settings.host, kind, .otherSession), perform)
    default: PeerAction.tell(.ignored(settings.host, kind, .direction), perform)
    }
  }

  private mutating func acknowledged(_ bytes: RawSpan, at time: Timestamp, _ perform: Perform) {
    let status = AckStatus(rawValue: Ack.fields.status.value(in: bytes) ?? .max)
    PeerAction.tell(.ack(status), perform)
    guard status == .ok else { return }
    let isNew = lastAck == nil
    lastAck = time
    guard isNew else { return }
    PeerAction.tell(.sessionOpened(settings.host, sessionID: sessionID), perform)
    if settings.recordsSessions { command(Cmd.recording, true, perform) }
    if isStarted { poses.open(at: time) }
  }

  /// Closes a connection with its session.
  private mutating func hangUp(_ endpoint: Endpoint, _ perform: Perform) {
    perform(.disconnect(endpoint), RawSpan())
    lose(.disconnected, perform)
  }

  /// Ends the session. A lost session must not leave a motor on (requirement tele.session.safe-on-loss), and the next
  /// one, or the next connection, has another session_id (tele.md, Messages: HELLO).
  private mutating func lose(_ reason: PeerEvent.CloseReason, _ perform: Perform) {
    let sessionID = sessionID
    if isStream || hasSession { hello[Hello.fields.sessionID] = UInt32(truncatingIfNeeded: sessionIDs.next()) }
    guard hasSession else { return }
    lastAck = nil
    poses.close()
    PeerAction.tell(.sessionClosed(settings.host, sessionID: sessionID, reason), perform)
    if output.stop() { PeerAction.tell(.hapticApplied(0), perform) }
  }

  private func send(_ message: Message, _ perform: Perform) {
    guard isStream else { return perform(.send(.udp, to: settings.host), message.bytes.span.bytes) }
    guard let frame = try? message.framed(as: .teleTCP) else { return }
    perform(.send(.tcp, to: settings.host), frame.span.bytes)
  }
}
