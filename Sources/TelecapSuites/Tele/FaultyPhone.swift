import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A phone that is right in all but one way: what goes into a right one, and what comes out, is changed.
struct FaultyPhone: DrivenPeer {
  private var base: PhoneModel
  private let fault: PhoneFault
  private(set) var broke: String?
  /// The last intensity received.
  private var intensity: Float = 0
  private var hasPlayed = false
  private var hellos = 0
  private var hasPosed = false
  private var queue: [Float] = []
  private var queueDue: Timestamp?
  /// The connection is the session; silence ends nothing.
  private var isStream = false

  init(_ base: PhoneModel, _ fault: PhoneFault) {
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
    if carrier == .tcp { isStream = true }
    pass(Actions { base.opened(carrier, endpoint, at: time, $0) }, at: time, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    playQueue(at: time, perform)
    keepSession(at: time, perform)
    pass(Actions { base.advance(to: time, $0) }, at: time, perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard let message = received(bytes.withUnsafeBytes { Array($0) }, carrier) else { return }
    if fault == .playsBeforeAck, !base.hasSession, let strength = Haptic.strength(in: message) {
      perform(.event(.hapticApplied(strength)), RawSpan())
      return
    }
    keepSession(at: time, perform)
    pass(
      Actions { base.receive(message.span.bytes, over: carrier, from: endpoint, at: time, $0) }, at: time, perform)
  }

  /// What it takes a message for; nil drops it.
  private mutating func received(_ bytes: [UInt8], _ carrier: Carrier) -> [UInt8]? {
    guard carrier == .udp else { return fault == .readIsFrame ? Tampering.firstFrame(bytes) : bytes }
    let message = Message(keeping: bytes, as: .teleUDP)
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
    default: return bytes
    }
  }

  /// Passes on what the right phone does, wrong in its one way.
  private mutating func pass(_ actions: Actions, at time: Timestamp, _ perform: Perform) {
    for (action, bytes) in actions.list {
      switch action {
      case .event(.hapticReceived(let value)): intensity = value
      case .event(.sessionClosed) where fault == .neverTimesOut: continue
      case .event(.hapticApplied(let strength)):
        play(strength, at: time, perform)
        continue
      case .event(.hapticImpact) where fault == .oneImpact:
        perform(.event(.hapticImpact(.medium)), RawSpan())
        continue
      case .event(.poseSent): hasPosed = true
      case .send where isHello(bytes):
        hellos += 1
        if fault == .stopsHello && hasPosed || fault == .slowHello && hellos.isMultiple(of: 2) { continue }
      default: break
      }
      perform(action, bytes.span.bytes)
    }
  }

  private func isHello(_ bytes: [UInt8]) -> Bool {
    Tampering.kind(bytes) == .hello
  }

  private mutating func play(_ strength: Float, at time: Timestamp, _ perform: Perform) {
    var played = strength
    switch fault {
    case .noClamp where !intensity.isNaN && base.hasSession: played = intensity
    case .noClampHigh where intensity > 1 && base.hasSession: played = intensity
    case .noClampLow where intensity < 0 && base.hasSession: played = min(1, -intensity)
    case .nanIsOne where intensity.isNaN: played = 1
    case .ignoresZero where strength == 0 && base.hasSession: return
    case .keepsVibrating where !base.hasSession: return
    case .firstValueWins:
      if hasPlayed { return }
    case .queued:
      queue.append(strength)
      if queueDue == nil { playQueue(first: time, perform) }
      return
    default: break
    }
    hasPlayed = true
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

  /// A phone that never loses its session is one that hears an ACK again and again.
  private mutating func keepSession(at time: Timestamp, _ perform: Perform) {
    guard fault == .neverTimesOut, !isStream, base.hasSession else { return }
    let ack = Message.ack(.ok)
    let actions = Actions {
      base.receive(ack.bytes.span.bytes, over: .udp, from: VirtualAddresses.host, at: time, $0)
    }
    // Nobody sent that ACK, so nobody is told of it; what else was due is done.
    actions.pass(perform) { action, bytes in
      if case .event(.ack) = action { return nil }
      return (action, bytes)
    }
  }
}

extension Haptic {
  /// The strength that a valid HAPTIC asks for, clamped.
  fileprivate static func strength(in bytes: [UInt8]) -> Float? {
    guard bytes.count == layout.fixedSize, Tampering.kind(bytes) == .haptic else { return nil }
    return fields.intensity.value(in: bytes.span.bytes).map(HapticStrength.clamped)
  }
}
