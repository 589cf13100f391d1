/// An event of a framer in a stream; the bytes are passed with it.
public enum FrameEvent: Hashable, Sendable {
  /// A whole message, without its frame.
  case message
  /// A length that no message has, and the lengths that messages have, as the prefix counts them. Nothing after it can be read: a
  /// receiver closes the connection (TELE, Transports; requirement tele.tcp.bad-length).
  case badLength(Int, allowed: ClosedRange<Int>)
  /// The number of skipped bytes until the next header byte (Mouse, WiFi packet).
  case skipped(Int)
  /// The stream ended inside a message; counts include the length prefix.
  case incomplete(needed: Int, had: Int)
}

extension FrameEvent {
  /// The finding about a stream of a protocol of these rules; nil for a message. The range is from the start of the
  /// remaining bytes.
  public func finding(_ rules: RuleBook) -> Finding? {
    switch self {
    case .message: nil
    case .badLength(let had, let allowed):
      Finding(
        rules.frameLength, 0..<0,
        .lengths(needed: had < allowed.lowerBound ? allowed.lowerBound : allowed.upperBound, had: had))
    case .skipped(let count): Finding(rules.streamSkipped, 0..<0, .count(count))
    case .incomplete(let needed, let had): Finding(rules.streamEnd, 0..<had, .lengths(needed: needed, had: had))
    }
  }
}

/// Finds messages in a byte stream. However the stream is cut into pieces, the events are the same.
public protocol Framer {
  /// Takes the next piece and passes on what it completes; the bytes are valid during the call only.
  mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows
  /// The stream has ended, or a piece of it is missing: reports what was left and begins afresh.
  mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows
}
