/// The meanings of the words on the pages, for new readers.
enum Glossary {
  /// A word, and what it means.
  struct Term: Hashable {
    let word: String
    let meaning: String
  }

  // MARK: - Words of curves

  static let age = Term(
    word: "age of information", meaning: "the time since the newest value arrived: it grows until the next one arrives")
  static let ageInRun = Term(
    word: "age of information", meaning: "the time since the value that the receiver applies was sent")
  static let roundTrips = Term(
    word: "round trips", meaning: "from a request for a session to its answer")

  static func delay(by clock: String) -> Term {
    Term(
      word: "delay by \(clock)",
      meaning: "the delay of each message relative to the first one, by the sender's timestamp in it")
  }

  /// The words for a run over a network.
  static let run = [
    Term(word: "sent", meaning: "the values of the recording, when they were sent"),
    Term(word: "delivered", meaning: "the values that arrived, when they arrived"),
    Term(word: "applied", meaning: "the value that the receiver applies at that time"), ageInRun,
    Term(word: "p99", meaning: "99 of 100 are smaller"),
  ]

  /// The meanings of the marks of a stream.
  static let marks = [
    "lost": "its sequence number never arrived", "reordered": "it arrived after one with a higher sequence number",
    "duplicate": "a message with the same sequence number had arrived already",
    "non-finite": "a value is NaN or infinite",
  ]

  // MARK: - Words of the issues, by their kinds

  private static let kinds = [
    "outage": "no message arrived for longer than the session timeout, or ever again",
    "pause": "a regular stream paused for a while",
    "slow": "a regular stream had a far lower rate for a while",
    "zero": "the value was 0 from then on, after other values: nothing is felt",
    "nan": "a value was NaN or infinite",
    "range": "a value was outside the range that its protocol allows",
    "outside": "a message that needs a session arrived outside one",
    "clock": "the recorder's clock was set forward: a gap at this time may be only that step",
    "closed": "a message closed the session, and its client opened another one soon",
    "refused": "the host rejected the session",
    "dropped": "the recorder did not keep up: these packets are missing in the recording",
    "error": "a rule of a protocol is broken, or no message could be decoded",
  ]

  /// The words of these badges, each once.
  static func badges(_ outs: [StandOut]) -> [Term] {
    outs.reduce(into: []) { terms, out in
      guard let meaning = kinds[out.kind], !terms.contains(where: { $0.word == out.badge }) else { return }
      terms.append(Term(word: out.badge, meaning: meaning))
    }
  }

  // MARK: - Words of runs of `conform`

  static let conformance = [
    Term(word: "sent", meaning: "the messages that telecap sent to the system under test"),
    Term(word: "delivered", meaning: "the messages that arrived there, after the network of the scenario"),
    Term(word: "asked", meaning: "the actions of its user, such as a pressed button"),
    Term(word: "replied", meaning: "the messages that the system sent back"),
    Term(word: "told", meaning: "the events of the system, and the lines of its output"),
    Term(word: "applied", meaning: "the value that the system applied at that time, by its events or replies"),
  ]

  /// Words with their meanings, folded.
  ///
  /// - Parameter id: its place on the page.
  static func folded(_ terms: [Term], id: String = "words") -> Markup { Markup(template, Folded(id: id, terms: terms)) }

  private struct Folded {
    let id: String
    let terms: [Term]
  }

  private static let template = PageTemplate(
    """
    <details class="words" id="{{id}}"><summary>What these words mean</summary>
    <dl>{{#terms}}<dt>{{word}}</dt><dd>{{meaning}}</dd>{{/terms}}</dl>
    </details>
    """)
}
