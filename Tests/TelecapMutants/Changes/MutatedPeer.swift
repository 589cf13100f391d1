import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapWire

/// A right model with one change around it. Without a change it is the right model.
struct MutatedPeer: DrivenPeer {
  private var base: any DrivenPeer
  private let mutation: Mutation
  private let owner: WireProtocol
  private let reach: Reach
  private var memory: Memory
  private var framers: [Endpoint: MessageFramer] = [:]
  private var kept: [Endpoint: [UInt8]] = [:]
  /// The pending actions, in order of time.
  private var later: [(due: Timestamp, deed: ActionBinding)] = []
  /// The right model's answers go to nobody.
  private var isHushed = false

  init(_ base: any DrivenPeer, _ mutation: Mutation, _ setup: Setup, _ reach: Reach) {
    guard let owner = setup.part.role?.owner else { preconditionFailure("\(setup.part) has no wire") }
    (self.base, self.mutation, self.owner, self.reach) = (base, mutation, owner, reach)
    memory = Memory(setup)
    if mutation.setup != nil { reach.isTouched = true }
  }

  var broke: String? { base.broke ?? memory.broke }

  var nextWake: Timestamp? {
    guard let due = later.first?.due else { return base.nextWake }
    return base.nextWake.map { min($0, due) } ?? due
  }

  mutating func start(at time: Timestamp, _ perform: Perform) {
    memory.time = time
    pass(act { $0.start(at: time, $1) }, perform)
  }

  mutating func stop(at time: Timestamp, _ perform: Perform) {
    memory.time = time
    pass(act { $0.stop(at: time, $1) }, perform)
  }

  mutating func opened(_ carrier: Carrier, _ end: Endpoint, at time: Timestamp, _ perform: Perform) {
    memory.time = time
    forget(end)
    pass(act { $0.opened(carrier, end, at: time, $1) }, perform)
  }

  mutating func closed(_ end: Endpoint, at time: Timestamp, _ perform: Perform) {
    memory.time = time
    forget(end)
    pass(act { $0.closed(end, at: time, $1) }, perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    memory.time = time
    while let first = later.first, first.due <= time {
      later.removeFirst()
      if first.deed.condition?(memory) != false { carryOut(first.deed, perform) }
    }
    pass(act { $0.advance(to: time, $1) }, perform)
  }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    memory.time = time
    var reports: [[UInt8]] = []
    for action in asked(action) {
      pass(act { reports += $0.ask(action, at: time, $1) }, perform)
    }
    guard mutation.sends != nil else { return reports }
    return reports.flatMap { bytes -> [[UInt8]] in
      let packet = Packet(bytes, nil, VirtualAddresses.host, of: owner)
      return sent(packet).compactMap { deed in
        guard case .send(let packet) = deed.what, packet.carrier == nil else { return nil }
        return packet.bytes
      }
    }
  }

  private mutating func asked(_ action: any UserAction) -> [any UserAction] {
    guard let asks = mutation.asks, let mouse = action as? MouseAction else { return [action] }
    let asked = asks(mouse, &memory)
    if asked != [mouse] { reach.isTouched = true }
    return asked
  }

