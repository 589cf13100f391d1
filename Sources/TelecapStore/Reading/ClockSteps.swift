import TelecapRecording
import TelecapWire

/// The backward clock steps of a capture, with the shift of the packets after each (`SteadyTimes`). The
/// table `packet` keeps them as they were recorded.
struct ClockSteps: Sendable {
  /// From this packet on times are moved by `shift`, in ns.
  private struct Step {
    let packet: Int
    let shift: Nanoseconds
  }

  /// Those of each interface, in the order of its packets.
  private var steps: [Int: [Step]] = [:]
  /// From the earliest packet to the latest; nil where the clock was not set back: then the recorded times say it.
  private(set) var span: ClosedRange<Timestamp>?

  /// Whether there are none.
  var isEmpty: Bool { steps.isEmpty }

  /// The time of a packet.
  func time(_ recorded: Int, ofPacket number: Int, interface: Int) -> Timestamp {
    let time = Timestamp(nanoseconds: Int64(recorded))
    guard let steps = steps[interface] else { return time }
    // A capture may hold a step at every packet.
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].packet <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? time : time.advanced(byNanoseconds: steps[low - 1].shift)
  }

  /// Those of a capture: its packets are read only where a step was found in them.
  init(_ db: Database) throws {
    let found = "SELECT 1 FROM finding WHERE rule = ? LIMIT 1"
    guard try db.hasTable("finding"), try db.row(sql: found, arguments: [Rule.clockStep.id]) != nil else { return }
    var times = SteadyTimes()
    let packets = try db.statement(sql: "SELECT id, interface, time_ns FROM packet ORDER BY id")
    // Each look at a recording that goes on reads them all: no row is made.
    let row = QueryRow(statement: packets.handle)
    while try packets.step() {
      guard row.isInteger(0), row.isInteger(1), row.isInteger(2) else { continue }
      let (interface, recorded) = (row.integer(1), Timestamp(nanoseconds: Int64(row.integer(2))))
      let (time, step) = times.place(recorded, interface: interface)
      span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time)
      guard step != nil else { continue }
      let shift = time.nanoseconds(since: recorded)
      steps[interface, default: []].append(Step(packet: row.integer(0), shift: shift))
    }
  }

  fileprivate init() {}
}

/// The steps of a capture as they were when its file was in some state.
///
/// @unchecked Sendable: touched with the connection of its reader in hand only.
final class KnownClockSteps: @unchecked Sendable {
  private var version: Int?
  private var steps = ClockSteps()

  /// Those of the file in this state (`PRAGMA data_version`).
  func steps(inVersion version: Int, _ db: Database) throws -> ClockSteps {
    if self.version != version { (self.version, steps) = (version, try ClockSteps(db)) }
    return steps
  }
}

extension CaptureReader {
  /// The steps of the capture, with the connection in hand.
  func clockSteps(_ db: Database) throws -> ClockSteps { try knownSteps.steps(inVersion: version(db), db) }
}
