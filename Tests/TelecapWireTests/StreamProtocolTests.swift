import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// Which protocol a TCP stream carries whose ports belong to several.
@Suite("The protocol of a contested stream") struct StreamProtocolTests {
  private static let click: [UInt8] = [0xbb, 1, 0, 0, 0]
  private static let contested = flow(50_000, 8_889)

  private static func flow(_ source: UInt16, _ destination: UInt16) -> Flow {
    Flow(.tcp, from: Endpoint(.loopback, port: source), to: Endpoint(.loopback, port: destination))
  }

  /// The protocol version of a stream that comes in these pieces, the piece that decides it, and all bytes that are
  /// passed on.
  private func decided(_ pieces: [[UInt8]], of flow: Flow = contested) throws -> (Dialect?, piece: Int?, [UInt8]) {
    var stream = try #require(StreamProtocol(flow, by: .standard))
    var (passed, piece): ([UInt8], Int?) = ([], nil)
    for (index, bytes) in pieces.enumerated() {
      stream.receive(bytes.span.bytes) { _, bytes in bytes.withUnsafeBytes { passed += $0 } }
      if piece == nil, stream.match != nil { piece = index }
    }
    stream.settle { _, bytes in bytes.withUnsafeBytes { passed += $0 } }
    return (stream.match?.dialect, piece, passed)
  }

  @Test("The protocol is the same for any segments", arguments: 1...12)
  func pieces(size: Int) throws {
    let bye = [10, 0] + Message.bye(sessionID: 1).bytes
    for (bytes, dialect, needed) in [(Self.click + Self.click, Dialect.mouse, 5), (bye, .teleTCP, 6)] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
      let (found, piece, passed) = try decided(pieces)
      #expect(found == dialect)
      #expect(piece == (needed - 1) / size)
      #expect(passed == bytes)
    }
  }

  @Test("A started identity delays the choice of a protocol without one")
  func begunIdentity() throws {
    // A frame of 187 bytes, whose first 5 bytes are a click too.
    let bytes: [UInt8] = [0xbb, 0, 0x54, 0x45, 0x4c, 0x45, 1]
    let isClick = MessageDecoder.check(Array(bytes.prefix(5)).span.bytes, as: .mouse).error == nil
    let (found, piece, passed) = try decided([Array(bytes.prefix(5)), Array(bytes.dropFirst(5))])
    #expect(found == .teleTCP)
    #expect(piece == 1, "the first piece alone \(isClick ? "is" : "is not") a click")
    #expect(passed == bytes)
  }

  @Test("After 64 bytes of neither protocol, the first port decides, and not before", arguments: [63, 64, 65])
  func noise(count: Int) throws {
    let noise = [UInt8](repeating: 1, count: count)
    for pieces in [[noise], noise.map { [$0] }] {
      let (found, piece, passed) = try decided(pieces)
      #expect(found == .teleTCP)
      #expect((piece != nil) == (count >= StreamProtocol.maxBuffered))
      #expect(passed == noise)
    }
  }

  @Test("A port of one protocol decides without a byte, and unknown ports match none")
  func ports() throws {
    #expect(StreamProtocol(Self.flow(40_000, 8_889), by: .standard)?.match?.dialect == .mouse)
    #expect(StreamProtocol(Self.contested, by: .standard)?.match == nil)
    #expect(StreamProtocol(Self.flow(1, 2), by: .standard) == nil)
  }
}
