import TelecapLoop
import TelecapRecording
import TelecapWire

/// When the other side of a client answers what asks for a session, and with what.
public struct Acknowledgement: Hashable, Sendable {
  /// Not before this time.
  public var from: Timestamp
  /// Not from this time on.
  public var until: Timestamp
  /// The answer as its carrier has it: one datagram, or one piece of a stream.
  public var answer: [UInt8]

  /// An answer for as long as this.
  public init(from: Timestamp, until: Timestamp, _ answer: [UInt8]) {
    (self.from, self.until, self.answer) = (from, until, answer)
  }

  fileprivate func holds(at time: Timestamp) -> Bool { time >= from && time < until }
}

/// What the other side of a client answers while a run goes on: to everything that asks for a session, that it may come in
/// or why it may not. Pure: a shell feeds it what the system under test sends, and sends what it returns, from the endpoint
/// that was addressed.
public struct Responder: OtherSide, Sendable {
  /// How it answers; nil where it is silent.
  private let answering: Answering?
  private var framer: MessageFramer?
  /// The name of the session that was asked for last.
  private var session: UInt64?

  fileprivate struct Answering {
    let dialect: Dialect
    let carrier: Carrier
    let answers: [Acknowledgement]
  }

  /// Answers what this role sends over a carrier to ask for a session: with the first of `answers` that holds at the time.
  public init(to role: Role?, over carrier: Carrier, _ answers: [Acknowledgement]) {
    answering =
      answers.isEmpty
      ? nil
      : role?.owner.dialect(over: carrier).map { Answering(dialect: $0, carrier: carrier, answers: answers) }
    framer = carrier == .tcp ? answering.map { MessageFramer($0.dialect) } : nil
  }

  private init() { answering = nil }

  /// Answers nothing.
  public static let silent = Responder()

  public var isSilent: Bool { answering == nil }

  /// The answers, in their order, to what the system under test sent at `time`: each one datagram, or one piece of a
  /// stream.
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] {
    guard let answering, carrier == answering.carrier else { return [] }
    // What does not ask for anything, and what comes at another time, still belongs to the stream.
    let answer = answering.answers.first { $0.holds(at: time) }?.answer
    guard framer != nil else {
      guard let asked = answering.session(askedBy: bytes) else { return [] }
      session = asked
      return [answer].compactMap(\.self)
    }
    var answers: [[UInt8]] = []
    framer?.receive(bytes) { event, frame in
      guard event == .message, let asked = answering.session(askedBy: frame) else { return }
      session = asked
      if let answer { answers.append(answer) }
    }
    return answers
  }

  /// What closes the session that was asked for last, as the carrier has it: one datagram, or one piece of a stream; nil where none
  /// was.
  public var closing: [UInt8]? {
    guard let answering, let session,
      let message = answering.dialect.owner.closing(session, over: answering.carrier)
    else { return nil }
    return answering.carrier == .tcp ? answering.dialect.framing.framed(message.bytes) : message.bytes
  }
}

extension Responder.Answering {
  /// The name of the session that these bytes ask for, 0 where sessions have none; nil where they are no valid message that asks.
  fileprivate func session(askedBy bytes: RawSpan) -> UInt64? {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    return error == nil && kind.asks ? kind.sessionName(in: bytes) ?? 0 : nil
  }
}
