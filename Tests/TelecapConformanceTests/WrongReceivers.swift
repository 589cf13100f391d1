import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// A receiver that does what a test wants with each valid message, right or wrong; with invalid ones as well if the
/// test wants that.
struct Made<State: Sendable>: Peer {
  var state: State
  var inbox: Inbox
  let takesInvalid: Bool
  let act: @Sendable (inout State, MessageKind, borrowing RawSpan, (PeerEvent) -> Void) -> Void

  init(
    _ dialect: Dialect, _ state: State, takesInvalid: Bool = false,
    _ act: @escaping @Sendable (inout State, MessageKind, borrowing RawSpan, (PeerEvent) -> Void) -> Void
  ) {
    self.state = state
    self.act = act
    self.takesInvalid = takesInvalid
    inbox = Inbox(dialect)
  }

  var nextWake: Timestamp? { nil }
  mutating func start(at time: Timestamp, _ perform: Perform) {}
  mutating func advance(to time: Timestamp, _ perform: Perform) {}
  mutating func stop(at time: Timestamp, _ perform: Perform) {}

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    switch inbox.read(bytes) {
    case .invalid where !takesInvalid: return
    case .valid(let kind), .invalid(let kind, _): act(&state, kind, bytes) { perform(.event($0), RawSpan()) }
    }
  }
}

enum WrongPhone: String, CaseIterable, Sendable {
  case noClamp, notANumberIsOne, firstValueWins, queued, ignoresZero, playsBeforeAck, clampsToTen

  /// The strength that this phone plays for `intensity`; `state` is what it remembers.
  func play(_ intensity: Float, _ state: inout (queue: [Float], hasSession: Bool)) -> Float? {
    let clamped = intensity > 0 ? min(intensity, 1) : 0
    if !state.hasSession, self != .playsBeforeAck { return nil }
    switch self {
    case .noClamp: return intensity.isNaN ? 0 : intensity
    case .notANumberIsOne: return max(0, intensity.isNaN ? 1 : min(1, intensity))
    case .firstValueWins:
      if state.queue.isEmpty { state.queue = [clamped] }
      return state.queue[0]
    case .queued:
      // Plays each value one too late.
      defer { state.queue = [clamped] }
      return state.queue.first ?? 0
    case .ignoresZero: return clamped == 0 ? nil : clamped
    case .playsBeforeAck: return clamped
    case .clampsToTen: return intensity > 0 ? min(intensity, 10) : 0
    }
  }

  var receiver: Made<(queue: [Float], hasSession: Bool)> {
    Made(.teleUDP, ([], false)) { state, kind, bytes, tell in
      if kind == .ack { state.hasSession = true }
      guard kind == .haptic, let intensity = Haptic.fields.intensity.value(in: bytes) else { return }
      if let strength = play(intensity, &state) { tell(.hapticApplied(strength)) }
    }
  }
}

enum WrongHost: String, CaseIterable, Sendable {
  case inOrderOfArrival, appliesDuplicates, wrapIsOld, firstValueWins, appliesNotFinite, appliesHalf, neverShows

  /// Whether this host applies `pose` after `newest`.
  func applies(_ pose: PoseSample, after newest: UInt16?) -> Bool {
    guard self != .neverShows else { return false }
    guard pose.isFinite || self == .appliesNotFinite else { return false }
    guard let newest else { return true }
    switch self {
    case .inOrderOfArrival: return pose.seq != newest
    case .appliesDuplicates: return pose.seq == newest || SerialNumber.isNewer(pose.seq, than: newest)
    case .wrapIsOld: return pose.seq > newest
    case .firstValueWins, .neverShows: return false
    case .appliesNotFinite, .appliesHalf: return SerialNumber.isNewer(pose.seq, than: newest)
    }
  }

  var receiver: Made<UInt16?> {
    Made(.teleUDP, nil) { newest, kind, bytes, tell in
      guard kind == .pose, var pose = PoseSample(bytes), applies(pose, after: newest) else { return }
      newest = pose.seq
      if self == .appliesHalf { pose.orientation = [0, 0, 0, 1] }
      tell(.poseApplied(pose))
    }
  }
}

enum WrongMouseHost: String, CaseIterable, Sendable {
  case stickyButtons, overshoots, leavesTheScreen, duplicatesDropped, reservedBitsCount, takesUnknownHeaders
  /// Takes its buttons from TCP only.
  case deaf
  /// Reads the missing bytes of a packet that is too short as 0.
  case takesShortOnes

  struct State: Sendable {
    var x = 50
    var y = 25
    var buttons: UInt8 = 0
    var last: MouseSample?
  }

  var receiver: Made<State> {
    Made(.mouse, State(), takesInvalid: self == .takesUnknownHeaders || self == .takesShortOnes) {
      state, _, bytes, tell in
      var whole = bytes.withUnsafeBytes { Array($0) }
      if self == .takesShortOnes {
        guard whole.first == 0xAA else { return }
        whole += Array(repeating: 0, count: max(0, 5 - whole.count))
      }
      guard let packet = MouseSample(whole.span.bytes) else { return }
      if self == .duplicatesDropped, packet == state.last { return }
      state.last = packet
      state.x += Int(packet.deltaX)
      state.y += Int(packet.deltaY)
      let nearest = ScreenSize(width: 100, height: 50).nearest(x: state.x, y: state.y)
      if self != .overshoots, self != .leavesTheScreen { (state.x, state.y) = (nearest.x, nearest.y) }
      tell(.pointer(self == .leavesTheScreen ? PointerPosition(x: state.x, y: state.y) : nearest))
      switch self {
      case .deaf: break
      case .stickyButtons: state.buttons |= packet.buttons & 7
      case .reservedBitsCount: state.buttons = packet.buttons
      default: state.buttons = packet.buttons & 7
      }
      tell(.buttons(state.buttons))
    }
  }
}
