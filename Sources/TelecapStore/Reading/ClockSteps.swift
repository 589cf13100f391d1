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
  /// The times so far, and the last packet that was read; nil while none was.
  private var times = SteadyTimes()
  private var last: (packet: Int, interface: Int, time: Int)?
  /// How many packets have been read for it.
  private(set) var packetsRead = 0

  /// None.
  init() {}

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

  /// Reads the packets that were added since, in captures in which a step was found. A capture that is recorded grows at its end only:
  /// where the last packet that was read is another one now, all are read again.
  mutating func readOn(_ db: Database) throws {
    let found = "SELECT 1 FROM finding WHERE rule = ? LIMIT 1"
    guard try db.hasTable("finding"), try db.row(sql: found, arguments: [Rule.clockStep.id]) != nil else {
      return self = ClockSteps()
    }
    let sql = "SELECT id, interface, time_ns FROM packet WHERE id >= ? ORDER BY id"
    let packets = try db.statement(sql: sql, arguments: [last?.packet ?? Int.min])
    let row = QueryRow(statement: packets.handle)
    if let last {
      let isThere = try packets.step() && (row.integer(0), row.integer(1), row.integer(2)) == last
      guard isThere else {
        self = ClockSteps()
        return try readOn(db)
      }
    }
    while try packets.step() {
      packetsRead += 1
      guard row.isInteger(0), row.isInteger(1), row.isInteger(2) else { continue }
      let (number, interface, recorded) = (row.integer(0), row.integer(1), row.integer(2))
      last = (number, interface, recorded)
      add(Timestamp(nanoseconds: Int64(recorded)), ofPacket: number, interface: interface)
    }
  }

  private mutating func add(_ recorded: Timestamp, ofPacket number: Int, interface: Int) {
    let (time, step) = times.place(recorded, interface: interface)
    span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time)
    guard step != nil else { return }
    steps[interface, default: []].append(Step(packet: number, shift: time.nanoseconds(since: recorded)))
  }
}

/// The steps of a capture as they were when its file was in some state.
///
/// @unchecked Sendable: touched with the connection of its reader in hand only.
final class KnownClockSteps: @unchecked Sendable {
  private var version: Int?
  private(set) var steps = ClockSteps()

  /// Those of the file in this state (`PRAGMA data_version`).
  func steps(inVersion version: Int, _ db: Database) throws -> ClockSteps {
    if self.version != version {
      try steps.readOn(db)
      self.version = version
    }
    return steps
  }
}

extension CaptureReader {
  /// The time of a packet, which goes on where the clock was set back (`SteadyTimes`); nil where there is no such packet.
  ///
  /// - Throws: `StoreError`
  public func time(ofPacket number: Int) throws -> Timestamp? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT time_ns, interface FROM packet WHERE id = ?")
      defer { statement.reset() }
      try statement.bind([number])
      guard try statement.step() else { return nil }
      let row = QueryRow(statement: statement.handle)
      guard row.isInteger(0), row.isInteger(1) else {
        throw StoreError.wrongValue(path: path, table: "packet", row: Int64(number), "time_ns is no whole number")
      }
      return try clockSteps(db).time(row.integer(0), ofPacket: number, interface: row.integer(1))
    }
  }

  /// The steps of the capture, with the connection in hand.
  func clockSteps(_ db: Database) throws -> ClockSteps { try knownSteps.steps(inVersion: version(db), db) }
}
