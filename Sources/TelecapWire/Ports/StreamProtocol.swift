import TelecapRecording

/// The decision which protocol a TCP stream carries. Where several protocols have a port of its flow, its first bytes decide: they are
/// buffered until they show an identity, or a whole message and no beginning of another protocol's identity. After `maxBuffered` bytes,
/// before a gap and at the end of the stream, the protocol counts that they resemble most, and the first where they resemble none.
public struct StreamProtocol: Sendable {
  /// The maximum number of bytes that are buffered before the decision.
  public static let maxBuffered = 64

  private let candidates: [PortMatch]
  private var buffered: [UInt8] = []
  /// The protocol; nil before the decision.
  public private(set) var match: PortMatch?

  /// The decision for a stream of `flow`; nil where no protocol has one of its ports.
  public init?(_ flow: Flow, by ports: Ports) {
    candidates = ports.candidates(of: flow)
    if candidates.isEmpty { return nil }
    if candidates.count == 1 { match = candidates[0] }
  }

  /// Takes the next bytes of the stream. Passes on all bytes that were not passed on before, once their protocol is decided; those that
  /// were buffered come first, in a span of their own.
  public mutating func receive(_ bytes: RawSpan, _ body: (PortMatch, RawSpan) throws -> Void) rethrows {
    if let match { return try body(match, bytes) }
    if buffered.isEmpty {
      match = decision(bytes, isFinal: bytes.byteCount >= StreamProtocol.maxBuffered)
      if let match { return try body(match, bytes) }
    }
    let count = min(bytes.byteCount, StreamProtocol.maxBuffered - buffered.count)
    bytes.extracting(0..<count).withUnsafeBytes { buffered.append(contentsOf: $0) }
    match = decision(buffered.span.bytes, isFinal: buffered.count == StreamProtocol.maxBuffered)
    try passBuffered(body)
    if let match, count < bytes.byteCount { try body(match, bytes.extracting(count..<bytes.byteCount)) }
  }

  /// No byte follows those before: a gap does, or the stream has ended. Decides by those that are buffered, where some are, and passes
  /// them on.
  public mutating func settle(_ body: (PortMatch, RawSpan) throws -> Void) rethrows {
    guard match == nil, !buffered.isEmpty else { return }
    match = decision(buffered.span.bytes, isFinal: true)
    try passBuffered(body)
  }

  private mutating func passBuffered(_ body: (PortMatch, RawSpan) throws -> Void) rethrows {
    guard let match else { return }
    let bytes = buffered
    buffered = []
    try body(match, bytes.span.bytes)
  }

  private func decision(_ bytes: RawSpan, isFinal: Bool) -> PortMatch? {
    guard let best = PortMatch.mostAlike(candidates, bytes, over: .tcp) else { return nil }
    let isClear = best.rank > 1 || best.rank == 1 && !candidates.contains { $0.dialect.isUndecided(bytes) }
    return isClear || isFinal ? best.match : nil
  }
}
