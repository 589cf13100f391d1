import TelecapImpairment
import TelecapRecording
import TelecapWire

/// The scenarios that follow from a stream's declaration: its rules under loss, reordering and duplication, at the
/// borders of its sequence numbers, and each rule of the header broken alone.
struct DeclaredScenarios {
  let owner: WireProtocol
  /// The transport over which the stream is tested.
  let carrier: Carrier
  let stream: JudgedStream
  /// The requirements of the protocol.
  let requirements: [Requirement]
  /// How a system that receives the stream is tested.
  let judging: StreamJudging

  static let pace: Nanoseconds = 10_000_000

  /// All scenarios.
  var all: [Scenario] {
    plain + (stream.order == nil ? unordered : numbered) + values + silence + sessions + header
      + (session.carrier == .tcp ? framing : mutations + [several].compactMap(\.self))
  }

  var session: SessionSteps { SessionSteps(owner: owner, carrier: carrier) }

  // MARK: - Rules of the stream

  private var plain: [Scenario] {
    let messages = (1...60).map { message(UInt64($0)) }
    let network = try? Impairments(parsing: "--loss 5% --delay 20ms --jitter 25ms")
    return [
      scenario(.latest, "", "In order, as they are sent.", messages),
      session.carrier == .tcp
        ? scenario(
          .latest, ".pieces", "In a stream that is cut at each byte, and into other pieces.", messages,
          pieces: [1, 2, 7])
        : scenario(.latest, ".network", "Under loss, reordering and jitter.", messages, network ?? .none, seeds: 3),
    ].compactMap(\.self)
  }

  private var numbered: [Scenario] {
    let order = stream.numbers
    let top = order.isUnused(order.last) ? order.number(1, before: order.last) : order.last
    let wrap = [
      order.number(2, before: top), order.number(1, before: top), top, order.number(1, after: top),
      order.number(2, after: top), top, order.number(3, after: top),
    ]
    return [
      scenario(.latest, ".wrap", "Across the largest number.", wrap.map { message($0) }), borderOfRule, unnumbered,
      order.rule.appliesDuplicates ? otherDuplicates : sameDuplicates,
    ].compactMap(\.self)
  }

  /// Numbers that are stale by other rules, where the rule is `none`. Empty where the receiver shows no values, since
  /// nothing else distinguishes messages there. No number equals the one before, since a protocol without order may let
  /// a receiver drop it (DDP). Each message is sent alone, since a receiver that is still applying one may skip the
  /// next.
  private var unordered: [Scenario] {
    let (half, last) = (stream.numbers.last / 2, stream.numbers.last)
    guard stream.counter != nil, stream.rules.merge == .latest, !stream.values.isEmpty, last >= 3 else { return [] }
    let numbers: [UInt64] = [half + 2, half + 1, 1, last, last - 1, 1, last]
    let messages = numbers.enumerated().map { index, number in
      stream.message(UInt64(index + 1), numbered: number).bytes
    }
    return [
      scenario(
        .latest, ".late", "Older ones, and the largest one after 1: all of them count.", messages,
        every: 20 * DeclaredScenarios.pace)
    ].compactMap(\.self)
  }

  private var sameDuplicates: Scenario? {
    scenario(.duplicate, "", "Each message twice.", (1...20).flatMap { [message($0), message($0)] })
  }

  /// Each number twice, the second time with other values; nil where the stream has no values.
  private var otherDuplicates: Scenario? {
    if stream.values.isEmpty { return nil }
    let messages = (1...10).flatMap { number in
      [message(number), stream.message(number + 5, numbered: number).bytes]
    }
    return scenario(
      .duplicate, "", "Each number twice, with other values.", messages, every: 20 * DeclaredScenarios.pace)
  }

