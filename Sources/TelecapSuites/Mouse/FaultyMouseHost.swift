import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// A mutant of the mouse host: it changes the input or the output of the correct model.
struct FaultyMouseHost: DrivenPeer {
  private var base = MouseHostModel()
  private let fault: MouseHostFault
  private var framers: [Endpoint: MessageFramer] = [:]
  private var last: [UInt8] = []
  /// The number of received packets.
  private var packets = 0
  /// The position of the pointer without edges.
  private var place: PointerPosition
  private var buttons: UInt8 = 0
  /// Byte streams that it no longer reads, and the pending bytes of the fault that counts by five.
  private var given: Set<Endpoint> = []
  private var pending: [UInt8] = []
  /// Connections without data, and whether no data came over UDP since the last of them was opened.
  private var silent: Set<Endpoint> = []
  private var isFirst = false

  init(_ fault: MouseHostFault) {
    self.fault = fault
    place = base.pointer
  }

  var said: SetupOptions { base.said }

  var nextWake: Timestamp? { nil }
  mutating func start(at time: Timestamp, _ perform: Perform) {}
  mutating func stop(at time: Timestamp, _ perform: Perform) {}
  mutating func advance(to time: Timestamp, _ perform: Perform) {}
  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard carrier == .tcp else { return }
    framers[endpoint] = nil
    pending = []
    given.remove(endpoint)
    silent.insert(endpoint)
    isFirst = true
  }

  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard silent.remove(endpoint) != nil, fault == .releasesOnEmptyClose, base.buttons != 0 else { return }
    let release = Message.mouseMovement(deltaX: 0, deltaY: 0, buttons: 0)
    let actions = Actions { base.receive(release.bytes.span.bytes, over: .udp, from: endpoint, at: time, $0) }
    // The packet is made up, so report only its effect on the buttons.
    actions.pass(perform) { action, bytes in
      if case .event(let event) = action, event.buttons != nil { return (action, bytes) }
      return nil
    }
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    if carrier == .tcp { silent.remove(endpoint) }
    guard carrier == .tcp, fault != .readIsPacket else {
      return packet(bytes.withUnsafeBytes { Array($0) }, carrier, from: endpoint, at: time, perform)
    }
    if fault == .resyncsByFive { return blocks(bytes, from: endpoint, at: time, perform) }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(.mouse)
    framer.receive(bytes) { event, frame in
      if event != .message, fault == .neverResyncs { given.insert(endpoint) }
      guard event == .message, !given.contains(endpoint) else { return }
      packet(frame.withUnsafeBytes { Array($0) }, carrier, from: endpoint, at: time, perform)
    }
    framers[endpoint] = framer
  }

  /// Reads every five bytes of a byte stream as a packet.
  private mutating func blocks(_ bytes: RawSpan, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    pending += bytes.withUnsafeBytes { Array($0) }
    while pending.count >= MousePacket.size {
      packet(Array(pending.prefix(MousePacket.size)), .tcp, from: endpoint, at: time, perform)
      pending.removeFirst(MousePacket.size)
    }
  }

  private mutating func packet(
    _ bytes: [UInt8], _ carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    if fault == .ignoresControl, carrier == .tcp { return }
    if fault == .duplicatesDropped, bytes == last { return }
    packets += 1
    if fault == .thousandPackets, packets > 1_000 { return }
    if fault == .oneIn256, packets % 256 == 0 { return }
    last = bytes
    let packet = carrier == .udp && !silent.isEmpty ? whileSilent(received(bytes)) : received(bytes)
    if carrier == .udp { isFirst = false }
    // Any transport will do for a whole packet.
    let actions = Actions { base.receive(packet.span.bytes, over: .udp, from: endpoint, at: time, $0) }
    for (action, _) in actions.list {
      guard case .event(let event) = action else { continue }
      for event in shown(event) { perform(.event(event), RawSpan()) }
    }
  }

  /// The packet after this fault.
  private func received(_ bytes: [UInt8]) -> [UInt8] {
    switch fault {
    case .headerUnchecked:
      guard bytes.count == MousePacket.size else { return bytes }
      var packet = bytes
      MousePacket.fields.header.write(MousePacket.movementHeader, into: &packet)
      return packet
    case .lengthUnchecked:
      let needed = MousePacket.fields.deltaX.range.upperBound
      guard bytes.count >= needed else { return bytes }
      let zeros = [UInt8](repeating: 0, count: MousePacket.size - needed)
      return Array((bytes + zeros).prefix(MousePacket.size))
    case .invalidReleases where !MousePacket.isRight(bytes):
      return Message.mouseMovement(deltaX: 0, deltaY: 0, buttons: 0).bytes
    case .invalidScrolls where !MousePacket.isRight(bytes) && bytes.count >= MousePacket.size:
      let scroll = Int(Int8(bitPattern: bytes[MousePacket.fields.scroll.range.lowerBound]))
      return Message.mouseMovement(deltaX: 0, deltaY: 0, buttons: base.buttons, scroll: scroll).bytes
    default: return bytes
    }
  }

  /// The packet over UDP after this fault, while a connection without data is open.
  private func whileSilent(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == MousePacket.size else { return bytes }
    var packet = bytes
    switch fault {
    case .waitsForControl: MousePacket.fields.buttons.write(base.buttons, into: &packet)
    case .firstMovementIsOrigin where isFirst:
      MousePacket.fields.deltaX.write(0, into: &packet)
      MousePacket.fields.deltaY.write(0, into: &packet)
    default: break
    }
    return packet
  }

  /// The events that it shows in place of the correct one.
  private mutating func shown(_ event: PeerEvent) -> [PeerEvent] {
    if case .applied(let value) = event { return applied(value) }
    guard let sample = event.receivedPacket?.sample else { return [event] }
    if fault.moves { return [event] + moved(sample) }
    return fault == .reservedCounts ? [event] + pressed(sample.buttons) : [event]
  }

  private mutating func applied(_ value: AppliedValue) -> [PeerEvent] {
    switch (fault, value.stream) {
    case (_, "pointer") where fault.moves, (.reservedCounts, "buttons"), (.ignoresScroll, "scroll"): []
    case (.stickyButtons, "buttons"): pressed(buttons | (PeerEvent.applied(value).buttons ?? 0))
    default: [.applied(value)]
    }
  }

  private mutating func moved(_ sample: MouseSample) -> [PeerEvent] {
    let before = place
    func counts(_ delta: Int16) -> Int { fault == .losesLargest && delta.magnitude >= 127 ? 0 : Int(delta) }
    place.x += counts(sample.deltaX)
    place.y += counts(sample.deltaY) - (fault == .scrollMoves ? Int(sample.scroll) : 0)
    guard place != before else { return [] }
    let nearest = base.screen.nearest(x: place.x, y: place.y)
    switch fault {
    case .leavesScreen: break
    case .noLowerEdge: place = PointerPosition(x: nearest.x, y: max(0, place.y))
    case .remembersBeyond: return [.pointer(nearest)]
    default: place = nearest
    }
    return [.pointer(place)]
  }

  private mutating func pressed(_ bitmap: UInt8) -> [PeerEvent] {
    guard bitmap != buttons else { return [] }
    buttons = bitmap
    return [.buttons(bitmap)]
  }
}

extension MousePacket {
  /// Whether it has the length and a header of a packet.
  fileprivate static func isRight(_ bytes: [UInt8]) -> Bool {
    bytes.count == size && (bytes.first == movementHeader || bytes.first == controlHeader)
  }
}

extension MouseHostFault {
  /// Whether the fault is about the position of the pointer.
  fileprivate var moves: Bool {
    [.leavesScreen, .remembersBeyond, .losesLargest, .noLowerEdge, .scrollMoves].contains(self)
  }
}
