import TelecapRecording
import TelecapText
import TelecapWire

extension Incident {
  /// The incident in words, with all times in seconds since `start`.
  func words(since start: Timestamp) -> String {
    guard let clockStep else { return plainWords(since: start) }
    return "the recording notes that the system clock was set forward by \(Numbers.time(clockStep.step)) at this time: "
      + plainWords(since: start)
  }

  private func plainWords(since start: Timestamp) -> String {
    if let special = special(start) { return special }
    let told = sides.map { side in
      let missing = missing.filter { $0.side == side && !isEnd($0) }
      return "\(subject(side, missing)) \(listed(missing.map { words($0, start) }))"
    }.joined(separator: "; ")
    guard let session else { return told + (isLast ? ", the end of the recording" : "") }
    let name = "session \(session.id) (\(session.protocolName.printable))"
    switch (isLast, session.end) {
    case (true, .timeout): return "\(name) ended by silence: \(told)"
    case (true, .replaced) where isEndOfSession:
      let end = "\(name) replaced by another: its last message came at \(Incident.seconds(session.lastSeen, start))"
      return told.isEmpty ? end : "\(end); \(told)"
    case (true, _): return "\(name) went on without a stream: \(told), its end"
    case (false, _): return "\(name): \(told)"
    }
  }

  /// The sentence of an incident that has its own.
  private func special(_ start: Timestamp) -> String? {
    let (from, until) = (Incident.seconds(from, start), Incident.seconds(until, start))
    let span = from == until ? "at \(from)" : "from \(from) to \(until)"
    let owner = owner?.name.printable ?? ""
    switch cause {
    case .silence: return nil
    case .refused(let word, let times):
      return "the host refused a session of \(owner): \(word.printable) \(Incident.times(times)), \(span)"
    case .unanswered(let name, let times):
      return "nobody answered \(name.printable) of \(owner), which came \(Incident.times(times)), \(span)"
    case .rest(let value, let messages):
      let session = session.map { "session \($0.id) (\(owner)): " } ?? ""
      let stream = missing[0].name?.printable ?? ""
      let (said, behind) = value.words
      let end = isLast ? ", and \(behind) after it" : ""
      let sender = missing[0].side == .clientToServer ? self.owner?.rules.client.printable ?? "client" : "host"
      return "\(session)the \(sender) sent \(stream) \(said) in \(Numbers.counted(messages, "message")), \(span)\(end)"
    case .closed(let next):
      let closing = self.owner?.session?.closing?.message.printable ?? "a message"
      let name = next.sessionID != nil && next.sessionID == session?.sessionID ? ", of the same name," : ""
      return "session \(session?.id ?? 0) (\(owner)) was closed by \(closing) at \(from); its client opened "
        + "session \(next.id)\(name) \(Incident.seconds(self.until, self.from)) later"
    case .lost(let next, let back):
      let client = self.owner?.rules.client.printable ?? "client"
      let streams = back.map { back in
        let (last, first) = (Incident.seconds(back.last, start), Incident.seconds(back.first, start))
        return "no \(back.name.printable) for \(Incident.seconds(back.first, back.last)), from \(last) to \(first)"
      }
      let whole = streams.isEmpty ? "" : ", in all \(listed(streams))"
      return "no session (\(owner)) for \(Incident.seconds(self.until, self.from)), \(span), when the \(client) opened "
        + "session \(next.id)\(whole)"
    case .outside(let messages):
      let stream = missing[0].name?.printable ?? ""
      return "\(stream) of \(owner) came \(Incident.times(messages)) outside any session, \(span)"
    case .never(let beside):
      let session = session.map { "session \($0.id) (\(owner)): " } ?? ""
      let stream = missing[0].name?.printable ?? ""
      return "\(session)the host never sent \(stream), \(span), though \(beside.printable) came"
    }
  }

  /// The text in a bar.
  func short(_ missing: Missing) -> String {
    switch cause {
    case .silence: missing.words
    case .refused(let word, let times): "refused: \(word.printable) \(Incident.times(times))"
    case .unanswered(let name, let times): "\(name.printable) \(Incident.times(times)), no answer"
    case .rest(.zero, _): "\(missing.name?.printable ?? "") 0"
    case .rest(.notANumber, _): "\(missing.name?.printable ?? "") no number"
    case .rest(.outOfRange, _): "\(missing.name?.printable ?? "") out of range"
    case .closed(let next): "closed, then session \(next.id)"
    case .lost: "no session for \(Incident.seconds(missing.until, missing.from))"
    case .outside: "\(missing.name?.printable ?? "") outside a session"
    case .never: "never \(missing.name?.printable ?? "")"
    }
  }

  /// `once`, `18 times`.
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(Numbers.grouped(count)) times" }

  /// The moment at which a session was replaced is no time without anything.
  private func isEnd(_ missing: Missing) -> Bool { missing.from == missing.until }

  private var isEndOfSession: Bool { missing.contains(where: isEnd) }

  private var sides: [Direction] {
    missing.filter { !isEnd($0) }.map(\.side).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func subject(_ side: Direction, _ missing: [Missing]) -> String {
    switch side {
    case .serverToClient: "the host sent"
    case .clientToServer: "the \(owner?.rules.client.printable ?? "client") sent"
    case .unknown: missing.contains { $0.name == nil } ? "both sides sent" : "there was"
    }
  }

  private func words(_ missing: Missing, _ start: Timestamp) -> String {
    let usual = missing.usual.map { " (usually every \(Numbers.time($0)))" } ?? ""
    let (from, until) = (Incident.seconds(missing.from, start), Incident.seconds(missing.until, start))
    return "\(missing.words), from \(from) to \(until)\(usual)"
  }

  /// `a, b and c`; of many only the first. There is one at least.
  private func listed(_ words: [String]) -> String {
    let most = 4
    var words = words
    if words.count > most { words = words.prefix(most - 1) + ["nothing of \(words.count - most + 1) further streams"] }
    let last = words.removeLast()
    return words.isEmpty ? last : "\(words.joined(separator: ", ")) and \(last)"
  }

  /// A link to it on the timeline: the cursor at its beginning, and half as much time before and after it.
  func link(since start: Timestamp, _ links: PageLinks) -> String {
    let from = Double(from.nanoseconds(since: start)) / 1e9
    let until = Double(until.nanoseconds(since: start)) / 1e9
    let beside = (until - from) / 2 + 0.2
    return links.time(max(0, from - beside), until + beside, from)
  }

  /// A time in seconds since `start`.
  static func seconds(_ time: Timestamp, _ start: Timestamp) -> String {
    "\(Numbers.fixed(Double(time.nanoseconds(since: start)) / 1e9, 3)) s"
  }
}

extension Rest.Value {
  /// The repeated value, and the missing one after it.
  fileprivate var words: (said: String, behind: String) {
    switch self {
    case .zero: ("0", "nothing else")
    case .notANumber: ("that is no number", "no number")
    case .outOfRange: ("outside its range", "none within it")
    }
  }
}

extension Incident.Missing {
  /// The stream and the duration: `no haptic for 8.022 s`, `haptic only 18 times in 9.000 s`.
  var words: String {
    if messages > 0 {
      return "\(name?.printable ?? "") only \(Incident.times(messages)) in \(Incident.seconds(until, from))"
    }
    return "\(name.map { "no \($0.printable)" } ?? "nothing") for \(Incident.seconds(until, from))"
  }
}
