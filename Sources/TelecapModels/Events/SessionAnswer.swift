/// A server's answer to a request for a session, with the words of its protocol.
public struct SessionAnswer: Hashable, Sendable {
  /// The names in the events of answers of a protocol.
  public struct Names: Hashable, Sendable {
    /// The event of a server that answers: `hello`.
    public let request: String
    /// The event of a client that gets an answer: `ack`.
    public let answer: String
    /// The field of that event: `status`.
    public let field: String

    /// These names.
    public init(request: String, answer: String, field: String) {
      (self.request, self.answer, self.field) = (request, answer, field)
    }
  }

  /// The code of the answer.
  public let code: UInt64
  /// The name of the code in its protocol: `OK`, `BUSY`.
  public let word: String
  /// Whether the client has a session.
  public let isAccepted: Bool
  /// The names of the events.
  public let names: Names

  /// An answer with these parts.
  public init(code: UInt64, _ word: String, isAccepted: Bool, names: Names) {
    (self.code, self.word, self.isAccepted, self.names) = (code, word, isAccepted, names)
  }
}
