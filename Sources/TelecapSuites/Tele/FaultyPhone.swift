import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// A mutant of the phone: it changes the input or the output of the correct model.
struct FaultyPhone<Base: PhonePeer>: DrivenPeer {
  private var base: Base
  private let fault: PhoneFault
  private(set) var broke: String?
  /// The last intensity received.
  private var intensity: Float = 0
  private var hasPlayed = false
  /// The number of forces that it has played.
  private var forces = 0
  /// The number of received answers.
  private var answers = 0
  private var hellos = 0
  /// The session_id of its first HELLO.
  private var firstID: UInt32?
  private var hasPosed = false
  private var queue: [Float] = []
  private var queueDue: Timestamp?
  /// The transport. Over TCP the connection is the session, and silence does not end it.
  private var carrier = Carrier.udp
  private var dialect: Dialect { .tele(over: carrier) }
  private var unframed = Unframed()
  private var poses = 0
  /// The last strength of the previous session.
  private var old: Float = 0
  /// Whether the next pose is the first of its session.
  private var isFirstPose = false
  /// The event that opened its session, and the first seq in it.
  private var opening: PeerEvent?
  private var firstSeq: UInt16 = 0
  private var nextSeq: UInt16 = 0
  /// The session_id of its last HELLO.
  private var lastID: UInt32?

  init(_ base: Base, _ fault: PhoneFault) {
    self.base = base
    self.fault = fault
  }

  var nextWake: Timestamp? {
    guard let queueDue else { return base.nextWake }
    return base.nextWake.map { min($0, queueDue) } ?? queueDue
  }

