import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A mutant of the host: it changes the input or the output of the correct model.
struct FaultyHost<Base: HostPeer>: DrivenPeer {
  private var base: Base
  private let fault: HostFault
  private let code: [UInt8]
  private(set) var broke: String?
  private var client: Endpoint?
  private var sessionID: UInt32 = 0
  private var lastHeard: Timestamp?
  private var newest: UInt16?
  private var acked: Set<Endpoint> = []
  private var refused: [Endpoint] = []
  private var unframed = Unframed()
  private var beats = 0
  private var forces = 0
  private var sessions = 0
  /// The number of poses applied in this session.
  private var poses = 0
  private var closedIDs: Set<UInt32> = []
  /// Whether a HELLO that kept its session made it forget the earlier poses.
  private var hasForgotten = false
  /// The transport, known from the messages that it receives.
  private var carrier = Carrier.udp
  private var dialect: Dialect { .tele(over: carrier) }

  init(_ base: Base, _ fault: HostFault, code: String) {
    self.base = base
    self.fault = fault
    self.code = Array(code.utf8)
  }

  /// The silence in ns after which this fault ends a session; nil leaves that to the correct model.
  private var ownTimeout: Nanoseconds? {
    switch fault {
    case .timesOutEarly: 1_000_000_000
    case .helloKeepsAlive: 1_500_000_000
    default: nil
    }
  }

  private var ownDeadline: Timestamp? {
    guard let ownTimeout, client != nil else { return nil }
    return lastHeard?.advanced(byNanoseconds: ownTimeout)
  }

  var nextWake: Timestamp? {
    guard let ownDeadline else { return base.nextWake }
    return base.nextWake.map { min($0, ownDeadline) } ?? ownDeadline
  }