  /// Numbers at the borders of the numbers that the rule takes for stale. Each is sent alone where other rules drop
  /// what this one applies: a receiver that is still applying one may skip the next.
  private var borderOfRule: Scenario? {
    let order = stream.numbers
    let half = order.last / 2
    switch order.rule.comparison {
    case .serial, .none:
      let late = [half + 10, half + 9, half / 2 + 10, 12, half + 11]
      return scenario(
        .latest, ".late",
        "Messages that are older by one, by a quarter and by nearly half of all numbers "
          + (stream.isNumbered ? "are late." : "count as well."),
        late.map { message($0) })
    case .greater:
      let far = [1, half + 10, half + 9, half / 2 + 10, 12, half + 11]
      return scenario(
        .latest, ".late", "A leap by more than half of all numbers, and what is smaller.", far.map { message($0) },
        every: 20 * DeclaredScenarios.pace)
    case .restarting(let from, let to):
      let between = to + (from - to) / 2
      let numbers = [
        between, order.number(1, before: between), to + 1, to, from - 1, between, from, from - 1, between, to,
      ]
      return scenario(
        .latest, ".restart", "Smaller ones down to \(to), after numbers up to \(from).", numbers.map { message($0) },
        every: 20 * DeclaredScenarios.pace)
    case .window(let size, _):
      // From the first number, and from one whose window begins before 0.
      let first = (size &* 2 &+ 10) & order.last
      let behind = order.number(size, before: order.number(1, after: first))
      let numbers =
        [first, order.number(size - 1, before: first), order.number(1, after: first), behind]
        + [5, order.number(size - 1, before: 5), 6, order.number(size, before: 6), order.number(half, before: 6)]
      return scenario(
        .latest, ".window", "Behind by one less than \(size), and by \(size), also across 0.",
        numbers.map { message($0) },
        every: 20 * DeclaredScenarios.pace)
    }
  }

  /// Messages without a sequence number among others; nil where each has one.
  private var unnumbered: Scenario? {
    guard let unused = stream.numbers.rule.unused else { return nil }
    let counts: [UInt64?] = [1, 2, nil, 3, nil, nil, 2, 4]
    let messages = counts.enumerated().map { index, count in
      stream.message(UInt64(index + 1), numbered: count.map(stream.numbers.number) ?? unused).bytes
    }
    return scenario(
      .latest, ".unused", "Messages without a number, \(unused), among others.", messages,
      every: 20 * DeclaredScenarios.pace)
  }

  private var values: [Scenario] {
    var scenarios: [Scenario?] = []
    if stream.order != nil {
      scenarios.append(
        scenario(
          .values, "", "Different numbers in each field.", (1...8).map { message($0) },
          every: 20 * DeclaredScenarios.pace))
    }
    if stream.hasKey {
      scenarios.append(
        scenario(.latest, ".keys", "Two keys in turn, each with values and numbers of its own.", keys))
    }
    if stream.adds { scenarios.append(borders) }
    scenarios.append(
      scenario(
        stream.isNumbered || stream.countsByNumber && !stream.adds ? .values : .latest, ".extremes",
        "The ends of what each field holds, and numbers between them.", extremes, every: 20 * DeclaredScenarios.pace))
    if stream.rules.merge == .event, stream.order == nil {
      scenarios.append(
        scenario(.latest, ".repeated", "The same again and again.", (1...5).map { _ in message(1) }))
    }
    if let range = stream.rules.range, !stream.adds {
      let out = [range.lowerBound - 1, range.upperBound + 1, range.lowerBound, range.upperBound]
      // Each message has a number of its own: none is a duplicate.
      let changes = out.flatMap { value in stream.values.map { (row: $0, value: value) } }
      let messages = changes.enumerated().map { index, change in
        message(UInt64(index + 1), changing: change.row, to: change.value)
      }
      let aspect: StreamAspect = stream.order == nil ? .latest : .values
      scenarios.append(
        scenario(aspect, ".clamp", "Beyond each border, and on it.", messages, every: 20 * DeclaredScenarios.pace))
    }
    if stream.mayHoldNoNumber {
      scenarios.append(
        scenario(.finite, "", "NaN and ∞ in each number, and a right message after each.", notFinite, and: .latest))
    }
    return scenarios.compactMap(\.self)
  }

  /// Messages that alternate between two keys.
  private var keys: [[UInt8]] {
    (0..<24).map { index in
      var message = stream.message(UInt64(index / 2 + 1 + index % 2 * 40))
      for row in stream.keys {
        if let bits = row.rightKey(index % 2) { message.put(bits: bits, row) }
      }
      message.seal()
      return message.bytes
    }
  }

  /// Messages with one extreme value each.
  private var extremes: [[UInt8]] {
    let quaternion = stream.quaternion
    let all = stream.values.filter { !quaternion.contains($0) }.flatMap { row in
      row.extremes(in: stream.rules.range, addsUp: stream.adds).map { (row, $0) }
    }
    let step = max(1, all.count / DeclaredScenarios.mostExtremes)
    return stride(from: 0, to: all.count, by: step).enumerated().map { index, place in
      message(UInt64(index + 1), changing: all[place].0, to: all[place].1)
    }
  }

  /// The approximate maximum number of extreme values in a scenario.
  private static let mostExtremes = 48

