import ArgumentParser
import TelecapWire

/// What the digits of `--hex` hold: bytes have no port that would tell.
enum HexProtocol: String, ExpressibleByArgument, CaseIterable {
  case tele, mouse

  /// A mouse packet begins with 0xAA or 0xBB. A HID report has five or six bytes and neither TELE before them, nor are
  /// they a code as Bluetooth carries it.
  init(guessing bytes: [UInt8]) {
    let isReport = HexProtocol.reportSizes.contains(bytes.count) && !bytes.isTele && !bytes.isCode
    self = bytes.isPacket || isReport ? .mouse : .tele
  }

  /// The dialect that bytes of this protocol and this length speak.
  func dialect(_ bytes: [UInt8]) -> Dialect {
    switch self {
    case .mouse:
      bytes.count == MouseReport.layout.fixedSize || bytes.count == MouseReport.short.fixedSize && !bytes.isPacket
        ? .mouseHID : .mouse
    case .tele where !bytes.isTele: bytes.isCode ? .teleBLE : .teleUDP
    case .tele:
      // What only Bluetooth or TCP carry is read as theirs; an ACK's dialect is known by its size.
      switch bytes.count > 4 ? MessageKind(teleType: bytes[4], dialect: .teleUDP) : .teleMalformed {
      case .heartbeat: .teleBLE
      case .config: .teleTCP
      case .ack where bytes.count == AckTCP.layout.fixedSize: .teleTCP
      default: .teleUDP
      }
    }
  }

  private static let reportSizes = MouseReport.short.fixedSize...MouseReport.layout.fixedSize
}

extension [UInt8] {
  fileprivate var isTele: Bool { starts(with: "TELE".utf8.prefix(count)) }

  fileprivate var isPacket: Bool { first == MousePacket.movementHeader || first == MousePacket.controlHeader }

  fileprivate var isCode: Bool { count == PairingCode.size && allSatisfy(PairingCode.isAllowed) }
}
