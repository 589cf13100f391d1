import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// Judges one receiver against what was delivered to it, not what was meant (semantics.md). Feed it, in order of time,
/// what was delivered and what the receiver showed.
public struct Oracle: Sendable {
  /// What is judged, and by which measure.
  public struct Settings: Sendable {
    /// The receiver's part: host, phone or mouse host.
    public var receiver: Role
    /// How long the receiver may take to show the right value, in ns: 0 in virtual time, 50 ms on the wall clock.
    public var settle: Int64
    /// A mouse host's screen.
    public var screen: ScreenSize
    /// The receiver tells of its sessions; poses outside one are not judged. A receiver that does not tell is taken to
    /// have one session all the time.
    public var tellsSessions: Bool

    /// Settings of virtual time unless given.
    public init(
      receiver: Role, settle: Int64 = 0, screen: ScreenSize = .standard, tellsSessions: Bool = true
    ) {
      self.receiver = receiver
      self.settle = settle
      self.screen = screen
      self.tellsSessions = tellsSessions
    }
  }

  /// What became of each requirement so far.
  public private(set) var checks = CheckList()
  /// How much of what was sent took effect.
  public private(set) var fidelity = Fidelity()
  /// How old what the receiver goes by was.
  public private(set) var staleness = Staleness()

  private let settings: Settings
  private var haptic: HapticOracle
  private var pose: PoseOracle
  private var mouse: MouseOracle
  private var datagrams: Inbox
  private var frames: Inbox
  private var teleFramers: [Endpoint: MessageFramer] = [:]
  private var mouseFramers: [Endpoint: MessageFramer] = [:]
  private var client: Endpoint?
  /// When what is being delivered was sent.
  private var sentAt: Timestamp?

  /// An oracle that has seen nothing.
  public init(_ settings: Settings) {
    self.settings = settings
    haptic = HapticOracle(settle: settings.settle)
    pose = PoseOracle(settle: settings.settle)
    mouse = MouseOracle(settle: settings.settle, screen: settings.screen)
    let isMouse = settings.receiver == .mouseHost
    datagrams = Inbox(isMouse ? .mouse : .teleUDP)
    frames = Inbox(isMouse ? .mouse : .teleTCP)
  }

  /// The recording sent a message, whether or not it will be delivered. Counted if it is of the stream that is judged.
  public mutating func sent(_ message: RawSpan, at now: Timestamp) {
    guard isOfStream(message) else { return }
    fidelity.sent += 1
    staleness.sent(at: now)
  }

  /// A datagram, or the next piece of a stream, reached the receiver.
  /// - Parameters:
  ///   - sentAt: when the recording sent it, for the age of information; nil when that is not known.
  ///   - packet: its number, by which a violation names it.
  public mutating func delivered(
    _ bytes: RawSpan, over carrier: Carrier, from source: Endpoint, at now: Timestamp, sentAt: Timestamp? = nil,
    packet: Int
  ) {
    self.sentAt = sentAt
    guard carrier == .tcp else { return message(datagrams.read(bytes), bytes, carrier, source, now, packet) }
    if settings.receiver == .mouseHost {
      var framer = mouseFramers.removeValue(forKey: source) ?? MessageFramer(.mouse)
      framer.receive(bytes) { event, frame in
        if event == .message { message(frames.read(frame), frame, carrier, source, now, packet) }
      }
      mouseFramers[source] = framer
    } else {
      var framer = teleFramers.removeValue(forKey: source) ?? MessageFramer(.teleTCP)
      framer.receive(bytes) { event, frame in
        if event == .message { message(frames.read(frame), frame, carrier, source, now, packet) }
      }
      teleFramers[source] = framer
    }
  }

  /// The receiver showed something.
  public mutating func observed(_ event: PeerEvent, at now: Timestamp) {
    switch event {
    case .hapticApplied(let strength): haptic.observe(strength, at: now, &checks)
    case .hapticReceived: countApplied(at: now)
    case .poseApplied(let sample):
      pose.observe(sample, at: now, &checks)
      countApplied(at: now)
    case .poseDropped(_, .notFinite): fidelity.invalid += 1
    case .poseDropped: fidelity.stale += 1
    case .mouseReceived: countApplied(at: now)
    case .pointer(let position): mouse.observe(position, at: now, &checks)
    case .buttons(let bitmap): mouse.observe(buttons: bitmap, at: now, &checks)
    case .sessionOpened(let endpoint, _):
      client = endpoint
      if settings.receiver == .host { pose.openSession(at: now, &checks) }
    case .sessionClosed: client = nil
    default: return
    }
  }

