import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A HELLO of a phone, with the state of its previous session at that time.
struct AskedHello {
  let message: LoggedMessage
  /// Its session_id; nil where it is truncated.
  let id: UInt32?
  /// The session_id of the HELLO before it; nil for the first.
  let idBefore: UInt32?
  /// Whether that session was acknowledged.
  let wasOpened: Bool
  /// Whether that session is certainly open: it was acknowledged recently, and the phone has not ended it.
  let isInSession: Bool
  /// Whether that session has certainly ended.
  let isAfterLoss: Bool
  /// Whether it repeats the request before it: over TCP on the same connection, if that was not rejected; over UDP so
  /// soon, and without an answer, that the phone cannot have given up the other.
  let isAgain: Bool
}

extension JudgedRun {
  /// The phone's HELLOs, in order.
  func askedHellos() -> [AskedHello] {
    var hellos: [AskedHello] = []
    var session = AskedSession(settle: log.settle)
    var heard = delivered[...]
    var (last, hasSentBye) = (0, false)
    for reply in replies {
      if reply.kind == .bye { hasSentBye = true }
      guard reply.kind == .hello else { continue }
      while let next = heard.first, next.entry < reply.entry { session.heard(heard.removeFirst()) }
      let since = log.entries[last..<reply.entry]
      let hasHungUp = since.contains(where: \.isOtherConnection)
      let hasLeft = hasHungUp || hasSentBye || since.contains(where: \.saysSessionClosed)
      let hello = AskedHello(
        message: reply, id: Hello.fields.sessionID.value(in: reply.bytes.span.bytes), idBefore: hellos.last?.id,
        wasOpened: session.wasOpened,
        isInSession: !hasLeft && session.isAlive(at: reply.time, over: reply.carrier),
        isAfterLoss: session.isLost(at: reply.time, over: reply.carrier, isConnected: !hasHungUp),
        isAgain: !hasLeft && session.isAsked(again: reply, behind: hellos.last?.message))
      if hello.isAfterLoss || hello.id != hello.idBefore { session = AskedSession(settle: log.settle) }
      hellos.append(hello)
      (last, hasSentBye) = (reply.entry, false)
    }
    return hellos
  }
}

extension RunLog.Entry {
  /// A connection was opened or closed: the next message uses another one.
  fileprivate var isOtherConnection: Bool {
    switch what {
    case .opened, .disconnected, .closed: true
    default: false
    }
  }

  fileprivate var saysSessionClosed: Bool {
    if case .event(.sessionClosed) = what { true } else { false }
  }
}

/// The session that a phone requested, while its host acknowledges it.
private struct AskedSession {
  private let settle: Nanoseconds
  /// The time of the last acknowledgement.
  private var acknowledged: Timestamp?
  /// The time of the last message that a phone may take for an acknowledgement.
  private var answered: Timestamp?

  init(settle: Nanoseconds) { self.settle = settle }

  mutating func heard(_ message: LoggedMessage) {
    guard message.kind.answers else { return }
    answered = message.time
    guard message.isValid, Ack.fields.status.value(in: message.bytes.span.bytes) == AckStatus.ok.rawValue else {
      return
    }
    acknowledged = message.time
  }

  /// The interval in ns between two HELLOs below which the phone cannot have waited for an answer to the first.
  private static let atOnce: Nanoseconds = 100_000_000

  /// Whether this HELLO repeats the request of the one before it.
  func isAsked(again hello: LoggedMessage, behind before: LoggedMessage?) -> Bool {
    guard let before else { return false }
    if hello.carrier == .tcp { return answered == nil || acknowledged != nil }
    return answered == nil && hello.time.nanoseconds(since: before.time) < AskedSession.atOnce
  }

  /// Whether it was acknowledged.
  var wasOpened: Bool { acknowledged != nil }

  /// Whether it is certainly open: over UDP before the timeout, minus the phone's tolerance.
  func isAlive(at time: Timestamp, over carrier: Carrier) -> Bool {
    guard let acknowledged else { return false }
    return carrier == .tcp || time.nanoseconds(since: acknowledged) < Tele.timeout - tolerance - settle
  }

  /// Whether it has certainly ended: over TCP without its connection, over UDP after the timeout plus the phone's
  /// tolerance.
  func isLost(at time: Timestamp, over carrier: Carrier, isConnected: Bool) -> Bool {
    guard acknowledged != nil, let answered else { return false }
    return carrier == .tcp ? !isConnected : time.nanoseconds(since: answered) > Tele.timeout + tolerance + settle
  }

  /// The tolerance in ns of a phone's timeout.
  private let tolerance: Nanoseconds = 100_000_000
}
