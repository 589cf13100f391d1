import TelecapModels
import TelecapRecording
import TelecapWire

/// One entry of a scenario's `steps`: a message or many, at their times, or something that the user does.
public struct Step: Sendable {
  /// What is done.
  public enum Work: Sendable {
    /// These messages, one after the other, `every` so many ns.
    case send([[UInt8]], every: Nanoseconds)
    /// So many mutations, made from the case's seed, `every` so many ns.
    case mutate(Mutated, count: Int, every: Nanoseconds)
    /// A TCP connection without a message.
    case open
    /// The TCP connection ends.
    case close
    /// The TCP connection ends by a reset (RST): what the system has sent and nobody has read is lost with it.
    case reset
    /// The session that the system asked for last is ended by the message that closes it (TELE: BYE of its session_id).
    case endSession
    /// The user does this.
    case ask(any UserAction)
  }

  /// What is changed, and how far.
  public struct Mutated: Sendable {
    /// Each mutation is one of these, changed.
    public var messages: [[UInt8]]
    /// Put around each once it is changed, so that a stream goes on behind it.
    public var framing = Framing.none
    /// So many bytes at the start of each stay as they are.
    public var kept = 0
  }

  /// When it begins, since the start of the run.
  public var time: Timestamp
  /// Who does it.
  public var peer: PeerName
  /// What is done.
  public var work: Work
  /// What carries it.
  public var carrier: Carrier
  /// What the system must answer to it: one of these; empty when anything goes.
  public var answers: [Answer]
  /// The line of the file that it stands in.
  public var line: Int

  /// What a system may answer to a message.
  public enum Answer: Hashable, Sendable {
    /// For each message sent one that answers and says this (`MessageKind.answerWord`).
    case message(String)
    /// Nothing.
    case nothing
    /// The end of the connection.
    case disconnect
  }
}
