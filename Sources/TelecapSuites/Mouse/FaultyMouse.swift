import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// A mouse that is right in all but one way.
struct FaultyMouse: Device {
  private let fault: MouseFault
  private(set) var broke: String?
  private var isConnected = false
  private var buttons: UInt8 = 0

  init(_ fault: MouseFault) { self.fault = fault }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    guard let action = action as? MouseAction else { return [] }
    switch action {
    case .connect: isConnected = true
    case .press(let bitmap): buttons = bitmap & 7
    case .move(let deltaX, let deltaY, let scroll): move(deltaX, deltaY, scroll, perform)
    case .report(let deltaX, let deltaY, let scroll, let buttons):
      var bytes = Message.mouseReport(deltaX: deltaX, deltaY: deltaY, buttons: buttons, scroll: scroll).bytes
      if fault == .bigEndian {
        bytes.swapAt(1, 2)
        bytes.swapAt(3, 4)
      }
      return [bytes]
    }
    return []
  }

  private mutating func move(_ deltaX: Double, _ deltaY: Double, _ scroll: Double, _ perform: Perform) {
    guard isConnected else {
      if fault != .silentDrop { perform(.event(.refused(.notConnected)), RawSpan()) }
      return
    }
    if deltaX.isNaN || deltaY.isNaN || scroll.isNaN {
      switch fault {
      case .crashesOnNaN: broke = "crashed: Double value cannot be converted to Int16 because it is NaN"
      case .nanIsZero: send(0, 0, 0, buttons, perform)
      default: perform(.event(.refused(.invalidData)), RawSpan())
      }
      return
    }
    split(FaultyMouse.counts(deltaX), FaultyMouse.counts(deltaY), FaultyMouse.counts(scroll), perform)
  }

  private static func counts(_ value: Double) -> Int {
    Int(Int64(clampingRounded: max(-32_768, min(32_767, value))))
  }

  private func split(_ deltaX: Int, _ deltaY: Int, _ scroll: Int, _ perform: Perform) {
    var left = (x: deltaX, y: deltaY)
    var isFirst = true
    repeat {
      let part = (x: part(left.x), y: part(left.y))
      let sign = !isFirst && fault == .remainderReversed ? -1 : 1
      send(
        sign * part.x, sign * part.y, isFirst || fault == .scrollInEvery ? max(-127, min(127, scroll)) : 0,
        isFirst || fault != .buttonsOnce ? buttons : 0, perform)
      isFirst = false
      left = (left.x - part.x, left.y - part.y)
    } while (left.x != 0 || left.y != 0) && fault != .clampsOnly && fault != .wraps
  }

  /// What one packet takes of a delta.
  private func part(_ delta: Int) -> Int {
    switch fault {
    case .wraps: Int(Int8(truncatingIfNeeded: delta))
    case .sendsMinus128: max(-128, min(127, delta))
    default: max(-127, min(127, delta))
    }
  }

  private func send(_ x: Int, _ y: Int, _ scroll: Int, _ buttons: UInt8, _ perform: Perform) {
    let bytes = [
      MousePacket.movementHeader, buttons, UInt8(bitPattern: Int8(clamping: x)), UInt8(bitPattern: Int8(clamping: y)),
      UInt8(bitPattern: Int8(clamping: scroll)),
    ]
    perform(.send(.udp, to: VirtualAddresses.host), bytes.span.bytes)
  }
}
