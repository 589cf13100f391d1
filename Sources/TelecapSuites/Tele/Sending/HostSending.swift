import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The rules on a host's messages: answers to HELLO, and forces to its active client. Those only for Bluetooth are in
/// `LinkSending`.
extension SenderRule {
  /// All rules.
  static let host: [SenderRule] = [ackForm, hapticRange, hapticSession, hapticRate, heartbeat]

  private static func rule(
    _ id: String, restsOnTime: Bool = false, _ judge: @escaping @Sendable (JudgedRun) -> Outcome
  ) -> SenderRule {
    SenderRule(Requirement.hostSending.named(id), restsOnTime: restsOnTime, judge: judge)
  }

  private static let ackForm = rule("tele.hello.ack-form") { run in
    run.isOverLink ? .missing("nothing answers over Bluetooth") : run.ackForm()
  }
  private static let hapticRange = rule("tele.haptic.sender-range") { run in
    run.form(of: [.haptic], as: "intensity in 0…1, channel 0, reserved 0")
  }
  private static let hapticSession = rule("tele.haptic.sender-session", restsOnTime: true) { $0.hapticsInSession() }
  private static let hapticRate = rule("tele.haptic.sender-rate", restsOnTime: true) { run in
    // 25 % above the rate, over 2 s.
    run.rate(of: .haptic, atMost: Int(2.5 * run.log.said[SaidRate.self]), within: 2_000_000_000)
  }
}

extension [Requirement] {
  /// The requirement of this id, which must exist.
  func named(_ id: String) -> Requirement {
    guard let requirement = first(where: { $0.id == id }) else { preconditionFailure("no requirement \(id)") }
    return requirement
  }
}

extension JudgedRun {
  /// Checks that at most `count` messages of a kind go to one peer within `span` ns of a session. Each session is
  /// counted separately.
  func rate(of kind: MessageKind, atMost count: Int, within span: Nanoseconds) -> Outcome {
    let openings = decoded.openings
    let times = Dictionary(grouping: replies.filter { $0.kind == kind }) { message in
      let before = openings[message.peer, default: []].prefix { $0 < message.entry }
      return Conversation(peer: message.peer, number: before.count)
    }.mapValues { $0.map(\.time) }
    let isTried = times.values.contains { $0.count > 1 && $0[$0.count - 1].nanoseconds(since: $0[0]) >= span }
    for (with, times) in times.sorted(by: { $0.key < $1.key }) {
      let excess = excess(times, over: count, within: span, of: kind) { "\($0) to \(with.peer) in \($1) ms" }
      if let excess { return .broken(excess) }
    }
    return isTried ? .held : .missing("\(kind.name) did not go for \(span / 1_000_000) ms")
  }

  /// Checks that every ACK has the form of its transport, and goes to a peer with an unanswered HELLO, and that all
  /// other messages are a host's.
  fileprivate func ackForm() -> Outcome {
    var breaches: [Failure] = []
    var owed: [PeerName: Int] = [:]
    var asking = delivered.filter(\.mayBeAnswered)[...]
    for message in replies {
      // Messages within the settle time may be logged in either order.
      let latest = message.time.advanced(byNanoseconds: log.settle)
      while let hello = asking.first, hello.entry < message.entry || hello.time < latest {
        owed[asking.removeFirst().peer, default: 0] += 1
      }
      func breach(_ observed: String) {
        breaches.append(
          Failure(
            time: message.time, expected: "an ACK of \(message.carrier == .tcp ? 12 : 8) bytes for a HELLO",
            observed: "\(message.peer) got \(observed)"))
      }
      if message.kind.answers {
        if !message.findings.isEmpty {
          breach("an ACK of \(message.bytes.count) bytes: \(message.wrong)")
        }
        let rest = owed[message.peer, default: 0] - 1
        if rest < 0 { breach("an ACK for no HELLO") }
        owed[message.peer] = max(0, rest)
      }
    }
    breaches += strays(besides: [.haptic, .ack, .ackTCP])
    if !breaches.isEmpty { return Outcome(breaches: breaches) }
    return replies.contains(where: \.kind.answers) ? .held : .missing("the host sent no ACK")
  }

