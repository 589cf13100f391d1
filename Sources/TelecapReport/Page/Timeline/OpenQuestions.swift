import TelecapRecording

/// When conversations were asked something that is not answered yet. The last `most` of them are kept at least, and no more than
/// twice as many: of more clients than that the oldest are forgotten.
struct OpenQuestions {
  private let most: Int
  private var latest: [Int: Timestamp] = [:]
  private var earlier: [Int: Timestamp] = [:]

  init(most: Int = 32_768) { self.most = most }

  /// A conversation is asked, again where it was before.
  mutating func ask(in conversation: Int, at time: Timestamp) {
    earlier[conversation] = nil
    latest[conversation] = time
    if latest.count >= most { (earlier, latest) = (latest, [:]) }
  }

  /// When what is answered now was asked; nil where nothing was.
  mutating func answer(in conversation: Int) -> Timestamp? {
    latest.removeValue(forKey: conversation) ?? earlier.removeValue(forKey: conversation)
  }
}
