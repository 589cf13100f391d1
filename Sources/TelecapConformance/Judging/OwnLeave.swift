import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The time between two sessions of a client under test that closed the first one by itself, as the user of a phone may
/// at any time. Until the next session is open it is unknown which messages the client applies.
public struct OwnLeave: Hashable, Sendable {
  /// The name of the message that closed the session.
  let message: String
  /// The arrival of that message.
  public let closed: Timestamp
  /// The delivery of the answer that opened the next session; nil where none did.
  public internal(set) var reopened: Timestamp?

  /// Whether the client may be without a session at a time. Its reads, its output and its messages take up to `settle`
  /// ns.
  func contains(_ time: Timestamp, settle: Nanoseconds) -> Bool {
    closed.nanoseconds(since: time) <= settle && reopened.map { time.nanoseconds(since: $0) < settle } ?? true
  }
}

extension DecodedLog {
  /// Each time that the system, a client, left its session before it was asked to exit, in order; empty in virtual
  /// time, since no model does.
  ///
  /// An answer opens the next session only if the host sent it after the client's next request: a delayed answer
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

  /// The time at which the other side sent a message that was delivered.
  private func sendTime(of message: LoggedMessage) -> Timestamp {
    guard case .delivered(_, _, _, _, let sentAt) = log.entries[message.entry].what else { return message.time }
    return sentAt
  }
}

extension LoggedMessage {
  /// Whether it is an answer that accepts a session request.
  var accepts: Bool { kind.accepts(bytes.span.bytes) }
}

extension JudgedRun {
  /// The time and the reason why a requirement on a session was not exercised: the client under test left its session
  /// by itself; nil where it did not.
  public var leftByItself: (time: Timestamp, reason: String)? {
    leaves.first.map { leave in
      let seconds = Numbers.fixed(Double(leave.closed.nanoseconds) / 1e9, 3)
      return (
        leave.closed, "the \(part) closed its session by \(leave.message) at \(seconds) s, and nobody asked it to"
      )
    }
  }

  /// Whether the client under test may have no session at a time, after it left one by itself.
  public func isBetweenSessions(at time: Timestamp) -> Bool {
    leaves.contains { $0.contains(time, settle: log.settle) }
  }
}
