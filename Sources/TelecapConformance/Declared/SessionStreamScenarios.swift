import TelecapImpairment
import TelecapRecording
import TelecapWire

/// The scenarios of a stream that needs a session: messages within and outside sessions.
extension DeclaredScenarios {
  /// All scenarios; none where the stream needs no session, or the timeout is not tested.
  var sessions: [Scenario] {
    guard stream.rules.inSession else { return [] }
    if stream.receiver == .host { return ofClients.compactMap(\.self) }
    guard stream.rules.isOfOwnSession(of: owner) else { return [] }
    return (owner.testedTimeout(over: carrier).map(answered) ?? disconnected).compactMap(\.self)
  }

  private static let start = SessionSteps.start
  private static let second: Nanoseconds = 1_000_000_000
  /// The maximum number of rejecting answers, each of which is tested for the length of a timeout.
  private static let maxRefusals = 8

  // MARK: - A client's own session

  /// Messages before the first accepting answer, while there are answers, and after the last one.
  private func answered(_ timeout: Nanoseconds) -> [Scenario?] {
    let (start, second) = (DeclaredScenarios.start, DeclaredScenarios.second)
    let always = 0..<start + 3 * timeout
    // A client requests again before its timeout.
    let open = start + second + timeout
    let refusals = Array(refusals.prefix(DeclaredScenarios.maxRefusals))
    let refused = start + timeout * Int64(refusals.count)
    return [
      scenario(
        .needsSession, "", "Messages before the first answer, and within the session that it opens.",
        burst(1, at: start) + burst(11, at: open), [(start + second..<open + second, nil)]),
      refusals.isEmpty
        ? nil
        : scenario(
          .needsSession, ".refused", "Answers that refuse, or are none, and then one that accepts.",
          refusals.indices.flatMap { burst(UInt64(10 * $0 + 1), at: start + timeout * Int64($0 + 1) - second / 2) }
            + burst(1_001, at: refused + timeout),
          refusals.indices.map { (start + timeout * Int64($0)..<start + timeout * Int64($0 + 1), refusals[$0]) }
            + [(refused..<refused + timeout + second, nil)]),
      scenario(
        .latest, ".kept", "A session that the host keeps for longer than its timeout.",
        burst(1, at: start) + burst(11, at: start + 2 * timeout), [(always, nil)]),
      stream.hasSilence
        ? nil
        : scenario(
          .safe, "", "Nothing answers any more, whatever else comes.",
          burst(1, at: start + second / 10) + burst(11, at: start + timeout / 2)
            + burst(21, at: start + 3 * second / 2 + LivenessWindow(timeout: timeout, settle: 0).late),
          [(0..<start + second, nil)]),
    ]
  }

  /// A session that ends with its connection.
  private var disconnected: [Scenario?] {
    let (start, second) = (DeclaredScenarios.start, DeclaredScenarios.second)
    guard !stream.hasSilence else { return [] }
    return session.connectionEnds(at: start + second, by: "host").map { name, verb, ending in
      scenario(
        .safe, ".\(name)", "The host \(verb) the connection.", burst(1, at: start + second / 10) + [ending],
        [(0..<start + second, nil)])
    }
  }

  /// Answers that open no session: with other codes than the accepting one, known or not, and with a wrong header.
  private var refusals: [[UInt8]] {
    guard let asking = owner.asking, let accepted = owner.answer(over: session.carrier, status: nil) else { return [] }
    var refusals: [[UInt8]] = []
    if let accepts = asking.accepts, let row = accepted.kind.layout[accepts.field], case .codes(let codes) = row.rule {
      let known = codes.map(\.value)
      let unknown = (0...UInt64(known.count)).first {
        !known.contains($0) && $0 <= row.type.largest
      }
      for code in known + [unknown].compactMap(\.self) where code != accepts.value {
        var answer = accepted
        answer.put(bits: code, row)
        answer.seal()
        refusals.append(answer.bytes)
      }
    }
    return refusals
      + owner.recognisedFields.compactMap { accepted.kind.wrong(accepted.bytes, in: $0, over: session.carrier).first }
  }

