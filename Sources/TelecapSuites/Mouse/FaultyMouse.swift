import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// A mutant of the mouse: it changes the actions of its user, or the packets of the correct model.
struct FaultyMouse: Device {
  private var base = MouseModel(movement: VirtualAddresses.host, control: VirtualAddresses.host)
  private let fault: MouseFault
  private(set) var broke: String?
  /// The rest of the movement that was not sent, for a fault that counts itself.
  private var left = (x: 0, y: 0)
  /// The buttons before the last click.
  private var before: UInt8 = 0

  init(_ fault: MouseFault) { self.fault = fault }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    guard let asked = action as? MouseAction, let action = obeyed(asked) else { return [] }
    var reports: [[UInt8]] = []
    let actions = Actions { reports = base.ask(action, at: time, $0) }
    var isFirst = true
    if case .move(let x, let y, _) = action { left = (FaultyMouse.counts(x), FaultyMouse.counts(y)) }
    for (done, bytes) in actions.list {
      switch done {
      case .event(let event) where fault == .silentDrop && event.refusal == .notConnected: continue
      case .event(let event) where fault == .clampsSilently && event.clamping != nil: continue
      case .send(.tcp, _): perform(done, clicked(bytes).span.bytes)
      case .send(.udp, _):
        if let packet = Typed<MousePacket>(Message(keeping: bytes, as: .mouse)) {
          for sent in sent(packet, isFirst: isFirst, action) { perform(done, sent.message.bytes.span.bytes) }
        }
        isFirst = false
      default: perform(done, bytes.span.bytes)
      }
    }
    return fault == .bigEndian ? reports.map(FaultyMouse.bigEndian) : reports
  }

  /// The action after this fault; nil where the mutant does nothing more.
  private mutating func obeyed(_ action: MouseAction) -> MouseAction? {
    guard case .move(let deltaX, let deltaY, let scroll) = action, base.isConnected,
      deltaX.isNaN || deltaY.isNaN || scroll.isNaN
    else { return action }
    switch fault {
    case .crashesOnNaN:
      broke = "crashed: Double value cannot be converted to Int16 because it is NaN"
      return nil
    case .nanIsZero: return .move(deltaX: 0, deltaY: 0, scroll: 0)
    default: return action
    }
  }

  /// The packets that it sends in place of one packet of a movement.
  private mutating func sent(_ packet: Typed<MousePacket>, isFirst: Bool, _ action: MouseAction) -> [Typed<MousePacket>]
  {
    guard case .move(_, _, let scroll) = action else { return [packet] }
    let fields = MousePacket.fields
    var changed = packet
    switch fault {
    case .wraps:
      changed[fields.deltaX] = Int8(truncatingIfNeeded: left.x)
      changed[fields.deltaY] = Int8(truncatingIfNeeded: left.y)
      return isFirst ? [changed] : []
    case .clampsOnly: return isFirst ? [packet] : []
    case .sendsMinus128:
      changed[fields.deltaX] = Int8(clamping: left.x)
      changed[fields.deltaY] = Int8(clamping: left.y)
      left = (left.x - Int(changed[fields.deltaX]), left.y - Int(changed[fields.deltaY]))
    case .remainderReversed where !isFirst:
      changed[fields.deltaX] = -packet[fields.deltaX]
      changed[fields.deltaY] = -packet[fields.deltaY]
    case .reservedSet: changed[fields.buttons] |= 0x80
    case .buttonsOnce where !isFirst: changed[fields.buttons] = 0
    case .scrollInEvery: changed[fields.scroll] = Int8(clamping: max(-127, Int64(clampingRounded: scroll)))
    default: break
    }
    return [changed]
  }

  /// The packet that it sends in place of a click.
  private mutating func clicked(_ bytes: [UInt8]) -> [UInt8] {
    guard var packet = Typed<MousePacket>(Message(keeping: bytes, as: .mouse)) else { return bytes }
    let now = packet[MousePacket.fields.buttons]
    defer { before = now }
    switch fault {
    case .buttonsLate: packet[MousePacket.fields.buttons] = before
    case .sixBytes: return bytes + [0]
    default: break
    }
    return packet.message.bytes
  }

  /// The counts of a movement as an int16, clamped.
  private static func counts(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(Int64(clampingRounded: max(-32_768, min(32_767, value))))
  }

  /// A report with swapped bytes in its deltas.
  private static func bigEndian(_ report: [UInt8]) -> [UInt8] {
    guard var report = Typed<MouseReport>(Message(keeping: report, as: .mouseHID)) else { return report }
    for field in [MouseReport.fields.deltaX, MouseReport.fields.deltaY] { report[field] = report[field].byteSwapped }
    return report.message.bytes
  }
}
