import TelecapModels
import TelecapRecording
import TelecapWire

/// The requirements that follow from a protocol's declaration. They apply to every protocol, built in or from a file.
enum DeclaredRequirements {
  /// The requirements of a protocol in order: on its header, on each stream, and on the messages of each side.
  static func all(of owner: WireProtocol, _ streams: [JudgedStream], _ sending: [SenderRule]) -> [Requirement] {
    let isTested = !streams.isEmpty || owner.asking != nil && !sending.isEmpty
    // Streams and rules are repeated for each transport.
    var ids: Set<String> = []
    return
      ((isTested ? header(owner) : []) + streams.flatMap { $0.requirements.map(\.requirement) }
      + sending.map(\.requirement)).filter { ids.insert($0.id).inserted }
  }

  private static func header(_ owner: WireProtocol) -> [Requirement] {
    let source = "\(owner.title): the header"
    let fields = owner.recognisedFields.map { field in
      Requirement(
        "\(owner.name).header.\(field)", .must, "A message whose \(field) is wrong is dropped and changes nothing.",
        source)
    }
    let mutations = Requirement(
      "\(owner.name).robust.mutations", .must, "After mutated messages the system still applies right ones.", source)
    return fields + [
      Requirement(
        "\(owner.name).header.truncated", .must,
        "Every length shorter than the message's is dropped, and none crashes.",
        source)
    ] + (owner.dialect(over: .udp) == nil ? [] : [mutations]) + FramingRequirements.all(of: owner)
  }
}

extension WireProtocol {
  /// The transports, UDP and TCP, over which the requirements of the declaration are tested: those that carry its
  /// messages.
  public var testedCarriers: [Carrier] { [.udp, .tcp].filter { dialect(over: $0) != nil } }

  /// The timeout of its sessions over a transport, in ns; nil where there is none, where the connection is the session,
  /// and where it is longer than an hour, too long for a test.
  func testedTimeout(over carrier: Carrier) -> Nanoseconds? {
    guard !carrier.isConnected, dialect(over: carrier) != nil, let timeout = session?.timeout,
      timeout <= 3_600_000_000_000
    else { return nil }
    return timeout
  }

  /// The timeout over UDP, where silence ends a session.
  var testedTimeout: Nanoseconds? { testedTimeout(over: .udp) }

  /// A client can lose its session, by silence or with its connection.
  fileprivate var losesSessions: Bool { testedTimeout != nil || dialect(over: .tcp) != nil }
}

extension JudgedStream {
  /// The relative tolerance for numbers that a system prints rounded.
  private static let printed = 1e-4

  /// The streams that one side of a protocol receives over a transport, with the requirements of their declaration.
  static func declared(by owner: WireProtocol, received side: Side, over carrier: Carrier) -> [JudgedStream] {
    guard let dialect = owner.dialect(over: carrier) else { return [] }
    return owner.streams.compactMap { JudgedStream(declared: $0, by: owner) }
      .filter { $0.receiver == side && $0.kind.layout.dialects.contains(dialect.name) }
  }

  /// A stream whose receiver reports applied values by `PeerEvent.applied`; nil where the protocol has no such message.
  public convenience init?(declared rules: StreamRules, by owner: WireProtocol) {
    let name = rules.name
    let zero = StreamValues(
      rules.values.map { _ in rules.range.map { min(max(0, $0.lowerBound), $0.upperBound) } ?? 0 })
    let requirements = StreamAspect.allCases.compactMap { $0.requirement(of: rules, owner) }
    self.init(
      rules, of: owner, requirements: requirements, start: rules.merge == .sum ? zero : nil,
      tolerance: JudgedStream.printed, mayDropBreaches: true, comparesDigits: true,
      words: { value, inFull in "\(name) \(value.words(inFull: inFull))" })
  }
}

extension StreamValue {
  /// Its sequence number; its values where it has none, or where the values are the difference.
  fileprivate func words(inFull: Bool) -> String {
    let list = values.indices.map { place in
      let value = values[place]
      return values.whole(at: place).map { "\($0)" } ?? value.words
    }
    guard let number else { return list.joined(separator: ", ") }
    return inFull ? "\(number): \(list.joined(separator: ", "))" : "\(number)"
  }
}

extension StreamRules {
  /// Whether a client receives it, and only within its session.
  func isOfOwnSession(of owner: WireProtocol) -> Bool {
    inSession && merge == .latest && owner[message]?.layoutDirection == .serverToClient
      && owner.asking.map { !owner.isStream($0.answers) } == true
  }

