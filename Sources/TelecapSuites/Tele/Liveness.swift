import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Expectations on the messages of a system and their times.
extension JudgedRun {
  /// Checks that HELLO comes at least every `longest` ns between the two times.
  func helloEvery(_ longest: Nanoseconds, _ from: Timestamp, _ to: Timestamp) -> Outcome {
    let times = replies.filter { $0.kind == .hello && $0.isValid && $0.time >= from && $0.time <= to }.map(\.time)
    guard !times.isEmpty else { return .broken(Failure(time: from, expected: "HELLO", observed: "none")) }
    var last = from
    for time in times + [to] {
      let gap = time.nanoseconds(since: last)
      if gap > longest + log.settle {
        return .broken(
          Failure(
            time: time, expected: "a HELLO at least every \(longest / 1_000_000) ms",
            observed: "none for \(gap / 1_000_000) ms"))
      }
      last = time
    }
    return .held
  }

  /// Checks that the phone notices the loss of its session: it reports it, or without such reports stops sending poses.
  func noticesLoss(_ after: ClosedRange<Nanoseconds>) -> Outcome {
    let sign: MessageKind = isOverLink ? .heartbeat : .ack
    guard let lastAck = delivered.last(where: { $0.kind == sign && $0.isValid })?.time else {
      return .missing("the phone sent no HELLO that could be acknowledged")
    }
    let expected =
      "the loss is noticed \(after.lowerBound / 1_000_000)…\(after.upperBound / 1_000_000) ms after the last \(sign.name)"
    func judge(_ time: Timestamp, _ what: String) -> Outcome {
      let age = time.nanoseconds(since: lastAck)
      guard age < after.lowerBound - log.settle || age > after.upperBound + log.settle else { return .held }
      let breach = Failure(time: time, expected: expected, observed: "\(what) after \(age / 1_000_000) ms")
      return broken(breach, at: time)
    }
    if log.shows.contains(.sessions) {
      let closed = events { event -> Bool? in
        guard case .sessionClosed = event else { return nil }
        return true
      }.last
      guard let closed else {
        return broken(Failure(time: log.end, expected: expected, observed: "it was not"), at: log.end)
      }
      return judge(closed.time, "it was")
    }
    guard let pose = replies.last(where: { $0.kind == .pose }) else {
      return .missing("the phone shows no sessions and sends no poses")
    }
    return judge(pose.time, "poses stopped")
  }

  /// Checks that the host closes each connection whose HELLO it rejected, and each on which one of another version
  /// came, answered or not. There is no time limit but the end of the run.
  func closesRefused() -> Outcome {
    var refused: [PeerName: Timestamp] = [:]
    var isTried = false
    let answers = Dictionary(grouping: replies.filter { $0.kind.answers && $0.isValid }, by: \.entry)
    let others = Set(delivered.filter(\.isHelloOfAnotherVersion).map(\.entry))
    for (place, entry) in log.entries.enumerated() {
      switch entry.what {
      case .closed(let peer), .disconnected(let peer): refused[peer] = nil
      case .delivered(_, _, let peer, .tcp, _) where others.contains(place):
        (isTried, refused[peer]) = (true, refused[peer] ?? entry.time)
      case .replied(_, let peer, .tcp):
        let isRefusal = (answers[place] ?? []).contains { ack in
          Ack.fields.status.value(in: ack.bytes.span.bytes) != AckStatus.ok.rawValue
        }
        guard isRefusal else { continue }
        (isTried, refused[peer]) = (true, refused[peer] ?? entry.time)
      default: continue
      }
    }
    if !isTried { return .missing("no HELLO was refused") }
    return Outcome(
      breaches: refused.sorted { $0.key < $1.key }.map { peer, since in
        Failure(
          time: since, expected: "the connection of \(peer) is closed when its HELLO was refused",
          observed: "it was still open \(log.end.nanoseconds(since: since) / 1_000_000) ms later")
      })
  }

  /// Checks that the host closes each connection without a HELLO, in time.
  func closesSilent(_ after: ClosedRange<Nanoseconds>) -> Outcome {
    let asking = Set(delivered.filter { $0.kind == .hello && $0.isValid }.map(\.peer))
    var opened: [PeerName: Timestamp] = [:]
    var outcome = Outcome()
    let expected =
      "a connection without a HELLO is closed after \(after.lowerBound / 1_000_000)…\(after.upperBound / 1_000_000) ms"
    func judge(_ peer: PeerName, _ since: Timestamp, _ time: Timestamp, isClosed: Bool) {
      let age = time.nanoseconds(since: since)
      let isRight = isClosed && age >= after.lowerBound - log.settle && age <= after.upperBound + log.settle
      let observed = isClosed ? "that of \(peer) was after \(age / 1_000_000) ms" : "that of \(peer) was not"
      if !isRight { outcome.breaches.append(Failure(time: time, expected: expected, observed: observed)) }
    }
    var isTried = false
    for entry in log.entries {
      switch entry.what {
      case .opened(let peer) where !asking.contains(peer):
        isTried = true
        opened[peer] = entry.time
      case .disconnected(let peer):
        if let since = opened.removeValue(forKey: peer) { judge(peer, since, entry.time, isClosed: true) }
      default: continue
      }
    }
    for (peer, since) in opened.sorted(by: { $0.key < $1.key }) { judge(peer, since, log.end, isClosed: false) }
    return isTried ? outcome : .missing("no connection came up")
  }
}
