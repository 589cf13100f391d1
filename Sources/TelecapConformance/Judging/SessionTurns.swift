import TelecapModels
import TelecapRecording
import TelecapWire

/// The times at which a client under test closed its session by itself, and at which the next one was open, for the
/// oracle of the streams that it receives.
///
/// telecap reads the output and the messages of a program separately: it may read that a motor stopped up to the settle
/// time before it reads the message that closed the session. So each close takes effect that much earlier. In virtual
/// time this list is empty, since no model leaves by itself.
struct SessionTurns {
  private enum Turn {
    case left
    case rejoined
    case disconnects(Timestamp)
  }

  private var rest: ArraySlice<(time: Timestamp, turn: Turn)> = []

  init(_ decoded: DecodedLog, _ streams: [JudgedStream]) {
    let log = decoded.log
    guard log.settle > 0, streams.first?.receiver == .client else { return }
    var turns: [(time: Timestamp, turn: Turn)] = []
    var opened = Timestamp.zero
    for leave in decoded.leaves {
      turns.append((max(opened, leave.closed.advanced(byNanoseconds: -log.settle)), .left))
      guard let reopened = leave.reopened else { break }
      turns.append((reopened, .rejoined))
      opened = reopened
    }
    for entry in log.entries {
      guard case .disconnected = entry.what else { continue }
      turns.append((entry.time.advanced(byNanoseconds: -log.settle), .disconnects(entry.time)))
    }
    rest = turns.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)[...]
  }

  /// Passes all turns up to a time to the oracle.
  mutating func pass(to time: Timestamp, _ oracle: inout Oracle) {
    while let next = rest.first, next.time <= time {
      rest.removeFirst()
      switch next.turn {
      case .left: oracle.left(at: next.time)
      case .rejoined: oracle.rejoined(at: next.time)
      case .disconnects(let end): oracle.disconnects(from: next.time, at: end)
      }
    }
  }
}
