import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The time in which a client under test is between two sessions because it closed the first one by itself, as the user of a phone may
/// at any time. Until the next session is open nobody knows which messages the client applies.
public struct OwnLeave: Hashable, Sendable {
  /// The name of the message that closed the session.
  let message: String
  /// The arrival of that message.
  public let closed: Timestamp
  /// The delivery of the answer that opened the next session; nil where none did.
  public internal(set) var reopened: Timestamp?

  /// Whether the client may be without a session at a time: it reads, prints and is heard within `settle` ns.
  func contains(_ time: Timestamp, settle: Nanoseconds) -> Bool {
    closed.nanoseconds(since: time) <= settle && reopened.map { time.nanoseconds(since: $0) < settle } ?? true
  }
}

extension DecodedLog {
  /// Each time that the system, a client, left its session before it was asked to end, in order; none in virtual time, where no
  /// model does.
  ///
  /// An answer opens the next session only where the host sent it after the client asked for one: an answer that a network held back
  /// belongs to the old session.
  func ownLeaves(_ owner: WireProtocol) -> [OwnLeave] {
    guard log.settle > 0, let closing = owner.session?.closing?.message, owner.asking != nil,
      replies.contains(where: { $0.kind.name == closing })
    else { return [] }
    let sent = replies.map { (message: $0, isSent: true) }
    let received = delivered.map { (message: $0, isSent: false) }
    var leaves: [OwnLeave] = []
    var open: OwnLeave?
    var asked: Timestamp?
    for (message, isSent) in (sent + received).sorted(by: { $0.message.entry < $1.message.entry })
    where message.isValid {
      if isSent, message.kind.name == closing {
        if log.left.map({ message.time >= $0 }) ?? false { continue }
        open = open ?? OwnLeave(message: closing, closed: message.time)
        asked = nil
      } else if isSent, message.kind.asks {
        asked = message.time
      } else if !isSent, message.accepts, var leave = open, let asked, sendTime(of: message) >= asked {
        leave.reopened = message.time
        leaves.append(leave)
        open = nil
      }
    }
    return leaves + [open].compactMap(\.self)
  }

  /// When the other side sent a message that was delivered.
  private func sendTime(of message: LoggedMessage) -> Timestamp {
    guard case .delivered(_, _, _, _, let sentAt) = log.entries[message.entry].what else { return message.time }
    return sentAt
  }
}

extension LoggedMessage {
  /// It is an answer that accepts a request for a session.
  var accepts: Bool { kind.accepts(bytes.span.bytes) }
}

extension JudgedRun {
  /// Why a requirement on a session was not tried: the client under test left its session by itself; nil where it did not.
  public var leftByItself: (time: Timestamp, reason: String)? {
    leaves.first.map { leave in
      let seconds = Numbers.fixed(Double(leave.closed.nanoseconds) / 1e9, 3)
      return (
        leave.closed, "the \(part) closed its session by \(leave.message) at \(seconds) s, and nobody asked it to"
      )
    }
  }

  /// Whether the client under test may have no session at a time, since it left the one before by itself.
  public func isBetweenSessions(at time: Timestamp) -> Bool {
    leaves.contains { $0.contains(time, settle: log.settle) }
  }
}