  /// Whether a client receives it, and must set each of its values to 0, the neutral value, when it loses its session.
  func isOffWithoutSession(of owner: WireProtocol) -> Bool {
    isOfOwnSession(of: owner) && owner.losesSessions && silence == nil && !values.isEmpty
      && values.allSatisfy { neutral[$0] == 0 }
  }
}

extension OrderRule {
  /// The requirement on a receiver of messages with such numbers.
  fileprivate func sentence(_ message: String, _ number: String) -> String {
    let without = unused.map { " With \($0) it has no number, and is applied as it comes." } ?? ""
    switch comparison {
    case .serial, .none:
      return "A \(message) is applied only if its \(number) is newer than that of every one applied before it."
        + without
    case .window(let size, let wraps):
      return "A \(message) is applied unless its \(number) is behind the last one by less than \(size)"
        + (wraps ? "." : ", where numbers do not wrap.") + without
    case .greater:
      return "A \(message) is applied only if its \(number) is greater than that of the last one that was applied."
        + without
    case .restarting(let from, let to):
      return
        "A \(message) is applied if its \(number) is greater than that of the last one that was applied, or at most "
        + "\(to), or if that of the last one was at least \(from)." + without
    }
  }
}

extension StreamAspect {
  /// The last part of its requirement's id in a declared protocol; nil where the declaration requires nothing.
  func name(_ merge: StreamRules.Merge) -> String? {
    switch self {
    case .latest:
      switch merge {
      case .latest: "latest-value-wins"
      case .sum: "sum"
      case .event: "once"
      }
    case .duplicate: "duplicate"
    case .values: "values"
    case .finite: "finite"
    case .safe: "safe-on-loss"
    case .needsSession: "needs-session"
    default: nil
    }
  }

  /// Its requirement's id: `dsu.pad.duplicate`.
  func id(of rules: StreamRules, _ owner: WireProtocol) -> String? {
    name(rules.merge).map { "\(owner.name).\(rules.name).\($0)" }
  }

  /// Its requirement on a declared stream; nil where it requires nothing.
  fileprivate func requirement(
    of rules: StreamRules, _ owner: WireProtocol
  ) -> (aspect: StreamAspect, requirement: Requirement)? {
    guard let id = id(of: rules, owner), let sentence = sentence(of: rules, owner) else { return nil }
    return (self, Requirement(id, .must, derived: true, sentence, "\(owner.title): \(rules.message)"))
  }

  private func sentence(of rules: StreamRules, _ owner: WireProtocol) -> String? {
    let message = rules.message
    var number: String?
    if !rules.isInOrderOfArrival, case .sequence(let field) = rules.order { number = field }
    switch self {
    case .latest where rules.merge == .sum:
      return "The applied value is the sum of every \(message) received" + (number.map { ", each \($0) once" } ?? "")
        + (rules.range == nil ? "" : clamp(rules) + " after each") + "."
    case .latest where rules.merge == .event:
      return "Every \(message) received is applied once" + (number == nil ? ", in the order in which they come." : ".")
    case .latest:
      guard let number else {
        return "Once nothing more arrives, the applied value is the last \(message) received" + clamp(rules) + "."
      }
      return rules.orderRule.sentence(message, number)
    case .duplicate:
      guard let number else { return nil }
      return rules.orderRule.appliesDuplicates
        ? "A \(message) with the \(number) of the one before it is applied as well."
        : "A \(message) that comes twice is applied once."
    case .values:
      guard number != nil, rules.merge != .sum, !rules.values.isEmpty else { return nil }
      return "The applied values of a \(message) are those that it holds" + clamp(rules) + "."
    case .finite:
      let types = rules.values.compactMap { owner[message]?.layout[$0]?.type }
      guard rules.notFinite != .any, types.contains(where: \.mayHoldNoNumber) else { return nil }
      return "A \(message) that holds NaN or ∞ is not applied"
        + (rules.merge == .latest ? ", and does not count as the newest." : ".")
    case .safe:
      if let silence = rules.silence {
        return "When no \(message) has come for \(silence.seconds) s the applied value is 0."
      }
      return rules.isOffWithoutSession(of: owner) ? "When the session is lost the applied value is 0." : nil
    case .needsSession:
      // Over TCP a client may request its session once, so that every run needs one.
      return owner.testedTimeout != nil && rules.isOfOwnSession(of: owner)
        ? "Outside a session no \(message) is applied." : nil
    default: return nil
    }
  }

  private func clamp(_ rules: StreamRules) -> String {
    rules.range.map { ", clamped to \($0.lowerBound)…\($0.upperBound)" } ?? ""
  }
}
