import TelecapMouse
import TelecapTele
import TelecapWire

/// The protocol version of bytes without a port, such as those of `dissect --hex`.
public enum BareBytes {
  /// The protocol version of these bytes: recognised by the bytes for a built-in protocol, the first version for a protocol
  /// from a file, and guessed without a protocol.
  public static func dialect(_ bytes: [UInt8], of owner: WireProtocol?) -> Dialect {
    switch owner?.name {
    case nil: isMouse(bytes) ? mouse(bytes) : tele(bytes)
    case Tele.wire.name: tele(bytes)
    case Mouse.wire.name: mouse(bytes)
    default: owner?.dialects.first ?? .teleUDP
    }
  }

  /// A mouse packet begins with 0xAA or 0xBB. A HID report has five or six bytes and neither TELE before them, nor are
  /// they a code as Bluetooth carries it.
  private static func isMouse(_ bytes: [UInt8]) -> Bool {
    let isReport = reportSizes.contains(bytes.count) && !bytes.isTele && !bytes.isCode
    return bytes.isPacket || isReport
  }

  private static func mouse(_ bytes: [UInt8]) -> Dialect {
    let isReport =
      bytes.count == MouseReport.layout.fixedSize || bytes.count == MouseReport.short.fixedSize && !bytes.isPacket
    return isReport ? .mouseHID : .mouse
  }

  private static func tele(_ bytes: [UInt8]) -> Dialect {
    guard bytes.isTele else { return bytes.isCode ? .teleBLE : .teleUDP }
    // Messages that only Bluetooth or TCP carry have their protocol version; the size of an ACK shows its version.
    switch MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind {
    case .heartbeat: return .teleBLE
    case .config, .ackTCP: return .teleTCP
    default: return .teleUDP
    }
  }

  private static let reportSizes = MouseReport.short.fixedSize...MouseReport.layout.fixedSize
}

extension [UInt8] {
  fileprivate var isTele: Bool { starts(with: "TELE".utf8.prefix(count)) }

  fileprivate var isPacket: Bool { first == MousePacket.movementHeader || first == MousePacket.controlHeader }

  fileprivate var isCode: Bool { count == PairingCode.size && allSatisfy(PairingCode.isAllowed) }
}
