import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// What the other side of a phone answers while a run goes on: ACK OK to every HELLO, until a time. Pure: a shell feeds
/// it what the system under test sends, and sends what it returns, from the endpoint that was addressed.
public struct Responder: OtherSide, Sendable {
  private let carrier: Carrier
  private let begin: Timestamp
  private let end: Timestamp
  private let isOn: Bool
  private var datagrams = Inbox(.teleUDP)
  private var frames = Inbox(.teleTCP)
  private var framer = MessageFramer(.teleTCP)

  /// Acknowledges HELLOs that come from `begin` up to `end`.
  public init(carrier: Carrier = .udp, acknowledgesFrom begin: Timestamp = .zero, until end: Timestamp) {
    self.carrier = carrier
    self.begin = begin
    self.end = end
    isOn = true
  }

  private init() {
    carrier = .udp
    begin = .zero
    end = .zero
    isOn = false
  }

  /// Answers nothing.
  public static let silent = Responder()

  public var isSilent: Bool { !isOn }

  /// The answers, in their order, to what the system under test sent at `time`: each one datagram, or one piece of a
  /// stream.
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] {
    guard isOn, carrier == self.carrier, time >= begin, time < end else { return [] }
    if carrier == .udp {
      guard case .valid(.hello) = datagrams.read(bytes) else { return [] }
      return [Message.ack(.ok).bytes]
    }
    var answers: [[UInt8]] = []
    var framer = framer
    framer.receive(bytes) { event, frame in
      guard event == .message, case .valid(.hello) = frames.read(frame),
        let answer = try? Message.ackTCP(.ok).framed(as: .teleTCP)
      else { return }
      answers.append(answer)
    }
    self.framer = framer
    return answers
  }
}
