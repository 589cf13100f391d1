import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// Messages are written anew wherever their bytes are cut.
@Suite struct MessageRewriterTests {
  private static let rewriting = Rewriting(code: Array("NEWONE".utf8), sessionID: 0xa1b2_c3d4, restamps: true)

  private static func pose(_ seq: UInt16, _ microseconds: UInt64) throws -> Message {
    try Message.pose(
      seq: seq, timestampMicroseconds: microseconds, position: [1, 2, 3], orientation: [0, 0, 0, 1])
  }

  /// The messages of a phone, before and after rewriting, when all are sent at once.
  private static func conversation() throws -> (before: [Message], after: [Message]) {
    let before = [
      try Message.hello(sessionID: 7, code: "OLDONE"), try pose(900, 5_000_000), try pose(901, 5_016_667),
      .ack(.ok), try Message.haptic(intensity: 0.5), Message.bye(sessionID: 7),
    ]
    let after = [
      try Message.hello(sessionID: 0xa1b2_c3d4, code: "NEWONE"), try pose(0, 0), try pose(1, 0),
      .ack(.ok), try Message.haptic(intensity: 0.5), Message.bye(sessionID: 0xa1b2_c3d4),
    ]
    return (before, after)
  }

  private static func unit(_ carrier: Carrier) -> ReplayUnit {
    ReplayUnit(packet: 1, time: .zero, flow: 0, carrier: carrier)
  }

  private func send(_ bytes: [UInt8], _ rewriter: inout MessageRewriter, at time: Int64 = 0, stream: Int = 1) -> [UInt8]
  {
    var bytes = bytes
    let piece = StreamPiece(stream: stream, flow: 0, kind: .send(count: bytes.count))
    rewriter.rewrite(Self.unit(.tcp), [piece], &bytes, at: time)
    return bytes
  }

  private func datagram(_ message: Message, _ rewriter: inout MessageRewriter, at time: Int64) -> [UInt8] {
    var bytes = message.bytes
    rewriter.rewrite(Self.unit(.udp), [], &bytes, at: time)
    return bytes
  }

  private func framed(_ messages: [Message]) throws -> [UInt8] {
    messages.flatMap { [UInt8($0.bytes.count & 0xff), UInt8($0.bytes.count >> 8)] + $0.bytes }
  }

  @Test("A stream split in two at any byte is rewritten like a whole one")
  func everyCut() throws {
    let (before, after) = try Self.conversation()
    let (bytes, expected) = (try framed(before), try framed(after))
    for cut in 0...bytes.count {
      var rewriter = MessageRewriter(Self.rewriting)
      let first = send(Array(bytes[..<cut]), &rewriter)
      let second = send(Array(bytes[cut...]), &rewriter)
      #expect(first + second == expected, "cut at \(cut)")
    }
  }

  @Test("A stream that arrives byte by byte, next to another one, is rewritten like a whole one")
  func byteByByte() throws {
    let (before, after) = try Self.conversation()
    var rewriter = MessageRewriter(Rewriting(code: Array("NEWONE".utf8), sessionID: 0xa1b2_c3d4))
    let unstamped = [before[0], before[5]]
    let expected = try framed([after[0], after[5]])
    var (one, other): ([UInt8], [UInt8]) = ([], [])
    for byte in try framed(unstamped) {
      one += send([byte], &rewriter, stream: 1)
      other += send([byte], &rewriter, stream: 2)
    }
    #expect(one == expected)
    #expect(other == expected)
  }

  @Test("A unit with pieces of two streams is rewritten piece by piece")
  func pieces() throws {
    let (before, after) = try Self.conversation()
    let hello = try framed([before[0]])
    var bytes = Array(hello[..<9]) + hello + Array(hello[9...])
    var rewriter = MessageRewriter(Self.rewriting)
    let pieces = [(1, 9), (2, hello.count), (1, hello.count - 9)].map {
      StreamPiece(stream: $0.0, flow: 0, kind: .send(count: $0.1))
    }
    rewriter.rewrite(Self.unit(.tcp), [StreamPiece(stream: 1, flow: 0, kind: .open)] + pieces, &bytes, at: 0)
    let expected = try framed([after[0]])
    #expect(bytes == Array(expected[..<9]) + expected + Array(expected[9...]))
  }

  @Test("Poses are numbered from 0 and timed from the first, and a repeated recording goes on")
  func stamps() throws {
    var rewriter = MessageRewriter(Rewriting(restamps: true))
    #expect(datagram(try Self.pose(500, 9), &rewriter, at: 40_000_000) == (try Self.pose(0, 0)).bytes)
    #expect(datagram(try Self.pose(501, 9), &rewriter, at: 56_667_000) == (try Self.pose(1, 16_667)).bytes)
    rewriter.beginAgain(after: 100_000_000)
    #expect(datagram(try Self.pose(500, 9), &rewriter, at: 40_000_000) == (try Self.pose(2, 100_000)).bytes)
  }

  @Test("Bytes that are no whole TELE message stay unchanged")
  func strange() throws {
    let hello = try Message.hello(sessionID: 7, code: "OLDONE").bytes
    var other = hello
    other[0] ^= 1
    var version = hello
    version[Header.fields.version.offset] = 9
    for bytes in [Array(hello.dropLast()), other, version, [], [0xbb, 1, 0, 0, 0]] {
      var written = bytes
      var rewriter = MessageRewriter(Self.rewriting)
      rewriter.rewrite(Self.unit(.udp), [], &written, at: 0)
      #expect(written == bytes)
    }
  }

  @Test("Without a request nothing is rewritten")
  func nothing() throws {
    #expect(!Rewriting().isNeeded)
    let bytes = try framed(try Self.conversation().before)
    var rewriter = MessageRewriter(Rewriting())
    #expect(send(bytes, &rewriter) == bytes)
  }
}
