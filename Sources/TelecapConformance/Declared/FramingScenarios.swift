import TelecapImpairment
import TelecapRecording
import TelecapWire

/// The requirements that follow from the framing: of a byte stream, messages that segments join or split, invalid lengths, and bytes that
/// are no message or are encoded; of datagrams, several messages in one.
enum FramingRequirements {
  /// The requirements of a protocol.
  static func all(of owner: WireProtocol) -> [Requirement] { datagrams(of: owner) + streams(of: owner) }

  /// None where each datagram is one message.
  private static func datagrams(of owner: WireProtocol) -> [Requirement] {
    guard owner.hasSeveralInDatagram else { return [] }
    return [
      Requirement(
        "\(owner.name).udp.several", .must, derived: true, over: [.udp], "Each message of a datagram is read.",
        "\(owner.title): several messages in a datagram")
    ]
  }

  /// None where none of its messages use TCP.
  private static func streams(of owner: WireProtocol) -> [Requirement] {
    guard let framing = owner.dialect(over: .tcp)?.framing else { return [] }
    func requirement(_ id: String, _ sentence: String) -> Requirement {
      Requirement(
        "\(owner.name).tcp.\(id)", .must, derived: true, over: [.tcp], sentence, "\(owner.title): the framing over TCP")
    }
    let whole = requirement("framing", "Messages that segments join and cut anywhere are read.")
    switch framing {
    case .length(let prefix) where prefix.canBeWrong:
      let sentence = "A frame with a length that no message has ends at most its connection: the next one is read."
      return [whole, requirement("bad-length", sentence)]
    case .fixed:
      return [whole, requirement("resync", "After bytes that begin no message the next message is read.")]
    case .stuffed(let stuffing):
      return [
        whole, requirement("resync", "After bytes that are no message the next message is read."),
        requirement("stuffing", "Messages are decoded from \(stuffing.rawValue.uppercased())."),
      ]
    case .none, .datagram, .bundle, .length, .selfDelimited: return [whole]
    }
  }
}

extension DeclaredScenarios {
  /// The scenarios of the stream over TCP; none over another transport.
  var framing: [Scenario] {
    guard carrier == .tcp, let framing = owner.dialect(over: .tcp)?.framing else { return [] }
    return [joined, badLengths(framing), noise(framing), stuffed(framing)].compactMap(\.self)
  }

  /// The scenario of datagrams with several messages; nil where each is one.
  var several: Scenario? {
    let one = message(1)
    // A message that takes all that is left can only be the last one.
    guard carrier == .udp, let dialect = owner.dialect(over: .udp), dialect.hasSeveralInDatagram,
      dialect.firstMessage(of: dialect.joined([one, one]).span.bytes).count == one.count
    else { return nil }
    // More than half of the numbers at once would have no order, and more bytes no datagram.
    let count = min(3, Int(clamping: max(1, stream.numbers.last / 2)), MessageSizes.maximum / one.count)
    guard count > 1 else { return nil }
    let joined = (0..<5).map { index in dialect.joined((2...1 + count).map { message(UInt64(count * index + $0)) }) }
    return scenario(
      "udp.several", ".\(stream.rules.name)", "A message, then datagrams with \(count) messages each.",
      [.send([one], every: 20 * DeclaredScenarios.pace), .send(joined, every: 20 * DeclaredScenarios.pace)],
      [.latest], .none, seeds: 1, pieces: [], then: 0)
  }

  private static let start = SessionSteps.start
  private static let pause = SessionSteps.pause

  private var joined: Scenario? {
    // More messages at once than half of the numbers would have no order.
    let count = max(2, min(20, stream.numbers.last / 2))
    return scenario(
      "tcp.framing", ".\(stream.rules.name)",
      "A message, then \(count) messages joined, in segments of 4,096, 3 and 100 bytes.",
      // The first message shows whether a receiver that cannot split the others applies anything.
      [.send([message(1)], every: 20 * DeclaredScenarios.pace), .send((2...1 + count).map { message($0) }, every: 0)],
      [.latest], .none, seeds: 1, pieces: [4_096, 3, 100], then: 0)
  }

