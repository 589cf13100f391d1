import TelecapModels
import TelecapRecording
import TelecapWire

/// One entry of a scenario's `steps`: timed messages, or an action of the user.
public struct Step: Sendable {
  /// The kinds of step.
  public enum Work: Sendable {
    /// Sends these messages at an interval of `every` ns.
    case send([[UInt8]], every: Nanoseconds)
    /// Sends `count` mutations, made from the case's seed, at an interval of `every` ns.
    case mutate(Mutated, count: Int, every: Nanoseconds)
    /// Opens a TCP connection without a message.
    case open
    /// Closes the TCP connection.
    case close
    /// Resets the TCP connection (RST), with the loss of unread bytes of the system.
    case reset
    /// Sends the message that closes the last requested session (TELE: BYE with its session_id).
    case endSession
    /// Performs an action of the user.
    case ask(any UserAction)
  }

  /// The messages to mutate, and the limits of a mutation.
  public struct Mutated: Sendable {
    /// The messages of which one is changed for each mutation.
    public var messages: [[UInt8]]
    /// The framing added after the change, so that the byte stream stays readable.
    public var framing = Framing.none
    /// The number of bytes at the start of each message that stay unchanged.
    public var kept = 0
  }

  /// The time at which it begins, since the start of the run.
  public var time: Timestamp
  /// The peer that performs it.
  public var peer: PeerName
  /// The kind of step.
  public var work: Work
  /// The transport.
  public var carrier: Carrier
  /// The acceptable answers of the system; empty if any will do.
  public var answers: [Answer]
  /// Its line in the file.
  public var line: Int

  /// An answer of a system to a message.
  public enum Answer: Hashable, Sendable {
    /// One answer with this content for each sent message (`MessageKind.answerWord`).
    case message(String)
    /// No answer.
    case nothing
    /// The end of the connection.
    case disconnect
  }
}