  /// Checks that forces go only to the client of the session, while it is open.
  fileprivate func hapticsInSession() -> Outcome {
    guard replies.contains(where: { $0.kind == .haptic }) else { return .missing("the host sent no HAPTIC") }
    if isOverLink { return Outcome(breaches: outsideLinks([.haptic])) }
    var session = ClientSession(settle: log.settle)
    var heard = delivered[...]
    var breaches: [Failure] = []
    for message in replies {
      while let next = heard.first, next.entry < message.entry { session.heard(heard.removeFirst()) }
      if message.kind.answers { session.answered(message) }
      guard message.kind == .haptic, let wrong = session.wrong(with: message) else { continue }
      breaches.append(
        Failure(
          time: message.time, expected: "HAPTIC to the active client only", observed: "\(message.peer) got one \(wrong)"
        ))
    }
    return Outcome(breaches: breaches)
  }
}

/// The client that a host's answers accepted, and the time until which it may get forces.
private struct ClientSession {
  /// The time in ns in which a host must notice.
  let settle: Nanoseconds
  private var client: (peer: PeerName, id: UInt32, heard: Timestamp)?
  private var hellos: [PeerName: UInt32] = [:]
  /// The time at which the session of a peer was closed by its BYE.
  private var closed: (peer: PeerName, time: Timestamp)?

  /// The maximum silence in ns after which a client's session must have ended (tele.haptic.sender-session).
  private static let silence: Nanoseconds = 4_000_000_000

  init(settle: Nanoseconds) { self.settle = settle }

  mutating func heard(_ message: LoggedMessage) {
    guard message.isValid || message.mayBeAnswered else { return }
    let bytes = message.bytes.span.bytes
    if message.kind == .hello, let id = Hello.fields.sessionID.value(in: bytes) { hellos[message.peer] = id }
    guard message.isValid, let client, client.peer == message.peer else { return }
    self.client?.heard = message.time
    if message.closes(client.id, of: client.peer) {
      closed = (message.peer, message.time)
      self.client = nil
    }
  }

  mutating func answered(_ ack: LoggedMessage) {
    guard Ack.fields.status.value(in: ack.bytes.span.bytes) == AckStatus.ok.rawValue else { return }
    client = (ack.peer, hellos[ack.peer] ?? 0, ack.time)
    closed = nil
  }

  /// The reason why a HAPTIC must not be sent; nil where it may.
  func wrong(with haptic: LoggedMessage) -> String? {
    guard let client, client.peer == haptic.peer else {
      guard let closed, closed.peer == haptic.peer else { return "that has no session" }
      let late = haptic.time.nanoseconds(since: closed.time)
      return late > settle ? "\(late / 1_000_000) ms after its BYE" : nil
    }
    let silent = haptic.time.nanoseconds(since: client.heard)
    guard haptic.carrier == .udp, silent > ClientSession.silence + settle else { return nil }
    return "after \(silent / 1_000_000) ms of its silence"
  }
}

extension LoggedMessage {
  /// Whether it is a HELLO that a host may answer, with or without trailing bytes. One of another version may have any
  /// length, since only its header is known.
  fileprivate var mayBeAnswered: Bool {
    kind == .hello && bytes.count >= Hello.layout.fixedSize || isHelloOfAnotherVersion
  }

  /// Whether it is a HELLO of an unknown version.
  var isHelloOfAnotherVersion: Bool { kind == .hello && findings.contains { $0.rule == .version } }
}

/// A peer, and the index of its session.
private struct Conversation: Hashable, Comparable {
  let peer: PeerName
  let number: Int

  static func < (a: Conversation, b: Conversation) -> Bool { (a.peer, a.number) < (b.peer, b.number) }
}

extension DecodedLog {
  /// The entries in the log, by peer, at which its connections and links were opened, and at which the sessions of a
  /// host without a connection began.
  fileprivate var openings: [PeerName: [Int]] {
    let begun = DatedSessions(self, fromWire: true).byEntry
    return log.entries.indices.reduce(into: [:]) { openings, place in
      if case .opened(let peer) = log.entries[place].what { openings[peer, default: []].append(place) }
      for event in begun[place] ?? [] {
        guard case .sessionOpened(let end, _) = event, let peer = log.peers.peer(at: end) else { continue }
        openings[peer, default: []].append(place)
      }
    }
  }
}
