import TelecapRecording
import TelecapTestSupport
import TelecapWire

/// One event of a framer with a copy of its bytes.
struct FrameLog: Hashable, CustomStringConvertible {
  let event: FrameEvent
  let bytes: [UInt8]

  var description: String { "\(event) \(Hex.text(bytes))" }

  static func message(_ hex: String) -> FrameLog { FrameLog(event: .message, bytes: Hex.bytes(hex) ?? []) }
}

/// Feeds a stream to fresh framers whole, byte by byte, in every two pieces and in random pieces, and says where the
/// events differ.
struct FramerVerifier<Subject: Framer> {
  let make: () -> Subject

  /// The events of a framer that is given these pieces and then the end.
  func events(_ pieces: [[UInt8]]) -> [FrameLog] {
    var framer = make()
    var log: [FrameLog] = []
    for piece in pieces { framer.receive(piece.span.bytes) { log.append(FrameLog(event: $0, bytes: $1.array)) } }
    framer.finish { log.append(FrameLog(event: $0, bytes: $1.array)) }
    return log
  }

  /// The ways of cutting the stream whose events differ from those of the whole stream; empty for a right framer.
  func disagreements(_ stream: [UInt8], seed: UInt64 = 1) -> [String] {
    let whole = events([stream])
    return cuts(of: stream, seed).filter { events($0.pieces) != whole }.map(\.name)
  }

  private func cuts(of stream: [UInt8], _ seed: UInt64) -> [(name: String, pieces: [[UInt8]])] {
    var random = SplitMix64(seed: seed)
    var result = [("byte by byte", stream.map { [$0] }), ("with empty pieces", [[], stream, []])]
    result += (0...stream.count).map { ("cut at \($0)", [Array(stream[..<$0]), Array(stream[$0...])]) }
    result += (0..<20).map { ("random cut \($0)", randomPieces(stream, &random)) }
    return result
  }

  private func randomPieces(_ stream: [UInt8], _ random: inout SplitMix64) -> [[UInt8]] {
    var rest = stream[...]
    var pieces: [[UInt8]] = []
    while !rest.isEmpty {
      let count = Int.random(in: 0...min(9, rest.count), using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}
