import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@Suite struct BareBytesTests {
  @Test(
    "Bytes without a port are identified by their content",
    arguments: [
      (Bytes.haptic, Dialect.teleUDP), (Bytes.ack, .teleUDP), (Bytes.ackTCP, .teleTCP), (Bytes.config, .teleTCP),
      (Bytes.movement, .mouse), (Bytes.control, .mouse), (hex("0001020304"), .mouseHID),
      (hex("000102030405"), .mouseHID),
      (Array("ABC123".utf8), .teleBLE), (hex("0badf00dbadcab1e"), .teleUDP), ([], .teleUDP),
    ] as [([UInt8], Dialect)])
  func guessed(_ bytes: [UInt8], _ dialect: Dialect) {
    #expect(BareBytes.dialect(bytes, of: nil) == dialect)
  }

  @Test("A protocol that the user names overrides the content")
  func named() {
    #expect(BareBytes.dialect(Bytes.control, of: Tele.wire) == .teleUDP)
    #expect(BareBytes.dialect(Array("ABC123".utf8), of: Mouse.wire) == .mouseHID)
    #expect(BareBytes.dialect(Bytes.haptic, of: Mouse.wire) == .mouse)
    #expect(BareBytes.dialect(Bytes.haptic, of: DSU.wire) == DSU.wire?.dialects.first)
  }

  @Test("Bare bytes are decoded as a message without a packet, with findings")
  func bare() {
    let (message, findings) = DissectedMessage.bare(hex("54454c45070100000fc00103").span.bytes, as: .teleUDP)
    #expect(message.kind == .haptic && message.datagram.packet == 0 && message.session == 0)
    #expect(message.isValid == !findings.contains { $0.severity == .error } && !findings.isEmpty)
  }
}