  /// Each sum beyond each of its limits, and back: the part beyond does not count. Nil without limits, or where they
  /// are too far.
  private var borders: Scenario? {
    guard let range = stream.rules.range else { return nil }
    let width = range.upperBound - range.lowerBound
    var work: [Step.Work] = []
    var number: UInt64 = 0
    func send(_ count: Int, _ row: FieldRow, _ value: Double, every: Nanoseconds) {
      let messages = (0..<count).map { _ -> [UInt8] in
        number += 1
        return message(number, changing: row, to: value)
      }
      work.append(.send(messages, every: every))
    }
    for row in stream.values {
      guard let steps = row.steps(over: width) else { continue }
      let ways = [steps.up, steps.down].compactMap(\.self)
      for (index, way) in ways.enumerated() {
        let count = width / way.magnitude + 2
        guard count <= DeclaredScenarios.mostSteps else { continue }
        send(Int(count), row, way, every: DeclaredScenarios.pace)
        // Alone, so that it is observed.
        if ways.count > 1 { send(1, row, ways[1 - index], every: 20 * DeclaredScenarios.pace) }
      }
    }
    guard !work.isEmpty, let aspect = StreamAspect.latest.name(.sum) else { return nil }
    return scenario(
      "\(stream.rules.name).\(aspect)", ".clamp", "Beyond each border, and back.", work, [.latest], .none, seeds: 1,
      pieces: [], then: 0)
  }

  /// The maximum number of messages up to a limit.
  private static let mostSteps = 400.0

  private var silence: [Scenario] {
    guard let silence = stream.rules.silence else { return [] }
    return [
      scenario(
        .safe, "", "Nothing comes any more.", (1...5).map { message($0) },
        then: LivenessWindow(timeout: silence, settle: 0).late + 500_000_000)
    ].compactMap(\.self)
  }

  /// Each rule of the header broken alone: the wrong message has a newer value that must not be applied.
  private var header: [Scenario] {
    let right = (1...3).map { message($0) }
    let wrong = message(100)
    var scenarios: [Scenario?] = owner.recognisedFields.map { field in
      let bad = stream.kind.wrong(wrong, in: field, over: session.carrier)
      if bad.isEmpty { return nil }
      return scenario("header.\(field)", "A wrong \(field).", [.send(right + bad, every: DeclaredScenarios.pace)])
    }
    // For a message of usual size each length; all lengths of a very long one would not fit into memory.
    let step = max(1, wrong.count / 1_000)
    // Without frames, the next bytes would complete a truncated message, so it is the last one.
    let lengths =
      session.isSelfDelimited
      ? [Array(wrong.dropLast())]
      : stride(from: shortest, to: wrong.count, by: step).map { Array(wrong.prefix($0)) }
    scenarios.append(
      scenario(
        "header.truncated", session.isSelfDelimited ? "A message without its last byte." : lengthsSentence(step),
        [.send(right + lengths, every: DeclaredScenarios.pace)]))
    return scenarios.compactMap(\.self)
  }

  private func lengthsSentence(_ step: Int) -> String {
    step == 1 ? "Every shorter length." : "Every \(step)th shorter length."
  }

  /// The shortest truncated message: a length that the framing forbids may end a connection.
  private var shortest: Int {
    guard session.carrier == .tcp, case .length(let prefix)? = owner.dialect(over: .tcp)?.framing else { return 0 }
    return prefix.shortest
  }

  /// Mutated messages. Over TCP a receiver may close the connection for them, so nothing is expected after them.
  private var mutations: [Scenario] {
    let steps: [Step.Work] = [
      // All have one number: a mutation that changes nothing is a duplicate, not stale.
      .mutate(Step.Mutated(messages: [message(1)]), count: 200, every: DeclaredScenarios.pace),
      // A sum is known again only after the receiver has shown it.
      .send(afterMutations.map { message($0) }, every: (stream.adds ? 20 : 1) * DeclaredScenarios.pace),
    ]
    let scenario = scenario("robust.mutations", "Bytes changed, cut and added, then right messages.", steps, seeds: 3)
    return [scenario].compactMap(\.self)
  }

  /// The numbers after mutated messages: the largest ones where greater is newer. A number of one or two bits has fewer
  /// than six.
  private var afterMutations: ClosedRange<UInt64> {
    let last = stream.numbers.last
    switch stream.numbers.rule.comparison {
    case .greater, .restarting: return last - min(5, last)...last
    case .serial, .window, .none: return 200...205
    }
  }

  // MARK: - Messages

  func message(_ number: UInt64, changing field: FieldRow? = nil, to value: Double = 0) -> [UInt8] {
    stream.message(number, changing: field, to: value).bytes
  }

