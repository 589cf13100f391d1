import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct host of TELE udp-v1 (tele.md, Session rules).
public struct HostModel: Peer {
  /// The behaviour of a host where the rules allow a choice.
  public struct Settings: Sendable {
    /// The six characters that a HELLO must contain; nil accepts any.
    public var code: String?
    /// The strengths that it sends as HAPTIC; nil sends none.
    public var waveform: Waveform?
    /// Whether a HELLO of another version is answered with VERSION_UNSUPPORTED; otherwise it is dropped (rule 7).
    public var answersOtherVersions: Bool
    /// The timeout of a session over UDP, in ns (rule 5).
    public var timeout = HostModel.timeout
    /// The timeout for the HELLO of a new TCP connection, in ns.
    public var helloTimeout = HostStreamModel.helloTimeout
    /// HAPTIC messages a second.
    public var hapticRate = HostModel.standardRate
    /// The interval of HEARTBEAT over Bluetooth, in ns.
    public var heartbeatInterval = Tele.heartbeatInterval

    /// Settings; by default every code is accepted and no HAPTIC is sent.
    public init(code: String? = nil, waveform: Waveform? = nil, answersOtherVersions: Bool = true) {
      self.code = code
      self.waveform = waveform
      self.answersOtherVersions = answersOtherVersions
    }
  }

  /// HAPTIC messages a second (Haptic Feedback API, Update Rate).
  public static let standardRate = 20
  /// The possible rates of HAPTIC messages, in Hz.
  public static let possibleRates = 1...1_000

  /// The timeout of a session, in ns (rule 5).
  public static let timeout: Nanoseconds = 3_000_000_000

  private let code: [UInt8]?
  private let answersOtherVersions: Bool
  private let timeout: Nanoseconds
  private var inbox = Inbox(.teleUDP)
  private var session: ActiveSession?
  private var robot = Robot()
  private var pump: HapticPump

  /// A host without a session.
  public init(_ settings: Settings = Settings()) {
    code = settings.code.map { Array($0.utf8) }
    answersOtherVersions = settings.answersOtherVersions
    timeout = settings.timeout
    pump = HapticPump(settings.waveform, rate: settings.hapticRate)
  }

  /// The client with the session; nil without one.
  public var client: Endpoint? { session?.client }

  public var nextWake: Timestamp? {
    guard let deadline else { return nil }
    return min(deadline, pump.next ?? deadline)
  }

  /// The time at which the session times out; nil without one.
  private var deadline: Timestamp? { session?.lastHeard.advanced(byNanoseconds: timeout) }

  public mutating func start(at time: Timestamp, _ perform: Perform) {}

  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    guard let current = session, let deadline else { return }
    if time >= deadline {
      close(.timeout, perform)
    } else if let (intensity, message) = pump.take(at: time) {
      perform(.send(.udp, to: current.client), message.bytes.span.bytes)
      PeerAction.tell(.sent(AppliedValue(strength: intensity)), perform)
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from client: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    advance(to: time, perform)
    switch inbox.read(bytes) {
    case .valid(.hello): hello(bytes, from: client, at: time, perform)
    case .valid(let kind): message(kind, bytes, from: client, at: time, perform)
    case .invalid(let kind, let rule):
      if answersOtherVersions, rule == .version, kind == .hello, bytes.byteCount >= Hello.layout.fixedSize {
        answer(.versionUnsupported, bytes, to: client, perform)
      }
      PeerAction.tell(.invalid(client, rule), perform)
    }
  }

  /// Stops the host: turns the phone's motor off, because without BYE the phone would wait for its timeout.
  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if let session, let message = pump.off() {
      perform(.send(.udp, to: session.client), message.bytes.span.bytes)
      PeerAction.tell(.sent(AppliedValue(strength: 0)), perform)
    }
    close(.stopped, perform)
  }

  // MARK: - Rules

  /// Rules 2 to 4: every HELLO is answered; a wrong code from any client opens and refreshes nothing; there is one
  /// client at a time, and a HELLO with another session_id is not the client's keepalive
  /// (tele.hello.keepalive-identity).
  private mutating func hello(_ bytes: RawSpan, from client: Endpoint, at time: Timestamp, _ perform: Perform) {
    let id = Hello.fields.sessionID.value(in: bytes) ?? 0
    guard isRightCode(bytes) else { return answer(.badCode, bytes, to: client, perform) }
    if let current = session {
      guard current.client == client, current.id == id else { return answer(.busy, bytes, to: client, perform) }
      session?.lastHeard = time
      return answer(.ok, bytes, to: client, perform)
    }
    session = ActiveSession(client: client, id: id, lastHeard: time)
    robot.beginSession()
    answer(.ok, bytes, to: client, perform)
    PeerAction.tell(.sessionOpened(client, sessionID: id), perform)
    pump.open(at: time)
    advance(to: time, perform)
  }

  /// Rules 3, 6 and 7: only the active client has effect; its messages keep the session alive, and a BYE of another
  /// session is ignored.
  private mutating func message(
    _ kind: MessageKind, _ bytes: RawSpan, from client: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let current = session, current.client == client else {
      return PeerAction.tell(.ignored(client, kind, .inactive), perform)
    }
    if kind == .bye {
      guard kind.closes(UInt64(current.id), in: bytes) else {
        return PeerAction.tell(.ignored(client, kind, .otherSession), perform)
      }
      return close(.teardown, perform)
    }
    if kind == .pose || kind == .cmd { session?.lastHeard = time }
    robot.receive(kind, bytes, from: client, perform)
  }

  private func isRightCode(_ bytes: RawSpan) -> Bool {
    guard let code else { return true }
    let offset = Hello.fields.code.row.offset
    for index in 0..<PairingCode.size {
      let expected = index < code.count ? code[index] : 0
      guard UInt8.read(bytes, at: offset + index) == expected else { return false }
    }
    return code.count <= PairingCode.size
  }

  private func answer(_ status: AckStatus, _ hello: RawSpan, to client: Endpoint, _ perform: Perform) {
    let ack = HostModel.acks[Int(status.rawValue)]
    perform(.send(.udp, to: client), ack.bytes.span.bytes)
    let id = Hello.fields.sessionID.value(in: hello) ?? 0
    PeerAction.tell(.hello(client, sessionID: id, answer: status), perform)
  }

  /// The four answers, indexed by their status.
  private static let acks = (UInt8(0)...3).map { Message.ack(AckStatus(rawValue: $0)) }

  private mutating func close(_ reason: PeerEvent.CloseReason, _ perform: Perform) {
    guard let ended = session else { return }
    session = nil
    pump.close()
    PeerAction.tell(.sessionClosed(ended.client, sessionID: ended.id, reason), perform)
  }
}

/// The session of a host.
private struct ActiveSession: Sendable {
  let client: Endpoint
  let id: UInt32
  var lastHeard: Timestamp
}
