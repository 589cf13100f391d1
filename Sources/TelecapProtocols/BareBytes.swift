import TelecapMouse
import TelecapTele
import TelecapWire

/// What bytes are that came without a port that would tell: those of `dissect --hex`.
public enum BareBytes {
  /// The dialect that bytes speak: of a protocol by its own marks where it is built in and by its first dialect where a file
  /// declares it; guessed where there is none.
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
    // What only Bluetooth or TCP carry is read as theirs; an ACK's dialect is known by its size.
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