  mutating func start(at time: Timestamp, _ perform: Perform) { base.start(at: time, perform) }

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
    refused.removeAll { $0 == endpoint }
    pass(Actions { base.closed(endpoint, at: time, $0) }, at: time, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    if let ownDeadline, time >= ownDeadline { bye(at: time, perform) }
    keepSession(at: time, perform)
    pass(Actions { base.advance(to: time, $0) }, at: time, perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    if let ownDeadline, time >= ownDeadline { bye(at: time, perform) }
    keepSession(at: time, perform)
    let bytes = bytes.withUnsafeBytes { Array($0) }
    if carrier == .tcp, fault == .readIsFrame {
      if let frame = Tampering.firstFrame(bytes) { take(frame, over: carrier, from: endpoint, at: time, perform) }
      return
    }
    for message in unframed.messages(in: bytes, over: carrier, from: endpoint) {
      var source = endpoint
      guard let message = received(message, &source, at: time, perform) else { continue }
      noteHello(message, from: source)
      if source == client, let kind = Tampering.kind(message), kind == .hello || fault != .helloKeepsAlive {
        lastHeard = time
      }
      take(Unframed.framed(message, over: carrier), over: carrier, from: source, at: time, perform)
      if fault == .acksPoses, Tampering.kind(message) == .pose {
        let ack = carrier == .tcp ? Message.ackTCP(.ok).bytes : Message.ack(.ok).bytes
        perform(.send(carrier, to: endpoint), Unframed.framed(ack, over: carrier).span.bytes)
      }
    }
  }

  /// Forgets the poses before the first HELLO that keeps the session after a pose.
  private mutating func noteHello(_ bytes: [UInt8], from source: Endpoint) {
    guard fault == .secondHelloBeginsAgain, source == client, newest != nil, !hasForgotten,
      bytes.count == Hello.layout.fixedSize, let hello = Typed<Hello>(Message(keeping: bytes, as: dialect)),
      hasCode(hello), hello[Hello.fields.sessionID] == sessionID
    else { return }
    (hasForgotten, newest) = (true, nil)
  }

  private mutating func take(
    _ bytes: [UInt8], over carrier: Carrier, from source: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    pass(Actions { base.receive(bytes.span.bytes, over: carrier, from: source, at: time, $0) }, at: time, perform)
  }

  // MARK: - In

  /// The message after this fault, with its source; nil drops it.
  private mutating func received(
    _ bytes: [UInt8], _ source: inout Endpoint, at time: Timestamp, _ perform: Perform
  ) -> [UInt8]? {
    // Two zeros are an invalid length.
    if bytes == [0, 0], carrier == .tcp { return fault == .ignoresBadLength ? nil : bytes }
    // Six raw bytes over Bluetooth are a code without a header.
    if carrier == .ble, bytes.count == PairingCode.size { return receivedCode(bytes, source, at: time, perform) }
    let kind = Tampering.kind(bytes)
    switch fault {
    case .magicUnchecked: return Tampering.rightMagic(bytes)
    case .versionUnchecked: return kind == .hello ? bytes : Tampering.rightVersion(bytes)
    case .anyHelloVersion: return kind == .hello ? Tampering.rightVersion(bytes) : bytes
    case .typeUnchecked: return Tampering.knownType(bytes, .pose)
    case .lengthUnchecked: return Tampering.padded(bytes, .pose)
    case .readsTrailing: return Tampering.tail(bytes, .pose)
    case .oneNaN where kind == .pose && bytes.count >= Pose.layout.fixedSize: return Tampering.withoutRareNaN(bytes)
    case .crashesOnShort:
      if bytes.count < Header.size { broke = "crashed: index out of range" }
      return broke == nil ? bytes : nil
    case .obeysReserved:
      guard kind == .pose, var pose = Typed<Pose>(Message(keeping: bytes, as: dialect)),
        pose[Pose.fields.flags] > Pose.movementStart || pose[Pose.fields.reserved] != 0
      else { return bytes }
      pose[Pose.fields.x] = -pose[Pose.fields.x] - 1
      return pose.message.bytes
    default: return receivedInSession(bytes, kind, &source, at: time, perform)
    }
  }

  /// The same for the faults about sessions.
  private mutating func receivedInSession(
    _ bytes: [UInt8], _ kind: MessageKind?, _ source: inout Endpoint, at time: Timestamp, _ perform: Perform
  ) -> [UInt8]? {
    let message = Message(keeping: bytes, as: dialect)
    let hello = bytes.count == Hello.layout.fixedSize ? Typed<Hello>(message) : nil
    switch fault {
    case .anyCode: return hello.map { withCode($0).message.bytes } ?? bytes
    case .identityUnchecked where source == client:
      return hello.map { withCode(withSession($0)).message.bytes } ?? bytes
    case .takenOver where client != nil && source != client && hello.map(hasCode) == true:
      bye(at: time, perform)
      return bytes
    case .anyBye where bytes.count == Bye.layout.fixedSize && source == client:
      guard var bye = Typed<Bye>(message) else { return bytes }
      bye[Bye.fields.sessionID] = sessionID
      return bye.message.bytes
    case .ignoresBye where kind == .bye: return nil
    case .oldBye where bytes.count == Bye.layout.fixedSize && source == client:
      guard var bye = Typed<Bye>(message), closedIDs.contains(bye[Bye.fields.sessionID]) else { return bytes }
      bye[Bye.fields.sessionID] = sessionID
      return bye.message.bytes
    case .wrongCodeKeepsAlive where source != client && hello.map(hasCode) == false:
      hearClient(at: time, perform)
      return bytes
    case .portsAlone where source.port == client?.port:
      source = client ?? source
      return bytes
    case .anySender where kind == .pose || kind == .cmd:
      source = client ?? source
      return bytes
    default: return bytes
    }
  }

  /// The code after this fault, over Bluetooth.
  private mutating func receivedCode(
    _ bytes: [UInt8], _ source: Endpoint, at time: Timestamp, _ perform: Perform
  ) -> [UInt8] {
    if fault == .anyCode { return code }
    if fault == .takenOver, client != nil, source != client, bytes == code { bye(at: time, perform) }
    return bytes
  }

  private func hasCode(_ hello: Typed<Hello>) -> Bool {
    hello.message.value(of: Hello.fields.code.row.name) == .text(String(decoding: code, as: UTF8.self))
  }

  private func withCode(_ hello: Typed<Hello>) -> Typed<Hello> {
    var hello = hello
    hello.store(code, in: Hello.fields.code)
    return hello
  }

  private func withSession(_ hello: Typed<Hello>) -> Typed<Hello> {
    var hello = hello
    hello[Hello.fields.sessionID] = sessionID
    return hello
  }

  /// Ends the session as if its client had sent BYE.
  private mutating func bye(at time: Timestamp, _ perform: Perform) {
    guard let client else { return }
    guard carrier != .ble else {
      // Over Bluetooth the end of the link ends the session; the link itself stays.
      pass(Actions { base.closed(client, at: time, $0) }, at: time, perform)
      return pass(Actions { base.opened(carrier, client, at: time, $0) }, at: time, perform)
    }
    let message = Unframed.framed(Message.bye(sessionID: sessionID).bytes, over: carrier)
    take(message, over: carrier, from: client, at: time, perform)
  }

  /// Makes up signs of life of the client, for a host that never loses a session.
  private mutating func keepSession(at time: Timestamp, _ perform: Perform) {
    if fault == .neverTimesOut { hearClient(at: time, perform) }
  }

  /// Makes up a HELLO of the client.
  private mutating func hearClient(at time: Timestamp, _ perform: Perform) {
    guard carrier == .udp, let client else { return }
    let hello = withCode(withSession(Typed<Hello>())).message
    let actions = Actions { base.receive(hello.bytes.span.bytes, over: .udp, from: client, at: time, $0) }
    // The HELLO is made up, so drop its answer and keep all other actions.
    actions.pass(perform) { action, bytes in
      if case .event(.requested) = action { return nil }
      return Tampering.kind(bytes) == .ack ? nil : (action, bytes)
    }
  }

  // MARK: - Out

  /// Passes on the actions of the correct model, changed by this fault.
  private mutating func pass(_ actions: Actions, at time: Timestamp, _ perform: Perform) {
    for (action, bytes) in actions.list {
      switch action {
      case .event(let event):
        note(event, at: time)
        if let event = shown(event) { perform(.event(event), RawSpan()) }
      case .send(let carrier, let endpoint):
        guard let message = sent(Unframed.unframed(bytes, over: carrier), to: endpoint) else { continue }
        let bytes = Unframed.framed(message, over: carrier)
        perform(action, bytes.span.bytes)
        guard Tampering.kind(message) == .haptic else { continue }
        let isDoubled = fault == .sendsTwice || fault == .fasterLater && sessions >= 3
        if isDoubled { perform(action, bytes.span.bytes) }
        for end in refused where end != endpoint && fault == .sendsToRefused {
          perform(.send(carrier, to: end), bytes.span.bytes)
        }
      case .disconnect(let endpoint):
        if fault == .waitsForHello, client != endpoint, !acked.contains(endpoint) { continue }
        if fault == .sendsToRefused || refused.contains(endpoint) { continue }
        perform(action, RawSpan())
      }
    }
  }

  private mutating func note(_ event: PeerEvent, at time: Timestamp) {
    switch event {
    case .sessionOpened(let endpoint, let id):
      client = endpoint
      sessions += 1
      poses = 0
      hasForgotten = false
      sessionID = id
      lastHeard = time
      newest = nil
    case .sessionClosed:
      client = nil
      closedIDs.insert(sessionID)
    default: return
    }
  }

  /// The message that it sends in place of the correct one; nil for none.
  private mutating func sent(_ bytes: [UInt8], to endpoint: Endpoint) -> [UInt8]? {
    let message = Message(keeping: bytes, as: dialect)
    let status =
      carrier == .tcp
      ? Typed<AckTCP>(message).map { AckStatus(rawValue: $0[AckTCP.fields.status]) }
      : Typed<Ack>(message).map { AckStatus(rawValue: $0[Ack.fields.status]) }
    if status != nil, fault != .acksOnce { acked.insert(endpoint) }
    if let status, isKept(status), !refused.contains(endpoint) { refused.append(endpoint) }
    if fault == .reservedInAck, status != nil {
      var bytes = bytes
      bytes[Ack.fields.reserved.row.offset] = 1
      return bytes
    }
    switch fault {
    case .acksOnce where status != nil: return acked.insert(endpoint).inserted ? bytes : nil
    case .neverBusy where status == .busy: return nil
    case .silentOnBadCode where status == .badCode: return nil
    case .sendsTooMuch:
      guard var haptic = Typed<Haptic>(message) else { return bytes }
      haptic[Haptic.fields.intensity] = 3 * haptic[Haptic.fields.intensity]
      return haptic.message.bytes
    case .nanLater:
      guard var haptic = Typed<Haptic>(message) else { return bytes }
      forces += 1
      if forces >= 150 { haptic[Haptic.fields.intensity] = .nan }
      return haptic.message.bytes
    case .slowHeartbeat where message.kind == .heartbeat:
      beats += 1
      return beats.isMultiple(of: 2) ? nil : bytes
    case .stillCounter:
      guard var beat = Typed<Heartbeat>(message) else { return bytes }
      beat[Heartbeat.fields.counter] = 0
      return beat.message.bytes
    case .sendsReserved:
      guard var haptic = Typed<Haptic>(message) else { return bytes }
      haptic[Haptic.fields.reserved] = 1
      return haptic.message.bytes
    default: return bytes
    }
  }

  /// Whether it keeps the client of an answer with this status, although the answer rejects it.
  private func isKept(_ status: AckStatus) -> Bool {
    switch fault {
    case .sendsToRefused, .keepsRefused: status != .ok
    case .keepsOtherVersion: status == .versionUnsupported
    default: false
    }
  }

  /// The event in place of the correct one; nil for none.
  private mutating func shown(_ event: PeerEvent) -> PeerEvent? {
    switch event {
    case .applied(let value):
      if let pose = PoseSample(value) { return applied(pose, event) }
      guard fault == .togglesCommands else { return event }
      var value = value
      value.isChange = true
      return .applied(value)
    case .dropped(let value, let reason): return PoseSample(value).map { dropped($0, reason, event) } ?? event
    case .ignored(_, .cmd, .unknownCode) where fault == .obeysUnknownCommands:
      return .command(type: 9, value: 1, changed: true)
    default: return event
    }
  }

  /// The event in place of applying a pose.
  private mutating func applied(_ pose: PoseSample, _ event: PeerEvent) -> PeerEvent? {
    switch fault {
    case .thousandPoses:
      poses += 1
      return poses <= 1_000 ? event : nil
    case .notFiniteFirst, .secondHelloBeginsAgain, .halfIsNewer:
      newest = pose.seq
      return event
    case .firstPoseTwice:
      newest = newest ?? pose.seq
      return event
    case .wrapIsOld:
      if let newest, pose.seq < newest { return .poseDropped(pose, .stale) }
      newest = pose.seq
      return event
    case .firstValueWins:
      defer { newest = pose.seq }
      return newest == nil ? event : .poseDropped(pose, .stale)
    case .appliesHalf:
      var pose = pose
      let norm = (pose.orientation * pose.orientation).sum()
      if abs(norm - 1) > 2e-3 { pose.orientation = [0, 0, 0, 1] }
      return .poseApplied(pose)
    default: return event
    }
  }

  /// The event in place of dropping a pose.
  private mutating func dropped(
    _ pose: PoseSample, _ reason: PeerEvent.DropReason, _ event: PeerEvent
  ) -> PeerEvent {
    switch (fault, reason) {
    case (.orderOfArrival, .stale), (.appliesDuplicates, .duplicate), (.appliesNotFinite, .notFinite):
      return .poseApplied(pose)
    case (.notFiniteFirst, .notFinite): return newest == nil ? .poseApplied(pose) : event
    case (.firstPoseTwice, .duplicate): return pose.seq == newest ? .poseApplied(pose) : event
    case (.secondHelloBeginsAgain, .stale), (.secondHelloBeginsAgain, .duplicate):
      if !hasForgotten { return event }
      if let newest, !SerialNumber.isNewer(pose.seq, than: newest) { return event }
      newest = pose.seq
      return .poseApplied(pose)
    case (.halfIsNewer, .stale):
      guard let newest, pose.seq &- newest == 0x8000 else { return event }
      return .poseApplied(pose)
    default: return event
    }
  }
}
