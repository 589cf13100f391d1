import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// How a program that was tried is known to be ready, and whether it can be kept.
struct LearnedStart {
  private let watched: WatchedSession
  private let part: Part

  private let carrier: Carrier

  init(_ watched: WatchedSession, _ part: Part, over carrier: Carrier) {
    (self.watched, self.part, self.carrier) = (watched, part, carrier)
  }

  /// A program that takes longer than this is worth keeping.
  private static let slow: Nanoseconds = 1_000_000_000
  /// One that answers within this once its port is open is ready when it is.
  private static let prompt: Nanoseconds = 500_000_000

  private var whole: Nanoseconds { watched.answered ?? watched.opened }

  /// How long its start takes.
  var words: String { "\(Double(whole / 100_000_000) / 10) s" }
  /// Its start takes long.
  var isSlow: Bool { whole > LearnedStart.slow }

  /// It let in one client after the other.
  var isKept: Bool {
    guard let owner = part.role?.owner, owner.asking != nil, part.side == .host, watched.log.broke == nil else {
      return false
    }
    let peers = watched.log.entries.compactMap { entry -> PeerName? in
      guard case .replied(let bytes, let peer, let carrier?) = entry.what, let dialect = owner.dialect(over: carrier),
        case let kind = MessageDecoder.check(bytes.span.bytes, as: dialect).kind, kind.answers,
        kind.answerCode(in: bytes.span.bytes) == owner.asking?.accepts?.value
      else { return nil }
      return peer
    }
    return Set(peers).count > 2
  }

  /// How long before it answered, in ns, it may have said that it is ready; and how much later that may have been read.
  private static let (ahead, behind): (Nanoseconds, Nanoseconds) = (200_000_000, 50_000_000)

  /// Of the line that it printed just before it answered, where its port was open long before, what is the same at the next
  /// start; nil where there is none.
  private var line: String? {
    guard let answered = watched.answered, answered - watched.opened > LearnedStart.prompt else { return nil }
    let printed = watched.lines.filter { [.stdout, .stderr].contains($0.source) }
      .map { (text: $0.text, time: $0.time - watched.start) }
    let near = printed.first {
      (answered - LearnedStart.ahead...answered + LearnedStart.behind).contains($0.time)
    }
    guard let text = (near ?? printed.last { (watched.opened...answered).contains($0.time) })?.text else { return nil }
    let marks = " ,;:()[]{}"
    let parts = text.split { $0.isNumber || $0 == "\"" || $0 == "\\" }.map { part in
      part.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed()
    }
    return parts.max { $0.count < $1.count }.flatMap { $0.count > 3 ? String($0) : nil }
  }

  /// The key `ready`, where it is not what holds for every program of its part.
  var entries: [SystemText.Entry] {
    let within = whole > 3_000_000_000 ? ", within: \(3 * whole / 1_000_000_000 + 1)s" : ""
    if let line {
      return [
        SystemText.Entry(
          "ready", "{line: \(Escaping.yaml(line))\(within)}", ["Its port is open long before it answers."])
      ]
    }
    if let answered = watched.answered, answered - watched.opened > LearnedStart.prompt {
      let time = answered + answered / 2
      return [
        SystemText.Entry(
          "ready", "{after: \(time / 1_000_000)ms}",
          ["Its port is open long before it answers, and it says nothing then."])
      ]
    }
    let way = part.side == .host ? "port: \(carrier.name)" : "speaks: true"
    return within.isEmpty ? [] : [SystemText.Entry("ready", "{\(way)\(within)}", ["Its start took \(words)."])]
  }

  /// How it was found ready, in a sentence.
  var sentence: String {
    if let line { return "after \(words), when it has printed \"\(line)\"" }
    guard part.side == .host else { return "after \(words), when it sends" }
    return watched.answered.map { $0 - watched.opened > LearnedStart.prompt } == true
      ? "after \(words): its port is open before, and nothing says that it answers"
      : "after \(words), when its port is open"
  }
}