  mutating func start(at time: Timestamp, _ perform: Perform) {
    pass(Actions { base.start(at: time, $0) }, at: time, perform)
  }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    pass(Actions { base.stop(at: time, $0) }, at: time, perform)
  }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    self.carrier = carrier
    unframed.forget(endpoint)
    pass(Actions { base.opened(carrier, endpoint, at: time, $0) }, at: time, perform)
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    unframed.forget(endpoint)
    pass(Actions { base.closed(endpoint, at: time, $0) }, at: time, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    playQueue(at: time, perform)
    keepSession(at: time, perform)
    pass(Actions { base.advance(to: time, $0) }, at: time, perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    let bytes = bytes.withUnsafeBytes { Array($0) }
    if carrier == .tcp, fault == .readIsFrame {
      if let frame = Tampering.firstFrame(bytes) { take(frame, over: carrier, from: endpoint, at: time, perform) }
      return
    }
    for message in unframed.messages(in: bytes, over: carrier, from: endpoint) {
      guard let message = received(message) else { continue }
      if fault == .playsBeforeAck, !base.hasSession, let strength = Haptic.strength(in: message) {
        perform(.event(.hapticApplied(strength)), RawSpan())
        continue
      }
      keepSession(at: time, perform)
      take(Unframed.framed(message, over: carrier), over: carrier, from: endpoint, at: time, perform)
    }
  }

  private mutating func take(
    _ bytes: [UInt8], over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    pass(Actions { base.receive(bytes.span.bytes, over: carrier, from: endpoint, at: time, $0) }, at: time, perform)
  }

  /// The message after this fault; nil drops it.
  private mutating func received(_ bytes: [UInt8]) -> [UInt8]? {
    let message = Message(keeping: bytes, as: dialect)
    switch fault {
    case .magicUnchecked: return Tampering.rightMagic(bytes)
    case .versionUnchecked: return Tampering.rightVersion(bytes)
    case .typeUnchecked: return Tampering.knownType(bytes, .haptic)
    case .lengthUnchecked: return Tampering.padded(bytes, .haptic)
    case .readsTrailing: return Tampering.tail(bytes, .haptic)
    case .crashesOnShort:
      if bytes.count < Header.size { broke = "crashed: index out of range" }
      return broke == nil ? bytes : nil
    case .dropsChannels:
      guard let haptic = Typed<Haptic>(message) else { return bytes }
      return haptic[Haptic.fields.channel] != 0 ? nil : bytes
    case .obeysReserved:
      guard var haptic = Typed<Haptic>(message), haptic[Haptic.fields.reserved] != 0 else { return bytes }
      haptic[Haptic.fields.intensity] = haptic[Haptic.fields.intensity] / 2
      return haptic.message.bytes
    case .ignoresBye: return message.kind == .bye ? nil : bytes
    case .anyBye:
      guard message.kind == .bye, let lastID else { return bytes }
      return Message.bye(sessionID: lastID).bytes
    case .tenthIsOK:
      guard let ack = Typed<Ack>(message) else { return bytes }
      answers += 1
      return answers == 10 ? withOK(ack, Ack.fields.status) ?? bytes : bytes
    case .refusalIsOK:
      return carrier == .tcp
        ? withOK(Typed<AckTCP>(message), AckTCP.fields.status) ?? bytes
        : withOK(Typed<Ack>(message), Ack.fields.status) ?? bytes
    default: return bytes
    }
  }

  private func withOK<Table>(_ ack: Typed<Table>?, _ status: Field<UInt8, Table>) -> [UInt8]? {
    guard var ack else { return nil }
    ack[status] = AckStatus.ok.rawValue
    return ack.message.bytes
  }

  /// The message that it sends in place of the correct one; nil for none.
  private mutating func sent(_ bytes: [UInt8]) -> [UInt8]? {
    let message = Message(keeping: bytes, as: dialect)
    if var hello = Typed<Hello>(message) {
      hellos += 1
      switch fault {
      case .stopsHello where hasPosed: return nil
      case .slowHello where hellos.isMultiple(of: 2): return nil
      case .newIdentity:
        hello[Hello.fields.sessionID] = UInt32(hellos)
        return hello.message.bytes
      case .sameSessionAgain:
        hello[Hello.fields.sessionID] = firstID ?? hello[Hello.fields.sessionID]
        firstID = hello[Hello.fields.sessionID]
        return hello.message.bytes
      case .reservedInHello:
        hello[Hello.fields.reserved] = 1
        return hello.message.bytes
      default: return bytes
      }
    }
    if fault == .smallCode, message.kind == .bleAuth {
      return Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
    }
    if fault == .sameSessionAgain, let firstID, var bye = Typed<Bye>(message) {
      bye[Bye.fields.sessionID] = firstID
      return bye.message.bytes
    }
    if var pose = Typed<Pose>(message) {
      poses += 1
      nextSeq = pose[Pose.fields.seq] &+ 1
      switch fault {
      case .beginsAgain: pose[Pose.fields.seq] = pose[Pose.fields.seq] &- firstSeq
      case .seqByTwo: pose[Pose.fields.seq] = pose[Pose.fields.seq] &* 2
      case .milliseconds: pose[Pose.fields.timestamp] /= 1_000
      case .sendsNaN where poses.isMultiple(of: 50): pose[Pose.fields.y] = .nan
      default: return bytes
      }
      return pose.message.bytes
    }
    return fault == .noBye && Tampering.kind(bytes) == .bye ? nil : bytes
  }

  /// Passes on the actions of the correct model, changed by this fault.
  private mutating func pass(_ actions: Actions, at time: Timestamp, _ perform: Perform) {
    for (action, bytes) in actions.list {
      switch action {
      case .event(.received(let value)): intensity = value.strength ?? intensity
      case .event(.sessionClosed) where fault == .neverTimesOut: continue
      case .event(.applied(let value)):
        if let strength = value.strength { play(strength, at: time, perform) }
        continue
      case .event(let event) where fault == .oneImpact && event.impact != nil:
        perform(.event(.hapticImpact(.medium)), RawSpan())
        continue
      case .event(.answered(let answer)) where answer.isAccepted && fault == .beginsAgain && opening != nil:
        perform(action, RawSpan())
        if let opening { perform(.event(opening), RawSpan()) }
        firstSeq = nextSeq
        continue
      case .event(.sessionClosed): opening = nil
      case .event(.sent(let value)): hasPosed = hasPosed || value.stream == "pose"
      case .event(.sessionOpened) where fault == .playsOldAgain && old > 0:
        perform(action, RawSpan())
        perform(.event(.hapticApplied(old)), RawSpan())
        continue
      case .event(.sessionOpened):
        (isFirstPose, opening) = (true, event(of: action))
      case .send(let carrier, _):
        let message = Unframed.unframed(bytes, over: carrier)
        guard let message = sent(message) else { continue }
        for copy in copies(of: message) { perform(action, Unframed.framed(copy, over: carrier).span.bytes) }
        continue
      default: break
      }
      perform(action, bytes.span.bytes)
    }
  }

  private func event(of action: PeerAction) -> PeerEvent? {
    if case .event(let event) = action { event } else { nil }
  }

  /// The messages that it sends in place of one.
  private mutating func copies(of bytes: [UInt8]) -> [[UInt8]] {
    switch (fault, Tampering.kind(bytes)) {
    case (.posesTwice, .pose): return [bytes, bytes]
    case (.firstPoseSentTwice, .pose):
      defer { isFirstPose = false }
      return isFirstPose ? [bytes, bytes] : [bytes]
    case (.anyBye, .hello):
      lastID = Typed<Hello>(Message(keeping: bytes, as: dialect))?[Hello.fields.sessionID]
      return [bytes]
    case (.twoHellos, .hello):
      guard var hello = Typed<Hello>(Message(keeping: bytes, as: dialect)) else { return [bytes] }
      let id = hello[Hello.fields.sessionID]
      defer { lastID = id }
      hello[Hello.fields.sessionID] = ~id
      return id == lastID ? [bytes] : [hello.message.bytes, bytes]
    default: return [bytes]
    }
  }

  private mutating func play(_ strength: Float, at time: Timestamp, _ perform: Perform) {
    var played = strength
    switch fault {
    case .noClamp where !intensity.isNaN && base.hasSession: played = intensity
    case .noClampHigh where intensity > 1 && base.hasSession: played = intensity
    case .noClampLow where intensity < 0 && base.hasSession: played = min(1, -intensity)
    case .smallNegative where intensity < 0 && intensity > -0.01 && base.hasSession: played = -intensity
    case .nanIsOne where intensity.isNaN: played = 1
    case .oneNaN where Tampering.isRareNaN(intensity) && base.hasSession: played = 1
    case .ignoresZero where strength == 0 && base.hasSession: return
    case .keepsVibrating where !base.hasSession: return
    case .thousandForces:
      forces += 1
      if forces > 1_000 { return }
    case .firstValueWins:
      if hasPlayed { return }
    case .queued:
      queue.append(strength)
      if queueDue == nil { playQueue(first: time, perform) }
      return
    default: break
    }
    hasPlayed = true
    if played > 0 { old = played }
    perform(.event(.hapticApplied(played)), RawSpan())
  }

  private mutating func playQueue(first time: Timestamp, _ perform: Perform) {
    queueDue = time
    playQueue(at: time, perform)
  }

  private mutating func playQueue(at time: Timestamp, _ perform: Perform) {
    while let due = queueDue, due <= time {
      guard !queue.isEmpty else {
        queueDue = nil
        return
      }
      perform(.event(.hapticApplied(queue.removeFirst())), RawSpan())
      queueDue = due.advanced(byNanoseconds: 60_000_000)
    }
  }

  /// Makes up signs of life of the host, for a phone that never loses its session: ACK, or HEARTBEAT.
  private mutating func keepSession(at time: Timestamp, _ perform: Perform) {
    guard fault == .neverTimesOut, carrier != .tcp, base.hasSession else { return }
    let sign = carrier == .ble ? Message.right(.heartbeat) : Message.ack(.ok)
    let actions = Actions {
      base.receive(sign.bytes.span.bytes, over: carrier, from: VirtualAddresses.host, at: time, $0)
    }
    // The sign of life is made up, so drop its event and keep all other actions.
    actions.pass(perform) { action, bytes in
      if case .event(.answered) = action { return nil }
      return (action, bytes)
    }
  }
}

extension Haptic {
  /// The strength that a valid HAPTIC requests, clamped.
  fileprivate static func strength(in bytes: [UInt8]) -> Float? {
    guard bytes.count == layout.fixedSize, Tampering.kind(bytes) == .haptic else { return nil }
    return fields.intensity.value(in: bytes.span.bytes).map(HapticStrength.clamped)
  }
}