  private var notFinite: [[UInt8]] {
    let numbers = stream.values.filter(\.type.mayHoldNoNumber)
    let wrong = numbers.flatMap { row in [Double.nan, .infinity, -.infinity].map { (row, $0) } }
    return wrong.enumerated().flatMap { index, one in
      // The wrong message has the higher number: a receiver that took it for the newest would drop the right one.
      [
        message(UInt64(index + 2), changing: one.0, to: one.1),
        message(UInt64(index + 1)),
      ]
    }
  }

  // MARK: - Scenarios

  private func scenario(
    _ aspect: StreamAspect, _ suffix: String, _ sentence: String, _ messages: [[UInt8]], _ network: Impairments = .none,
    and also: StreamAspect? = nil, every: Nanoseconds = DeclaredScenarios.pace, seeds: Int = 1, pieces: [Int] = [],
    then wait: Nanoseconds = 0
  ) -> Scenario? {
    scenario(
      "\(stream.rules.name).\(aspect.name(stream.rules.merge) ?? "")", suffix, sentence,
      [.send(messages, every: every)],
      [aspect, also].compactMap(\.self), network, seeds: seeds, pieces: pieces, then: wait)
  }

  private func scenario(
    _ requirement: String, _ sentence: String, _ work: [Step.Work], seeds: Int = 1
  ) -> Scenario? {
    scenario(requirement, ".\(stream.rules.name)", sentence, work, [.latest], .none, seeds: seeds, pieces: [], then: 0)
  }

  func scenario(
    _ id: String, _ suffix: String, _ sentence: String, _ work: [Step.Work], _ aspects: [StreamAspect],
    _ network: Impairments, seeds: Int, pieces: [Int], then wait: Nanoseconds, isFramed: Bool = false
  ) -> Scenario? {
    guard let requirement = requirements.first(where: { $0.id == "\(owner.name).\(id)" }) else { return nil }
    var time = SessionSteps.start
    var steps: [Step] = []
    for one in work {
      var framed = one
      if !isFramed, case .send(let messages, let every) = one {
        framed = .send(messages.map(session.framed), every: every)
      }
      steps.append(session.step(framed, at: time, by: session.peer(of: stream.receiver)))
      time += one.duration
    }
    let end = time + 300_000_000 + wait
    // A host may accept messages only within a session: the client opens one first, and keeps it under any impairment.
    let hasSession = stream.receiver == .host && owner.asking != nil
    if hasSession { steps = session.keep(for: end, from: SessionSteps.start - 100_000_000) + steps }
    return Scenario(
      id: requirement.id + suffix, path: "", sentence: sentence, requirement: requirement,
      setup: Setup(
        part: Part(Role(owner, stream.receiver)), code: owner.usualCode, carrier: session.carrier),
      steps: steps,
      acknowledges: stream.receiver == .client ? session.acknowledgements(until: Timestamp(nanoseconds: end)) : [],
      impairments: network, suffering: hasSession ? [stream.kind] : [], combinations: [network], pieces: pieces,
      seeds: seeds, onlySeed: nil,
      expectations: [AnyStreamExpectation(requirements: aspects.compactMap { $0.id(of: stream.rules, owner) })],
      end: Timestamp(nanoseconds: end), judging: judging)
  }

}

extension Step.Work {
  /// Its duration in ns.
  fileprivate var duration: Nanoseconds {
    switch self {
    case .send(let messages, let every): Int64(messages.count) * every
    case .mutate(_, let count, let every): Int64(count) * every
    case .open, .close, .reset, .endSession, .ask: 0
    }
  }
}

extension MessageKind {
  /// This message with one wrong byte in a field of its header, for each byte of the field: none of them is valid. Over
  /// a byte stream only the first, since a wrong length may close the connection.
  func wrong(_ message: [UInt8], in field: String, over carrier: Carrier) -> [[UInt8]] {
    guard let row = layout[field], let size = row.type.size, let start = row.start(in: message.span.bytes),
      start + size <= message.count, let dialect = owner.dialect(over: carrier)
    else {
      return []
    }
    let mask = row.bitMask
    return (0..<(carrier == .tcp ? 1 : size)).compactMap { place in
      ([0x20, 0x40, 0x10, 0x80, 8, 4, 2, 1] as [UInt8]).lazy.map { bit -> [UInt8] in
        var wrong = message
        wrong[start + place] ^= bit & (mask?[place] ?? .max)
        // Recompute the other checksums, so that nothing else is wrong.
        return Message.checksummed(wrong, as: self, except: [field])
      }.first { Message.decode($0.span.bytes, as: dialect).message == nil }
    }
  }
}
