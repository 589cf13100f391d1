import TelecapRecording

/// A request that its receiver answers, apart from the one that opens a session.
public struct RequestRules: Hashable, Sendable {
  /// Its name, the second part of its requirement's id: `version`.
  public var name: String
  /// The message that requests.
  public var message: String
  /// The messages that answer; one of them is enough.
  public var answers: Set<String>
  /// The time within which the answer is due, ns.
  public var timeout: Nanoseconds

  /// The time within which an answer is due where the declaration has none, ns.
  public static let defaultTimeout: Nanoseconds = 1_000_000_000

  /// `message` is answered by one of `answers`.
  public init(
    _ name: String, _ message: String, answers: Set<String>, timeout: Nanoseconds = RequestRules.defaultTimeout
  ) {
    (self.name, self.message, self.answers, self.timeout) = (name, message, answers, timeout)
  }
}
