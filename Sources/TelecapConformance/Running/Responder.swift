import TelecapLoop
import TelecapRecording
import TelecapWire

/// What the other side of a client answers while a run goes on: that it may come in, to everything that asks for a session,
/// until a time. Pure: a shell feeds it what the system under test sends, and sends what it returns, from the endpoint that
/// was addressed.
public struct Responder: OtherSide, Sendable {
  /// How it answers; nil where it is silent.
  private let answering: Answering?
  private var framer: MessageFramer?

  fileprivate struct Answering {
    let dialect: Dialect
    let carrier: Carrier
    let times: Range<Timestamp>
    let answer: [UInt8]
  }

  /// Answers what this role sends over a carrier to ask for a session, from `begin` up to `end`, with these bytes.
  public init(to role: Role?, over carrier: Carrier, from begin: Timestamp, until end: Timestamp, with answer: [UInt8])
  {
    answering = role?.owner.dialect(over: carrier).map {
      Answering(dialect: $0, carrier: carrier, times: begin..<max(begin, end), answer: answer)
    }
    framer = carrier == .tcp ? answering.map { MessageFramer($0.dialect) } : nil
  }

  private init() { answering = nil }

  /// Answers nothing.
  public static let silent = Responder()

  public var isSilent: Bool { answering == nil }

  /// The answers, in their order, to what the system under test sent at `time`: each one datagram, or one piece of a
  /// stream.
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] {
    guard let answering, carrier == answering.carrier, answering.times.contains(time) else { return [] }
    guard framer != nil else { return answering.asks(bytes) ? [answering.answer] : [] }
    var answers: [[UInt8]] = []
    framer?.receive(bytes) { event, frame in
      if event == .message, answering.asks(frame) { answers.append(answering.answer) }
    }
    return answers
  }
}

extension Responder.Answering {
  /// Whether these bytes are a valid message that asks for a session.
  fileprivate func asks(_ bytes: RawSpan) -> Bool {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    return error == nil && kind.asks
  }
}
