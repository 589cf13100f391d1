import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// The sign of readiness of a program, and whether it can be reused.
struct LearnedStart {
  private let watched: WatchedSession
  private let part: Part

  private let carrier: Carrier

  init(_ watched: WatchedSession, _ part: Part, over carrier: Carrier) {
    (self.watched, self.part, self.carrier) = (watched, part, carrier)
  }

  /// The start time in ns from which a program is worth reusing.
  private static let slow: Nanoseconds = 1_000_000_000
  /// The time in ns from its open port to its first answer up to which the port shows readiness.
  private static let prompt: Nanoseconds = 500_000_000

  private var whole: Nanoseconds { watched.answered ?? watched.opened }

  /// The duration of its start.
  var words: String { "\(Double(whole / 100_000_000) / 10) s" }
  /// Whether its start is slow.
  var isSlow: Bool { whole > LearnedStart.slow }

  /// Whether it accepted several clients in sequence.
  var isKept: Bool {
    guard let owner = part.role?.owner, owner.asking != nil, part.side == .host, watched.log.broke == nil else {
      return false
    }
    let peers = watched.log.entries.compactMap { entry -> PeerName? in
      guard case .replied(let bytes, let peer, let carrier?) = entry.what, let dialect = owner.dialect(over: carrier)
      else {
        return nil
      }
      var accepts = false
      var framer = MessageFramer(dialect, over: carrier)
      framer.receive(bytes.span.bytes) { event, message in
        let kind = MessageDecoder.check(message, as: dialect).kind
        guard event == .message, kind.answers else { return }
        accepts = accepts || kind.answerCode(in: message) == owner.asking?.accepts?.value
      }
      return accepts ? peer : nil
    }
    return Set(peers).count > 2
  }

  /// The window around its first answer, in ns, in which it may have printed its readiness.
  private static let (ahead, behind): (Nanoseconds, Nanoseconds) = (200_000_000, 50_000_000)

  /// The constant part of the line that it printed just before its first answer, if its port was open long before; nil
  /// without one.
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

  /// The key `ready`, unless the default for its part suffices.
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

  /// The sign of readiness, as a sentence.
  var sentence: String {
    if let line { return "after \(words), when it has printed \"\(line)\"" }
    guard part.side == .host else { return "after \(words), when it sends" }
    return watched.answered.map { $0 - watched.opened > LearnedStart.prompt } == true
      ? "after \(words): its port is open before, and nothing says that it answers"
      : "after \(words), when its port is open"
  }
}
