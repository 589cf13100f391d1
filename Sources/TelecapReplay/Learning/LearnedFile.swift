import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTransport
import TelecapWire

/// The inferred system file of a program, with its evidence.
public struct LearnedFile: Sendable {
  /// The file.
  public let text: String
  /// The parsed file.
  public let file: SystemFile
  /// Its rules.
  public let learned: LearnedSystem
  /// The session with the program.
  public let watched: WatchedSession
  /// The sign of readiness, as a sentence.
  public let readiness: String
  /// Further notes, a sentence each.
  public let notes: [String]
  /// The folder to which its paths are relative.
  public let folder: String

  /// An existing file.
  init(
    text: String, file: SystemFile, learned: LearnedSystem, watched: WatchedSession, readiness: String, notes: [String],
    folder: String
  ) {
    (self.text, self.file, self.learned) = (text, file, learned)
    (self.watched, self.readiness, self.notes, self.folder) = (watched, readiness, notes, folder)
  }

  /// A new file.
  /// - Parameter entries: the keys for the program's start and its addresses.
  /// - Throws: `YAMLFileError` where its own text is invalid, which is a defect of telecap.
  init(
    _ learned: LearnedSystem, _ watched: WatchedSession, _ entries: [SystemText.Entry], of request: LearnRequest,
    over carrier: Carrier, _ suites: Suites
  ) throws {
    let start = LearnedStart(watched, request.part, over: carrier)
    var (entries, notes) = (entries, [String]())
    if !watched.answersOver.isEmpty, request.asksOverTCP, !watched.answersOver.contains(.tcp) {
      notes.append("it answers no client over TCP, although it gets $TCP")
    }
    if sends(request.part, watched.log, suites) {
      entries.append(SystemText.Entry("with", "{haptics: []}", ["It sends HAPTIC as it is."]))
    }
    if learned.rules.contains(where: \.rule.kind.isRequested) {
      entries.append(SystemText.Entry("with", "{impacts: []}", ["It plays impacts as it is."]))
    }
    entries += start.entries
    if start.isSlow, start.isKept {
      entries.append(
        SystemText.Entry(
          "reuse", "true",
          ["It took several sessions one after the other, and is kept: each start takes \(start.words)."]))
    }
    var shown = learned
    if let port = request.eventPort {
      for place in shown.rules.indices where shown.rules[place].source == .udp(0) {
        shown.rules[place].source = .udp(port)
      }
    }
    let title = "How telecap starts this \(request.part) and reads what it shows: written by telecap learn."
    text =
      SystemText(
        comments: [title, "Every key is explained in Documentation/reference/system-file.md."], entries: entries,
        learned: shown
      ).text
    file = try SystemFile(text, file: "what was learned", suites: suites)
    (self.learned, self.watched, self.notes, readiness) = (shown, watched, notes, start.sentence)
    folder = request.folder
  }
}

/// Whether it sent values of its part's streams, such as forces.
private func sends(_ part: Part, _ log: RunLog, _ suites: Suites) -> Bool {
  let names = suites.model(of: part)?.judging.sends.map(\.rules.message) ?? []
  guard part.side == .host, let owner = part.role?.owner else { return false }
  return log.entries.contains { entry in
    guard case .replied(let bytes, _, let carrier?) = entry.what, let dialect = owner.dialect(over: carrier) else {
      return false
    }
    var isSent = false
    dialect.eachMessage(of: bytes.span.bytes) { message in
      isSent = isSent || names.contains(MessageDecoder.check(message, as: dialect).kind.name)
    }
    return isSent
  }
}
