import TelecapModels
import TelecapRecording
import TelecapWire

/// A phone as a mouse: movement over UDP, clicks over TCP (mouse.md, Sender rules).
public struct MouseModel: Peer {
  private let movement: Endpoint
  private let control: Endpoint
  private let script: MouseScript
  private var isMovementUp = false
  private var isControlUp = false
  private var isStarted = false
  private var lacksBluetooth = false
  private var began: Timestamp?
  private var position = 0
  private var buttons: UInt8 = 0

  /// A mouse that sends movement and control to these endpoints, and plays `script` once both connections are up.
  public init(movement: Endpoint, control: Endpoint, script: MouseScript = MouseScript([])) {
    self.movement = movement
    self.control = control
    self.script = script
  }

  /// A mouse without Bluetooth, whose API rejects a connection over it.
  public static let withoutBluetooth: MouseModel = {
    var mouse = MouseModel(movement: Endpoint(.loopback, port: 0), control: Endpoint(.loopback, port: 0))
    mouse.lacksBluetooth = true
    return mouse
  }()

  /// Whether both connections are up.
  public var isConnected: Bool { isMovementUp && isControlUp }

  public var isFinished: Bool { isStarted && position >= script.inputs.count }

  public var nextWake: Timestamp? {
    guard let began, position < script.inputs.count else { return nil }
    return began.advanced(byNanoseconds: script.inputs[position].time)
  }

  public mutating func start(at time: Timestamp, _ perform: Perform) {
    isStarted = true
    if lacksBluetooth { return PeerAction.tell(.refused(.bluetoothNotAvailable), perform) }
    begin(at: time, perform)
  }

  public mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    if carrier == .udp { isMovementUp = true } else { isControlUp = true }
    begin(at: time, perform)
  }

  public mutating func unreachable(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    PeerAction.tell(.refused(.wifiConnectionFailed), perform)
  }

  public mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) { isControlUp = false }

  /// Ignores all received bytes, because a mouse has no messages to receive.
  public mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    PeerAction.tell(.ignored(endpoint, .mouseMalformed, .direction), perform)
  }

  /// Sends every input that is due: movements are increments, so none may be skipped.
  public mutating func advance(to time: Timestamp, _ perform: Perform) {
    while let due = nextWake, due <= time {
      let input = script.inputs[position]
      position += 1
      do throws(MouseError) {
        if input.buttons != buttons { try press(input.buttons, perform) }
        guard input.deltaX != 0 || input.deltaY != 0 || input.scroll != 0 else { continue }
        try move(deltaX: input.deltaX, deltaY: input.deltaY, scroll: input.scroll, perform)
      } catch {
        PeerAction.tell(.refused(error), perform)
      }
    }
  }

  /// Releases all buttons.
  public mutating func stop(at time: Timestamp, _ perform: Perform) {
    if buttons != 0, isConnected { try? press(0, perform) }
    position = script.inputs.count
  }

  // MARK: - The API

  /// Moves by this many counts, rounded to the nearest count and clamped to int16.
  /// - Throws: `notConnected` before both connections are up, `invalidData` for NaN.
  public mutating func move(deltaX: Double, deltaY: Double, scroll: Double = 0, _ perform: Perform) throws(MouseError) {
    try move(
      deltaX: try MouseModel.counts(deltaX), deltaY: try MouseModel.counts(deltaY),
      scroll: try MouseModel.counts(scroll), perform)
  }

  /// Moves by this many counts, clamped to int16, in as many packets as necessary.
  /// - Throws: `notConnected` before both connections are up.
  public mutating func move(deltaX: Int, deltaY: Int, scroll: Int = 0, _ perform: Perform) throws(MouseError) {
    guard isConnected else { throw .notConnected }
    let x = Int(Int16(clamping: deltaX))
    let y = Int(Int16(clamping: deltaY))
    let wheel = Int(Message.clampedToPacket(scroll))
    if x != deltaX || y != deltaY || wheel != scroll {
      PeerAction.tell(.clamped(deltaX: x, deltaY: y, scroll: wheel), perform)
    }
    for packet in MouseSplit(deltaX: x, deltaY: y, buttons: buttons, scroll: scroll) {
      send(packet, .udp, perform)
    }
  }

  /// Sends the bitmap of held buttons over TCP, without reserved bits.
  /// - Throws: `notConnected` before both connections are up.
  public mutating func press(_ bitmap: UInt8, _ perform: Perform) throws(MouseError) {
    guard isConnected else { throw .notConnected }
    buttons = bitmap & 7
    send(MouseSample(buttons: buttons, deltaX: 0, deltaY: 0, scroll: 0), .tcp, perform)
  }

  /// The nearest count to `value` (Sender rule 5), clamped to ±1,000,000.
  private static func counts(_ value: Double) throws(MouseError) -> Int {
    guard !value.isNaN else { throw .invalidData }
    return Int(Int64(clampingRounded: max(-1_000_000, min(1_000_000, value))))
  }

  // MARK: -

  private mutating func begin(at time: Timestamp, _ perform: Perform) {
    guard isStarted, isConnected, began == nil else { return }
    began = time
    advance(to: time, perform)
  }

  private func send(_ packet: MouseSample, _ carrier: Carrier, _ perform: Perform) {
    let x = Int(packet.deltaX)
    let y = Int(packet.deltaY)
    let scroll = Int(packet.scroll)
    let message =
      carrier == .udp
      ? Message.mouseMovement(deltaX: x, deltaY: y, buttons: packet.buttons, scroll: scroll)
      : Message.mouseControl(buttons: packet.buttons, deltaX: x, deltaY: y, scroll: scroll)
    perform(.send(carrier, to: carrier == .udp ? movement : control), message.bytes.span.bytes)
    PeerAction.tell(.mouseSent(carrier, packet), perform)
  }
}
