import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// A HELLO of a phone, and how the session that it asked for before was doing when it came.
struct AskedHello {
  let message: LoggedMessage
  /// Its session_id; nil where it is cut short.
  let id: UInt32?
  /// That of the HELLO before it; nil for the first.
  let idBefore: UInt32?
  /// That session was acknowledged.
  let wasOpened: Bool
  /// Nobody can think that it is over: it was acknowledged lately, and the phone has not ended it.
  let isInSession: Bool
  /// Nobody can think that it lives.
  let isAfterLoss: Bool
  /// It asks again for what the one before it asks for: over TCP on the same connection that nobody refused, over UDP so soon that
  /// nobody can have given up the other, which was not answered yet.
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
  /// A connection came or went: what is sent next goes over another one.
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

/// The session that a phone asked for, as long as its host says that it lives.
private struct AskedSession {
  private let settle: Nanoseconds
  /// When it was acknowledged last.
  private var acknowledged: Timestamp?
  /// When something came last that a phone may take for an acknowledgement.
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

  /// Who sends two HELLOs so soon one after the other, in ns, does not wait for an answer to the first.
  private static let atOnce: Nanoseconds = 100_000_000

  /// This HELLO asks for the same again as the one before it.
  func isAsked(again hello: LoggedMessage, behind before: LoggedMessage?) -> Bool {
    guard let before else { return false }
    if hello.carrier == .tcp { return answered == nil || acknowledged != nil }
    return answered == nil && hello.time.nanoseconds(since: before.time) < AskedSession.atOnce
  }

  /// It was acknowledged.
  var wasOpened: Bool { acknowledged != nil }

  /// Nobody can think that it is lost: over UDP before the silence that ends it, less what a phone may be early.
  func isAlive(at time: Timestamp, over carrier: Carrier) -> Bool {
    guard let acknowledged else { return false }
    return carrier == .tcp || time.nanoseconds(since: acknowledged) < Tele.timeout - tolerance - settle
  }

  /// Nobody can think that it lives: over TCP without its connection, over UDP after the silence that ends it, and what a
  /// phone may be late.
  func isLost(at time: Timestamp, over carrier: Carrier, isConnected: Bool) -> Bool {
    guard acknowledged != nil, let answered else { return false }
    return carrier == .tcp ? !isConnected : time.nanoseconds(since: answered) > Tele.timeout + tolerance + settle
  }

  /// How much sooner or later than the silence a phone may end it, in ns.
  private let tolerance: Nanoseconds = 100_000_000
}
