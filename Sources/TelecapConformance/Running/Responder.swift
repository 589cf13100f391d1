import TelecapLoop
import TelecapRecording
import TelecapWire

/// An answer of the other side to a client's session requests, and its time.
public struct Acknowledgement: Hashable, Sendable {
  /// The time from which it is used.
  public var from: Timestamp
  /// The time until which it is used.
  public var until: Timestamp
  /// The answer for its transport: one datagram, or one segment of a byte stream.
  public var answer: [UInt8]

  /// An answer for this time.
  public init(from: Timestamp, until: Timestamp, _ answer: [UInt8]) {
    (self.from, self.until, self.answer) = (from, until, answer)
  }

  fileprivate func holds(at time: Timestamp) -> Bool { time >= from && time < until }
}

/// The answers of the other side to a client's session requests during a run: acceptance, or a rejection with its
/// reason. Pure: a shell passes in the messages of the system under test, and sends the answers from the address to
/// which the client sent.
public struct Responder: OtherSide, Sendable {
  /// The answers; nil where it is silent.
  private let answering: Answering?
  private var framer: MessageFramer?
  /// The id of the last requested session.
  private var session: UInt64?

  fileprivate struct Answering {
    let dialect: Dialect
    let carrier: Carrier
    let answers: [Acknowledgement]
  }

  /// Answers session requests of this role over a transport with the first of `answers` for the time.
  public init(to role: Role?, over carrier: Carrier, _ answers: [Acknowledgement]) {
    answering =
      answers.isEmpty
      ? nil
      : role?.owner.dialect(over: carrier).map { Answering(dialect: $0, carrier: carrier, answers: answers) }
    framer = answering.map { MessageFramer($0.dialect, over: carrier) }
  }

  private init() { answering = nil }

  /// Sends no answers.
  public static let silent = Responder()

  public var isSilent: Bool { answering == nil }

  /// The answers, in order, to bytes that the system under test sent at `time`: each one datagram, or one segment of a
  /// byte stream.
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] {
    guard let answering, carrier == answering.carrier else { return [] }
    // Other messages, and those outside the answers' times, are part of the byte stream too.
    let answer = answering.answers.first { $0.holds(at: time) }?.answer
    var answers: [[UInt8]] = []
    framer?.receive(bytes) { event, frame in
      guard event == .message, let asked = answering.session(askedBy: frame) else { return }
      session = asked
      if let answer { answers.append(answer) }
    }
    return answers
  }

  /// The message that closes the last requested session, for its transport: one datagram, or one segment of a byte
  /// stream; nil where no session was requested.
  public var closing: [UInt8]? {
    guard let answering, let session,
      let message = answering.dialect.owner.closing(session, over: answering.carrier)
    else { return nil }
    return answering.carrier == .tcp ? answering.dialect.framing.framed(message.bytes) : message.bytes
  }
}

extension Responder.Answering {
  /// The id of the session that these bytes request, 0 where sessions have none; nil for another or an invalid message.
  fileprivate func session(askedBy bytes: RawSpan) -> UInt64? {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    return error == nil && kind.asks ? kind.sessionName(in: bytes) ?? 0 : nil
  }
}
