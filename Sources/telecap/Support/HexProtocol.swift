import ArgumentParser
import TelecapMouse
import TelecapTele
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

  /// The dialect that bytes speak: of the protocol of this name or file; guessed where none is named.
  static func dialect(_ bytes: [UInt8], named name: String?) throws -> Dialect {
    guard let name else { return HexProtocol(guessing: bytes).dialect(bytes) }
    if let known = HexProtocol(rawValue: name) { return known.dialect(bytes) }
    guard let other = Loaded.protocols.last, let dialect = other.dialects.first else { return .teleUDP }
    return dialect
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
      switch MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind {
      case .heartbeat: .teleBLE
      case .config: .teleTCP
      case .ackTCP: .teleTCP
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