  // MARK: - The sessions of a host's clients

  /// Messages in a session, after its teardown, after other teardowns, and in the next session.
  private var ofClients: [Scenario?] {
    let (start, second) = (DeclaredScenarios.start, DeclaredScenarios.second)
    let others = session.otherTeardowns
    let wrong = others.isEmpty ? [] : [session.send(others, at: start + second / 4, every: 10_000_000, by: "a")]
    let after = start + second / 4 + Int64(others.count) * 10_000_000 + second / 4
    let closing = session.teardown(at: start + second / 2)
    let other = burst(11, at: start + second / 5).map { session.step($0.work, at: $0.time.nanoseconds, by: "b") }
    return [
      scenario(
        .latest, ".other-client", "Messages of a client without a session are of none.",
        session.request(at: start) + burst(1, at: start + second / 10) + other, []),
      wrong.isEmpty
        ? nil
        : scenario(
          .latest, ".other-teardowns", "Teardowns of another session, and invalid ones, end none.",
          session.keep(for: after - start + second, from: start) + burst(1, at: start + second / 10) + wrong
            + burst(11, at: after), []),
      closing.isEmpty
        ? nil
        : scenario(
          .latest, ".teardown", "Messages after the session was closed are of none.",
          session.request(at: start) + burst(1, at: start + second / 10) + closing + burst(11, at: start + second), []),
      closing.isEmpty || !session.hasID
        ? nil
        : scenario(
          .latest, ".afresh", "The next session begins the stream afresh.",
          session.request(at: start) + burst(11, at: start + second / 10) + closing
            + session.request(at: start + second, isOther: true) + burst(1, at: start + second + second / 10), []),
    ]
      + session.connectionEnds(at: start + second / 2, by: "a").map { name, verb, ending in
        scenario(
          .latest, ".\(name)", "A client \(verb) its connection; the next one begins the stream afresh.",
          session.request(at: start) + burst(11, at: start + second / 10) + [ending]
            + session.request(at: start + second) + burst(1, at: start + second + second / 10), [])
      }
  }

  // MARK: - Scenarios

  /// Five messages from this number on.
  private func burst(_ number: UInt64, at time: Nanoseconds) -> [Step] {
    let messages = (number..<number + 5).map { session.framed(message($0)) }
    return [
      session.step(.send(messages, every: DeclaredScenarios.pace), at: time, by: session.peer(of: stream.receiver))
    ]
  }

  /// - Parameters:
  ///   - answers: the times of answers with their bytes; nil is the accepting answer.
  ///   - wait: the time from the last step to the end.
  private func scenario(
    _ aspect: StreamAspect, _ suffix: String, _ sentence: String, _ steps: [Step],
    _ answers: [(Range<Nanoseconds>, [UInt8]?)], then wait: Nanoseconds = DeclaredScenarios.second
  ) -> Scenario? {
    guard let name = aspect.name(stream.rules.merge),
      var scenario = scenario(
        "\(stream.rules.name).\(name)", suffix, sentence, [], aspect == .safe ? [.safe, .needsSession] : [aspect],
        .none, seeds: 1, pieces: [], then: 0)
    else { return nil }
    scenario.steps = steps
    scenario.acknowledges = answers.flatMap { times, answer -> [Acknowledgement] in
      let (from, until) = (Timestamp(nanoseconds: times.lowerBound), Timestamp(nanoseconds: times.upperBound))
      guard let answer else { return session.acknowledgements(from: from, until: until) }
      return [Acknowledgement(from: from, until: until, session.framed(answer))]
    }
    let last = steps.map(\.time).max() ?? .zero
    scenario.end = last.advanced(byNanoseconds: 100_000_000 + wait)
    return scenario
  }
}
