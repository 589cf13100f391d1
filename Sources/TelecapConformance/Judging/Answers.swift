import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A message that the system sent.
public struct WireReply: Sendable {
  /// When it came.
  public var time: Timestamp
  /// To whom.
  public var peer: PeerName
  /// Which message its header says that it is.
  public var kind: MessageKind
  /// A receiver may use it.
  public var isValid: Bool
  /// The message, without a frame around it where it came over TCP.
  public var bytes: [UInt8]
}

extension JudgedRun {
  /// Every TELE message that the system sent, streams taken apart.
  public var replies: [WireReply] {
    var result: [WireReply] = []
    let datagrams = Inbox(.teleUDP)
    let frames = Inbox(.teleTCP)
    var framers: [PeerName: MessageFramer] = [:]
    for entry in log.entries {
      switch entry.what {
      case .opened(let peer), .closed(let peer), .disconnected(let peer): framers[peer] = nil
      default: break
      }
      guard case .replied(let bytes, let peer, let carrier?) = entry.what else { continue }
      if carrier == .udp {
        result.append(reply(datagrams.read(bytes.span.bytes), bytes, peer, entry.time))
        continue
      }
      var framer = framers[peer] ?? MessageFramer(.teleTCP)
      framer.receive(bytes.span.bytes) { event, frame in
        guard event == .message else { return }
        result.append(reply(frames.read(frame), frame.withUnsafeBytes { Array($0) }, peer, entry.time))
      }
      framers[peer] = framer
    }
    return result
  }

  private func reply(_ reading: Inbox.Reading, _ bytes: [UInt8], _ peer: PeerName, _ time: Timestamp) -> WireReply {
    switch reading {
    case .valid(let kind): WireReply(time: time, peer: peer, kind: kind, isValid: true, bytes: bytes)
    case .invalid(let kind, _): WireReply(time: time, peer: peer, kind: kind, isValid: false, bytes: bytes)
    }
  }

  /// Each step that names an answer got it: as many ACKs as messages of it were delivered, each of a status that it
  /// names, up to the same peer's next step that asks for an answer.
  func answers() -> Outcome {
    let replies = self.replies.filter { $0.kind == .ack || $0.kind == .ackTCP }
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
    let next = scenario.steps.filter { $0.peer == step.peer && $0.time > step.time && $0.asks }.map(\.time).min()
    let end = log.end.advanced(byNanoseconds: 1)
    return step.time..<max(next ?? end, step.time.advanced(byNanoseconds: 1))
  }

  /// How many messages of a step were delivered.
  private func delivered(_ index: Int) -> Int {
    var packets: Set<Int> = []
    var copies = 0
    for entry in log.entries {
      guard case .delivered(_, let packet, _, let carrier, _) = entry.what, packet > 0,
        packet <= script.meant.count, script.meant[packet - 1].step == index
      else { continue }
      if carrier == .tcp { packets.insert(packet) } else { copies += 1 }
    }
    return packets.isEmpty ? copies : script.meant.count { $0.step == index && $0.isSend }
  }

  private func breach(
    _ step: Step, _ replies: [WireReply], _ delivered: Int, _ window: Range<Timestamp>
  ) -> Breach? {
    let expected = step.answers.map(\.words).joined(separator: " or ")
    func breach(_ observed: String, _ time: Timestamp) -> Breach {
      Breach(time: time, expected: "\(step.peer) gets \(expected)", observed: "\(step.peer) got \(observed)")
    }
    if step.answers.contains(.disconnect) {
      let ended = log.entries.contains { entry in
        guard case .disconnected(step.peer) = entry.what else { return false }
        return window.contains(entry.time)
      }
      if ended { return nil }
      if step.answers.count == 1 { return breach("no end of the connection", window.upperBound) }
    }
    for reply in replies {
      let status = AckStatus(rawValue: Ack.fields.status.value(in: reply.bytes.span.bytes) ?? .max)
      if !step.answers.contains(.ack(status)) { return breach("ACK \(status.name)", reply.time) }
    }
    guard delivered > 0 else { return breach("nothing: no message was delivered", step.time) }
    if step.answers.contains(.nothing), replies.isEmpty { return nil }
    return replies.count == delivered || step.answers.contains(.nothing)
      ? nil : breach("\(replies.count) ACKs for \(delivered) messages", window.upperBound)
  }
}

extension Step {
  /// The system may answer it: it names answers, or sends HELLO.
  fileprivate var asks: Bool {
    if !answers.isEmpty { return true }
    guard case .send(let messages, _) = work else { return false }
    return messages.contains { message in
      guard carrier == .tcp else { return Step.isHello(message.span.bytes) }
      var framer = MessageFramer(.teleTCP)
      var isHello = false
      framer.receive(message.span.bytes) { event, frame in
        if event == .message { isHello = isHello || Step.isHello(frame) }
      }
      return isHello
    }
  }

  /// Whether these bytes are a HELLO, valid or not.
  private static func isHello(_ bytes: RawSpan) -> Bool {
    MessageDecoder.check(bytes, as: .teleUDP).kind == .hello
  }
}

extension Step.Answer {
  /// The answer in words.
  var words: String {
    switch self {
    case .ack(let status): "ACK \(status.name)"
    case .nothing: "nothing"
    case .disconnect: "the end of the connection"
    }
  }
}
