import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// The distance between the pointer and its position without any loss.
enum PointerError {
  /// Measures a mouse host's run.
  static func measure(_ log: DecodedLog, _ measures: inout Measures) {
    let place = PointerPlace(of: log)
    guard place.isKnown, var meant = place.start else { return }
    var shown: PointerPosition?
    for entry in log.log.entries {
      switch entry.what {
      case .sent(let bytes, _, _, _):
        guard bytes.count == MousePacket.size, let packet = MouseSample(bytes.span.bytes) else { continue }
        meant = place.nearest(x: meant.x + Int(packet.deltaX), y: meant.y + Int(packet.deltaY))
      case .event(let event): shown = event.pointer ?? shown
      default: continue
      }
    }
    measures.pointerError = shown.map { max(abs($0.x - meant.x), abs($0.y - meant.y)) }
  }
}
