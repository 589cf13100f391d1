import TelecapModels
import TelecapRecording
import TelecapWire

/// A computer whose pointer a mouse moves (mouse.md, Receiver rules).
public struct MouseHostModel: Peer {
  /// The screen, which limits the pointer.
  public let screen: ScreenSize
  /// The position of the pointer.
  public private(set) var pointer: PointerPosition
  /// The held buttons: bit 0 left, 1 right, 2 middle.
  public private(set) var buttons: UInt8 = 0
  /// The sum of the wheel's movements, + up.
  public private(set) var scroll = 0
  private let inbox = Inbox(.mouse)
  private let reports = Inbox(.mouseHID)
  private var framers: [Endpoint: MessageFramer] = [:]

  /// A computer with its pointer at `start`, or in the centre of its screen.
  public init(screen: ScreenSize = .standard, start: PointerPosition? = nil) {
    self.screen = screen
    pointer = start.map { screen.nearest(x: $0.x, y: $0.y) } ?? screen.centre
  }

  public var nextWake: Timestamp? { nil }

  public mutating func start(at time: Timestamp, _ perform: Perform) {}
  public mutating func advance(to time: Timestamp, _ perform: Perform) {}
  public mutating func stop(at time: Timestamp, _ perform: Perform) {}

  public mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if carrier == .tcp { framers[endpoint] = MessageFramer(.mouse) }
  }

  public mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    guard var framer = framers.removeValue(forKey: endpoint) else { return }
    framer.finish { event, _ in MouseHostModel.report(event, endpoint, perform) }
  }

  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    guard carrier == .tcp else { return packet(bytes, carrier, from: endpoint, perform) }
    var framer = framers.removeValue(forKey: endpoint) ?? MessageFramer(.mouse)
    framer.receive(bytes) { event, frame in
      if event == .message { packet(frame, carrier, from: endpoint, perform) }
      MouseHostModel.report(event, endpoint, perform)
    }
    framers[endpoint] = framer
  }

  /// Rules 1 to 4: a movement is added once and clamped after each packet; the last bitmap wins; reserved bits are
  /// ignored.
  private mutating func packet(_ bytes: RawSpan, _ carrier: Carrier, from endpoint: Endpoint, _ perform: Perform) {
    let isReport = carrier == .ble
    if case .invalid(_, let rule) = (isReport ? reports : inbox).read(bytes) {
      return PeerAction.tell(.invalid(endpoint, rule), perform)
    }
    guard let sample = isReport ? MouseSample(report: bytes) : MouseSample(bytes) else { return }
    PeerAction.tell(.mouseReceived(carrier, sample), perform)
    let moved = screen.nearest(x: pointer.x + Int(sample.deltaX), y: pointer.y + Int(sample.deltaY))
    if moved != pointer {
      pointer = moved
      PeerAction.tell(.pointer(moved), perform)
    }
    if sample.scroll != 0 {
      scroll += Int(sample.scroll)
      PeerAction.tell(.scroll(scroll), perform)
    }
    if sample.buttons & 7 != buttons {
      buttons = sample.buttons & 7
      PeerAction.tell(.buttons(buttons), perform)
    }
  }

  private static func report(_ event: FrameEvent, _ endpoint: Endpoint, _ perform: Perform) {
    switch event {
    case .skipped(let count), .incomplete(_, let count):
      PeerAction.tell(.skipped(endpoint, bytes: count), perform)
    case .message, .badLength: return
    }
  }
}
