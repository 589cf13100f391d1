import TelecapRecording
import TelecapWire

/// Checks of a system's messages for any protocol.
extension JudgedRun {
  /// Checks that all fields of all sent messages of these kinds are valid; `words` is the expected form.
  public func form(of kinds: Set<MessageKind>, as words: String) -> Outcome {
    let sent = replies.filter { kinds.contains($0.kind) }
    if sent.isEmpty { return .missing("no \(kinds.map(\.name).min() ?? "message") was sent") }
    return Outcome(
      breaches: sent.filter { !$0.findings.isEmpty }.map { message in
        Failure(
          time: message.time, expected: words,
          observed: "\(message.kind.name) of \(message.bytes.count) bytes: \(message.wrong)")
      })
  }

  /// The failures of invalid sent messages: unknown ones, those of the other side or of another transport, and those
  /// with such a finding; except kinds that have their own rule.
  public func strays(besides judged: Set<MessageKind>, where isWrong: (Finding) -> Bool = { _ in true }) -> [Failure] {
    let way = part.side?.direction
    return replies.compactMap { message -> Failure? in
      let (kind, layout) = (message.kind, message.kind.layout)
      if judged.contains(kind) { return nil }
      let observed: String
      if !message.isValid {
        observed = "\(message.bytes.count) bytes that are no message: \(message.wrong)"
      } else if layout.direction != way, layout.returnsOver != message.carrier {
        observed = "\(kind.name), which no \(part) sends"
      } else if kind.owner.dialect(over: message.carrier).map({ !layout.dialects.contains($0.name) }) ?? true {
        observed = "\(kind.name), which \(message.carrier.name) does not carry"
      } else if message.findings.contains(where: isWrong) {
        observed = "\(kind.name): \(message.wrong)"
      } else {
        return nil
      }
      return Failure(
        time: message.time, expected: "messages that a \(part) sends",
        observed: "\(message.peer) got \(observed)")
    }
  }

  /// Checks that at most `count` of these times are within any `span` ns.
  ///
  /// - Parameters:
  ///   - times: ascending times.
  ///   - observed: the text for a number of messages within so many ms.
  public func excess(
    _ times: [Timestamp], over count: Int, within span: Nanoseconds, of kind: MessageKind,
    _ observed: (_ count: Int, _ milliseconds: Int64) -> String
  ) -> Failure? {
    guard count < times.count else { return nil }
    for last in count..<times.count {
      // Messages sent together may be read apart by the lateness of the run.
      let took = times[last].nanoseconds(since: times[last - count]) + log.lateness
      guard took < span else { continue }
      return Failure(
        time: times[last], expected: "at most \(count) \(kind.name) in \(span / 1_000_000) ms",
        observed: observed(count + 1, took / 1_000_000))
    }
    return nil
  }
}

extension LoggedMessage {
  /// The findings of the message, as text.
  public var wrong: String { findings.map(\.description).joined(separator: "; ") }
}
