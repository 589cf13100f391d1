import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// A mouse host that is right in all but one way.
struct FaultyMouseHost: DrivenPeer {
  private let fault: MouseHostFault
  private let screen = ScreenSize.standard
  private var framers: [Endpoint: MessageFramer] = [:]
  private var inbox = Inbox(.mouse)
  /// Where the pointer would be; a pointer that remembers what lies beyond the screen may be off it.
  private var place: PointerPosition
  private var buttons: UInt8 = 0
  private var last: [UInt8] = []

  init(_ fault: MouseHostFault) {
    self.fault = fault
    place = screen.centre
  }

  var nextWake: Timestamp? { nil }
  mutating func start(at time: Timestamp, _ perform: Perform) {}
  mutating func stop(at time: Timestamp, _ perform: Perform) {}
  mutating func advance(to time: Timestamp, _ perform: Perform) {}

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard carrier == .tcp, fault != .readIsPacket else {
      return packet(bytes.withUnsafeBytes { Array($0) }, carrier, perform)
    }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(.mouse)
    framer.receive(bytes) { event, frame in
      if event == .message { packet(frame.withUnsafeBytes { Array($0) }, carrier, perform) }
    }
    framers[endpoint] = framer
  }

  private mutating func packet(_ bytes: [UInt8], _ carrier: Carrier, _ perform: Perform) {
    guard let sample = sample(bytes), !(fault == .ignoresControl && carrier == .tcp) else { return }
    if fault == .duplicatesDropped, bytes == last { return }
    last = bytes
    move(sample, perform)
    press(sample.buttons, perform)
  }

  /// What a packet says, whether or not it is one.
  private mutating func sample(_ bytes: [UInt8]) -> MouseSample? {
    var packet = bytes
    if fault == .headerUnchecked, packet.count == MousePacket.size { packet[0] = MousePacket.movementHeader }
    if fault == .lengthUnchecked, packet.count >= 3 {
      packet = Array((packet + [0, 0]).prefix(MousePacket.size))
    }
    guard case .valid = inbox.read(packet.span.bytes) else { return nil }
    return MouseSample(packet.span.bytes)
  }

  private mutating func move(_ sample: MouseSample, _ perform: Perform) {
    guard sample.deltaX != 0 || sample.deltaY != 0 else { return }
    place = PointerPosition(x: place.x + Int(sample.deltaX), y: place.y + Int(sample.deltaY))
    let nearest = screen.nearest(x: place.x, y: place.y)
    switch fault {
    case .leavesScreen: perform(.event(.pointer(place)), RawSpan())
    case .remembersBeyond: perform(.event(.pointer(nearest)), RawSpan())
    default:
      place = nearest
      perform(.event(.pointer(nearest)), RawSpan())
    }
  }

  private mutating func press(_ bitmap: UInt8, _ perform: Perform) {
    let shown: UInt8 =
      switch fault {
      case .stickyButtons: buttons | bitmap & 7
      case .reservedCounts: bitmap
      default: bitmap & 7
      }
    guard shown != buttons else { return }
    buttons = shown
    perform(.event(.buttons(shown)), RawSpan())
  }
}