  // MARK: - In

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from end: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    memory.time = time
    if !memory.peers.contains(end) { memory.peers.append(end) }
    let piece = bytes.array
    guard carrier == .tcp else { return received(Packet(piece, carrier, end, of: owner), perform) }
    if let reads = mutation.reads {
      reach.isTouched = true
      for piece in reads(piece, &kept[end, default: []]) { deliver(piece, carrier, end, perform) }
      return
    }
    guard mutation.receives != nil, let dialect = owner.dialect(over: .tcp) else {
      return deliver(piece, carrier, end, perform)
    }
    var framer = framers.removeValue(forKey: end) ?? MessageFramer(dialect)
    var found: [(FrameEvent, [UInt8])] = []
    framer.receive(bytes) { found.append(($0, $1.array)) }
    framers[end] = framer
    for (event, frame) in found {
      switch event {
      case .message: received(Packet(frame, carrier, end, of: owner), perform)
      // Bytes of no message, for the right model to find.
      case .badLength(let length, _):
        guard case .length(let prefix) = dialect.framing else { continue }
        deliver(prefix.bytes(of: length), carrier, end, perform)
      case .skipped(let count), .incomplete(_, let count):
        deliver([UInt8](repeating: 0, count: count), carrier, end, perform)
      }
    }
  }

  private mutating func received(_ packet: Packet, _ perform: Perform) {
    guard let receives = mutation.receives else { return receive(packet, perform) }
    let deeds = receives(packet, &memory)
    if !deeds.isJust(.receive(packet)) { reach.isTouched = true }
    for deed in deeds { take(deed, perform) }
  }

  /// The right model receives a message.
  private mutating func receive(_ packet: Packet, _ perform: Perform) {
    guard let carrier = packet.carrier else { return }
    let framing = carrier == .tcp ? owner.dialect(over: .tcp)?.framing : nil
    deliver(framing?.framed(packet.bytes) ?? packet.bytes, carrier, packet.end, perform)
  }

  private mutating func deliver(_ bytes: [UInt8], _ carrier: Carrier, _ end: Endpoint, _ perform: Perform) {
    let time = memory.time
    pass(act { $0.receive(bytes.span.bytes, over: carrier, from: end, at: time, $1) }, perform)
  }

  private mutating func forget(_ end: Endpoint) {
    guard !mutation.keepsStream else { return }
    framers[end] = nil
    kept[end] = nil
  }

  // MARK: - Out

  private mutating func act(_ work: (inout any DrivenPeer, Perform) -> Void) -> [(PeerAction, [UInt8])] {
    var done: [(PeerAction, [UInt8])] = []
    work(&base) { done.append(($0, $1.array)) }
    return done
  }

  /// Passes on what the right model does, changed.
  private mutating func pass(_ actions: [(PeerAction, [UInt8])], _ perform: Perform) {
    for (action, bytes) in actions {
      switch action {
      case .event(let event): show(event, perform)
      case .send(let carrier, let end):
        var frame = 0
        if carrier == .tcp, case .length(let prefix)? = owner.dialect(over: .tcp)?.framing { frame = prefix.size }
        let packet = Packet(Array(bytes.dropFirst(frame)), carrier, end, of: owner)
        if isHushed, packet.kind.answers { continue }
        for deed in sent(packet) { take(deed, perform) }
      case .disconnect(let end):
        forget(end)
        perform(action, bytes.span.bytes)
      }
    }
  }

  private mutating func sent(_ packet: Packet) -> [ActionBinding] {
    guard let sends = mutation.sends else { return [.send(packet)] }
    let deeds = sends(packet, &memory)
    if !deeds.isJust(.send(packet)) { reach.isTouched = true }
    return deeds
  }

  private mutating func show(_ event: PeerEvent, _ perform: Perform) {
    switch event {
    case .sessionOpened(let client, let id): (memory.client, memory.sessionID) = (client, id)
    case .sessionClosed: memory.client = nil
    case .requested where isHushed, .answered where isHushed: return
    default: break
    }
    guard let shows = mutation.shows else { return perform(.event(event), RawSpan()) }
    let deeds = shows(event, &memory)
    if !deeds.isJust(.show(event)) { reach.isTouched = true }
    for deed in deeds { take(deed, perform) }
  }

  // MARK: - Deeds

  private mutating func take(_ deed: ActionBinding, _ perform: Perform) {
    guard deed.after == 0 else {
      let due = memory.time.advanced(byNanoseconds: deed.after)
      let place = later.firstIndex { $0.due > due } ?? later.count
      return later.insert((due, deed), at: place)
    }
    carryOut(deed, perform)
  }

  private mutating func carryOut(_ deed: ActionBinding, _ perform: Perform) {
    switch deed.what {
    case .receive(let packet): receive(packet, perform)
    case .hush(let packet):
      isHushed = true
      receive(packet, perform)
      isHushed = false
    case .send(let packet): send(packet, perform)
    case .show(let event): perform(.event(event), RawSpan())
    case .part(let end):
      let (time, carrier) = (memory.time, memory.setup.carrier)
      pass(act { $0.closed(end, at: time, $1) }, perform)
      pass(act { $0.opened(carrier, end, at: time, $1) }, perform)
    }
  }

  private func send(_ packet: Packet, _ perform: Perform) {
    guard let carrier = packet.carrier else { return }
    let framing = carrier == .tcp ? owner.dialect(over: .tcp)?.framing : nil
    let bytes = framing?.framed(packet.bytes) ?? packet.bytes
    perform(.send(carrier, to: packet.end), bytes.span.bytes)
  }
}

extension [ActionBinding] {
  /// Whether this is all that is done, and at once.
  fileprivate func isJust(_ deed: ActionBinding) -> Bool {
    guard count == 1, self[0].after == 0, self[0].condition == nil else { return false }
    return switch (self[0].what, deed.what) {
    case (.receive(let left), .receive(let right)), (.send(let left), .send(let right)): left == right
    // A NaN is not the same as itself.
    case (.show(let left), .show(let right)): left == right || "\(left)" == "\(right)"
    default: false
    }
  }
}
