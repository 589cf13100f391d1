/// What words of the pages mean, for who meets them first.
enum Glossary {
  /// A word, and what it means.
  struct Term: Hashable {
    let word: String
    let meaning: String
  }

  // MARK: - Words of curves

  static let age = Term(
    word: "age of information", meaning: "how long ago the newest value came: it grows until the next one comes")
  static let ageInRun = Term(
    word: "age of information", meaning: "how long ago the value that the receiver goes by was sent")
  static let roundTrips = Term(
    word: "round trips", meaning: "from a message that asks for a session to the answer that it got")

  static func delay(by clock: String) -> Term {
    Term(
      word: "delay by \(clock)",
      meaning: "how much later than the first message each came, by the clock of its sender that stands in it")
  }

  /// What a network is told by.
  static let run = [
    Term(word: "sent", meaning: "the values of the recording, when they were sent"),
    Term(word: "delivered", meaning: "what of them arrived, when it did"),
    Term(word: "applied", meaning: "the value that the receiver goes by then"), ageInRun,
    Term(word: "p99", meaning: "99 of 100 are smaller"),
  ]

  /// What the marks of a stream tell.
  static let marks = [
    "lost": "its number never came", "late": "it came behind one with a later number",
    "repeated": "a message with the same number had come already", "non-finite": "it held no number",
  ]

  // MARK: - Words of what stands out, by their kinds

  private static let kinds = [
    "outage": "nothing came for longer than a session lives, or never again",
    "pause": "what comes regularly did not come for a while",
    "slow": "what comes regularly came far less often for a while",
    "zero": "what came was 0 from then on, after it had been something else: nothing is felt",
    "nan": "what came held something that is no number (NaN or infinite)",
    "range": "what came lay outside the range that its protocol allows",
    "outside": "what belongs into a session came while there was none",
    "clock": "the recorder's clock was set forward: what seems to be missing since then may be nothing but the step",
    "closed": "a message closed the session, and its client opened another one soon",
    "refused": "the host answered that there is to be no session",
    "dropped": "the recorder did not keep up: these packets are missing in the recording",
    "error": "a rule of a protocol is broken, or nothing could be understood",
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
    Term(word: "sent", meaning: "what telecap sent to the system that is tested"),
    Term(word: "delivered", meaning: "what of it arrived there, behind the network of the scenario"),
    Term(word: "asked", meaning: "what its user was made to do, such as to press a button"),
    Term(word: "replied", meaning: "what the system sent back"),
    Term(word: "told", meaning: "what the system said that it does: its events, and lines of its output"),
    Term(word: "applied", meaning: "the value that the system went by then, as it told or replied"),
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
