import TelecapRecording
import TelecapWire

/// The parts of sessions that are in a time window.
struct SessionsInWindow {
  private struct Part {
    let first: Timestamp
    var last: Timestamp
    var messages: Int
  }

  /// The parts by the numbers of their sessions.
  private var parts: [Int: Part] = [:]

  /// Counts a message of the window; its session may have opened before.
  mutating func add(_ message: DissectedMessage) {
    let time = message.datagram.time
    var part = parts[message.session] ?? Part(first: time, last: time, messages: 0)
    part.last = max(part.last, time)
    part.messages += 1
    parts[message.session] = part
  }

  /// The sessions with a message in the window, each cut to it. One that goes on after the window is open at its end.
  func shown(_ all: [Session]) -> [Session] {
    all.compactMap { session in
      guard let part = parts[session.id] else { return nil }
      var shown = session
      shown.opened = max(session.opened, part.first)
      shown.lastSeen = min(session.lastSeen, part.last)
      shown.messages = part.messages
      if part.last < session.lastSeen { shown.end = .open }
      return shown
    }
  }
}