  /// Frames of invalid lengths, each followed by the end of its connection and a message over the next one.
  private func badLengths(_ framing: Framing) -> Scenario? {
    guard case .length(let prefix) = framing, prefix.canBeWrong, stream.receiver == .host else { return nil }
    let lengths = prefix.wrongNumbers
    var steps: [Step] = []
    var time = DeclaredScenarios.start
    for (index, length) in lengths.enumerated() {
      let frame = prefix.bytes(of: length) + message(99).prefix(max(0, length - prefix.extra))
      steps += connection(UInt64(index), at: time)
      steps.append(session.step(.send([frame], every: 0), at: time + DeclaredScenarios.pause, by: "a"))
      steps.append(session.step(.close, at: time + 2 * DeclaredScenarios.pause, by: "a"))
      time += 3 * DeclaredScenarios.pause
    }
    steps += connection(UInt64(lengths.count), at: time)
    guard
      var scenario = noSteps("bad-length", "Frames of the length \(lengths.map { "\($0)" }.joined(separator: ", ")).")
    else { return nil }
    scenario.steps = steps
    scenario.end = Timestamp(nanoseconds: time + 2 * DeclaredScenarios.pause)
    return scenario
  }

  /// A connection, with a session where one is needed, and three messages over it.
  private func connection(_ index: UInt64, at time: Nanoseconds) -> [Step] {
    let numbers = 10 * index + 1...10 * index + 3
    let messages = numbers.map { session.framed(message($0)) }
    return session.request(at: time) + [
      session.step(.send(messages, every: DeclaredScenarios.pace), at: time + DeclaredScenarios.pause / 2, by: "a")
    ]
  }

  /// Bytes that begin no message before valid messages: from one byte to one and a half messages.
  private func noise(_ framing: Framing) -> Scenario? {
    let noise: (count: Int, of: (Int) -> [UInt8])
    switch framing {
    case .fixed(let size, let heads):
      guard let byte = (0...UInt8.max).first(where: { !heads.contains($0) }) else { return nil }
      noise = (size + size / 2, { [UInt8](repeating: byte, count: $0) })
    case .stuffed(let stuffing):
      guard let byte = noiseByte(stuffing) else { return nil }
      noise = (DeclaredScenarios.noiseSize, { [UInt8](repeating: byte, count: $0) + [stuffing.delimiter] })
    case .none, .datagram, .bundle, .length, .selfDelimited: return nil
    }
    // Noise has no frame.
    let payloads = (1...noise.count).flatMap { count in [noise.of(count), session.framed(message(UInt64(count)))] }
    return scenario(
      "tcp.resync", ".\(stream.rules.name)", "1 to \(noise.count) bytes that begin no message, before messages.",
      [.send(payloads, every: DeclaredScenarios.pace)], [.latest], .none, seeds: 1, pieces: [], then: 0, isFramed: true)
  }

  /// The largest number of bytes of noise before a delimiter.
  private static let noiseSize = 30

  /// A byte of which no number decodes to a valid message; nil without one.
  private func noiseByte(_ stuffing: ByteStuffing) -> UInt8? {
    guard let dialect = owner.dialect(over: .tcp) else { return nil }
    return ([0x55, 0xaa, 0x7f, 0xee] as [UInt8]).first { byte in
      (1...DeclaredScenarios.noiseSize).allSatisfy { count in
        let noise = [UInt8](repeating: byte, count: count)
        return MessageDecoder.check(stuffing.firstMessage(in: noise.span.bytes).span.bytes, as: dialect).error != nil
      }
    }
  }

  /// Messages that contain the delimiter, or another byte that is encoded; nil where none of the first 1,000 does.
  private func stuffed(_ framing: Framing) -> Scenario? {
    guard case .stuffed(let stuffing) = framing else { return nil }
    let numbers = (1...max(1, min(1_000, stream.numbers.last))).lazy.filter { !stream.numbers.isUnused($0) }
    let messages = numbers.map { message($0) }.filter { $0.contains(where: stuffing.isEncoded) }.prefix(20)
    guard !messages.isEmpty else { return nil }
    return scenario(
      "tcp.stuffing", ".\(stream.rules.name)", "Messages with bytes that \(stuffing.rawValue.uppercased()) encodes.",
      [.send(Array(messages), every: DeclaredScenarios.pace)], [.latest], .none, seeds: 1, pieces: [], then: 0)
  }

  private func noSteps(_ id: String, _ sentence: String) -> Scenario? {
    scenario(
      "tcp.\(id)", ".\(stream.rules.name)", sentence, [], [.latest], .none, seeds: 1, pieces: [], then: 0)
  }
}
