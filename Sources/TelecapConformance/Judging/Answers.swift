import TelecapModels
import TelecapRecording
import TelecapWire

extension JudgedRun {
  /// Checks that each step that names an answer got it: as many answers as messages of the step were delivered, each
  /// with the named content, before the same peer's next step that asks for an answer.
  func answers() -> Outcome {
    let says = owner?.asking?.accepts != nil
    // Where a declaration says what an answer contains, look at its content; elsewhere require a valid message.
    let replies = self.replies.filter { $0.kind.answers && (says || $0.isValid) }
    var result = Outcome()
    for index in scenario.steps.indices where !scenario.steps[index].answers.isEmpty {
      let step = scenario.steps[index]
      let window = window(of: index)
      let own = replies.filter { $0.peer == step.peer && window.contains($0.time) }
      if let breach = breach(step, own, delivered(index), window) { result.breaches.append(breach) }
    }
    return result
  }

  private func window(of index: Int) -> Range<Timestamp> {
    let step = scenario.steps[index]
    let next = scenario.steps.filter {
      $0.peer == step.peer && $0.time > step.time && $0.asks(owner)
    }.map(\.time).min()
    let end = log.end.advanced(byNanoseconds: 1)
    return step.time..<max(next ?? end, step.time.advanced(byNanoseconds: 1))
  }

  /// The number of delivered messages of a step.
  private func delivered(_ index: Int) -> Int {
    var packets: Set<Int> = []
    var copies = 0
    for entry in log.entries {
      guard case .delivered(let bytes, let packet, _, let carrier, _) = entry.what, packet > 0,
        packet <= script.meant.count, script.meant[packet - 1].step == index
      else { continue }
      if carrier == .tcp { packets.insert(packet) } else { copies += owner?.requests(in: bytes, over: carrier) ?? 1 }
    }
    return packets.isEmpty ? copies : script.meant.count { $0.step == index && $0.isSend }
  }

  private func breach(
    _ step: Step, _ replies: [LoggedMessage], _ delivered: Int, _ window: Range<Timestamp>
  ) -> Failure? {
    let answer = owner?.answer(over: step.carrier)?.name ?? "answer"
    let expected = step.answers.map { $0.words(answer) }.joined(separator: " or ")
    func breach(_ observed: String, _ time: Timestamp) -> Failure {
      Failure(time: time, expected: "\(step.peer) gets \(expected)", observed: "\(step.peer) got \(observed)")
    }
    for reply in replies {
      let word = reply.kind.answerWord(of: reply.kind.answerCode(in: reply.bytes.span.bytes))
      if !step.answers.contains(.message(word)) {
        return breach(Step.Answer.message(word).words(reply.kind.name), reply.time)
      }
    }
    if step.answers.contains(.disconnect) {
      let hasEnded = log.entries.contains { entry in
        guard case .disconnected(step.peer) = entry.what else { return false }
        return window.contains(entry.time)
      }
      if hasEnded { return nil }
      if step.answers.count == 1 { return breach("no end of the connection", window.upperBound) }
    }
    guard delivered > 0 else { return breach("nothing: no message was delivered", step.time) }
    if step.answers.contains(.nothing), replies.isEmpty { return nil }
    // A requested stream goes on: one message of it is the answer.
    if owner?.streams.contains(where: { $0.message == answer }) == true {
      return replies.isEmpty ? breach("nothing", window.upperBound) : nil
    }
    if replies.count == delivered || step.answers.contains(.nothing) { return nil }
    // Leave surplus answers to the sender rules, where there are some.
    if replies.count > delivered, !scenario.judging.sending.isEmpty { return nil }
    func count(_ number: Int, _ word: String) -> String { "\(number) \(word)" + (number == 1 ? "" : "s") }
    return breach("\(count(replies.count, answer)) for \(count(delivered, "message"))", window.upperBound)
  }
}

extension Step {
  /// Whether the system may answer the step: it names answers, or sends a session request, valid or not.
  fileprivate func asks(_ owner: WireProtocol?) -> Bool {
    if !answers.isEmpty { return true }
    guard case .send(let messages, _) = work, let dialect = owner?.dialect(over: carrier) else { return false }
    return messages.contains { message in
      var framer = MessageFramer(dialect, over: carrier)
      var asks = false
      framer.receive(message.span.bytes) { event, frame in
        if event == .message { asks = asks || MessageDecoder.check(frame, as: dialect).kind.asks }
      }
      return asks
    }
  }
}

extension Step.Answer {
  /// The answer in words, for messages of this name.
  func words(_ name: String) -> String {
    switch self {
    case .message(let word): word == name ? name : "\(name) \(word)"
    case .nothing: "nothing"
    case .disconnect: "the end of the connection"
    }
  }
}

extension WireProtocol {
  /// The messages of a delivered datagram that may be answered, at least one: those after the first that request a session count too.
  fileprivate func requests(in datagram: [UInt8], over carrier: Carrier) -> Int {
    guard let dialect = dialect(over: carrier), dialect.hasSeveralInDatagram else { return 1 }
    var count = 0
    dialect.eachMessage(of: datagram.span.bytes) { if MessageDecoder.check($0, as: dialect).kind.asks { count += 1 } }
    return max(1, count)
  }
}