  /// The receiver's own account, for a receiver whose deliveries nobody else saw, such as a simulated peer behind a
  /// socket: what it says it received counts as delivered, and what it says it applied as shown.
  public mutating func accounted(_ event: PeerEvent, at now: Timestamp) {
    let packet = fidelity.delivered + 1
    switch (settings.receiver, event) {
    case (.phone, .ack(.ok)): haptic.deliverAck(at: now, &checks)
    case (.phone, .hapticReceived(let intensity)):
      fidelity.delivered = packet
      haptic.deliver(intensity, packet: packet, at: now, &checks)
    case (.host, .poseApplied(let sample)), (.host, .poseDropped(let sample, _)):
      fidelity.delivered = packet
      pose.deliver(sample, packet: packet, at: now, &checks)
    case (.mouseHost, .mouseReceived(let carrier, let sample)):
      fidelity.delivered = packet
      mouse.deliver(sample, over: carrier, number: packet, at: now, &checks)
    case (.mouseHost, .invalid):
      fidelity.invalid += 1
      mouse.deliverInvalid(number: packet, at: now, &checks)
    case (_, .invalid): fidelity.invalid += 1
    default: break
    }
    observed(event, at: now)
  }

  /// The run has ended: nothing more was delivered, and the receiver has had its settle time.
  public mutating func finish(at now: Timestamp) {
    haptic.finish(at: now, &checks)
    pose.finish(at: now, &checks)
    mouse.finish(at: now, &checks)
    staleness.finish(at: now)
    if !haptic.hasShown { checks.forget { $0.isHaptic } }
    if !pose.hasShown { checks.forget { $0.isPose } }
    if !mouse.hasShownPointer { checks.forget { $0 == .pointerSum || $0 == .pointerScreen || $0 == .mouseInvalid } }
    if !mouse.hasShownButtons { checks.forget { $0.isButtons } }
  }

  /// The checks that this receiver can be held to.
  public var results: [Check] {
    switch settings.receiver {
    case .phone: checks.all(\.isHaptic)
    case .host: checks.all(\.isPose)
    case .mouseHost: checks.all(\.isMouse)
    case .mouse: []
    }
  }

  /// Fail when any `must` failed (with `strict` also any `should`), pass when one was tried and none failed; inconclusive
  /// otherwise.
  public func verdict(strict: Bool = false) -> Verdict {
    let judged = results.filter { $0.verdict != .inconclusive }
    if judged.contains(where: { $0.verdict == .fail && (strict || $0.requirement.level == .must) }) { return .fail }
    return judged.isEmpty ? .inconclusive : .pass
  }

  // MARK: - Deliveries

  @inline(__always)
  private mutating func message(
    _ reading: Inbox.Reading, _ bytes: RawSpan, _ carrier: Carrier, _ source: Endpoint, _ now: Timestamp,
    _ packet: Int
  ) {
    guard case .valid(let kind) = reading else {
      fidelity.invalid += 1
      if settings.receiver == .mouseHost { mouse.deliverInvalid(number: packet, at: now, &checks) }
      return
    }
    switch (settings.receiver, kind) {
    case (.phone, .haptic):
      fidelity.delivered += 1
      guard let intensity = Haptic.fields.intensity.value(in: bytes) else { return }
      haptic.deliver(intensity, packet: packet, at: now, &checks)
    case (.phone, .ack), (.phone, .ackTCP):
      if Ack.fields.status.value(in: bytes) == AckStatus.ok.rawValue { haptic.deliverAck(at: now, &checks) }
    case (.host, .pose):
      fidelity.delivered += 1
      guard !settings.tellsSessions || client == source, let sample = PoseSample(bytes) else { return }
      pose.deliver(sample, packet: packet, at: now, &checks)
    case (.mouseHost, .mouseMovement), (.mouseHost, .mouseControl):
      fidelity.delivered += 1
      guard let sample = MouseSample(bytes) else { return }
      mouse.deliver(sample, over: carrier, number: packet, at: now, &checks)
    default: return
    }
  }

  private mutating func countApplied(at now: Timestamp) {
    fidelity.applied += 1
    if let sentAt { staleness.applied(sentAt: sentAt, at: now) }
  }

  private func isOfStream(_ message: RawSpan) -> Bool {
    switch settings.receiver {
    case .phone: Header.fields.type.value(in: message) == 7
    case .host: Header.fields.type.value(in: message) == 3
    case .mouse, .mouseHost: true
    }
  }
}

extension StreamRequirement {
  fileprivate var isHaptic: Bool { rawValue.hasPrefix("tele.haptic") || self == .safeOnLoss }
  fileprivate var isPose: Bool { rawValue.hasPrefix("tele.pose") }
  fileprivate var isMouse: Bool { rawValue.hasPrefix("mouse.") }
  fileprivate var isButtons: Bool { rawValue.hasPrefix("mouse.buttons") }
}
