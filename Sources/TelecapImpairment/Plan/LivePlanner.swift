import HeapModule
import TelecapRecording

/// Plans live traffic: decides on each packet when it arrives, with the same stages as in a plan of a recording, and
/// emits each copy when it is due. It does not store payloads: the caller does, and is notified of every copy that
/// leaves or is dropped.
public struct LivePlanner {
  /// A copy of a packet that leaves or is dropped.
  public struct Departure: Hashable, Sendable {
    /// The packet's number.
    public var packet: Int
    /// The bits of its payload to flip.
    public var flips: InlineList<UInt32>
    /// Whether a leaving stage, such as a full queue, dropped it; otherwise it must be sent now.
    public var isDropped: Bool
  }

  private struct Waiting: Comparable {
    let due: Nanoseconds
    let order: Int
    let departure: Departure

    static func < (left: Waiting, right: Waiting) -> Bool {
      left.due != right.due ? left.due < right.due : left.order < right.order
    }

    static func == (left: Waiting, right: Waiting) -> Bool { left.order == right.order }
  }

  private var planner: Planner
  private var waiting = Heap<Waiting>()
  private var count = 0

  /// A planner for one direction of live traffic.
  public init(_ impairments: Impairments, seed: UInt64) {
    planner = Planner(impairments, seed: seed, isLive: true)
  }

  /// The observed rates so far, over the settled packets.
  public var rates: AppliedRates { planner.rates }

  /// The next time at which a copy leaves or is released, in ns; nil while nothing waits.
  public var nextWake: Nanoseconds? {
    guard let due = waiting.min?.due else { return planner.nextWake }
    return min(due, planner.nextWake ?? due)
  }

  /// Decides on the next packet. Numbers and times of packets never go back.
  ///
  /// - Parameters:
  ///   - changing: returns the changed fields of a message.
  ///   - settled: receives each settled line, in the order of the packets.
  /// - Returns: the number of copies, each of which departs once, and the changes in all of them.
  public mutating func take(
    _ packet: PlannedPacket, changing: (RequestedChanges) -> FieldChanges = { _ in FieldChanges() },
    settled: (PlanLine) -> Void = { _ in }
  ) -> (copies: Int, changes: FieldChanges) {
    var taken = (copies: 0, changes: FieldChanges())
    planner.plan(packet, changing: changing, decided: { taken = ($0.due.count, $0.changes) }) { line, _ in settled(line)
    }
    gather()
    return taken
  }

  /// Emits all copies that are due by `now`, in order of time.
  public mutating func leave(
    by now: Nanoseconds, settled: (PlanLine) -> Void = { _ in }, _ body: (Departure) -> Void
  ) {
    planner.advance(to: now) { line, _ in settled(line) }
    gather()
    while let next = waiting.min, next.due <= now {
      waiting.removeMin()
      body(next.departure)
    }
  }

  /// Takes the copies that have passed all stages; each leaves at its due time, now or later.
  private mutating func gather() {
    planner.takeLeft { left in
      waiting.insert(
        Waiting(
          due: left.due ?? .min, order: count,
          departure: Departure(packet: left.packet, flips: left.flips, isDropped: left.due == nil)))
      count += 1
    }
  }
}
