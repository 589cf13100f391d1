import HeapModule
import TelecapRecording

/// Plans packets that are sent just now: what becomes of each is decided as it comes, by the same stages as in a plan of a
/// recording, and each copy is told when it is due. It keeps no bytes: whoever does hears of every copy when it leaves, or
/// that it never will.
public struct LivePlanner {
  /// A copy of a packet that leaves, or that never will.
  public struct Departure: Hashable, Sendable {
    /// The packet's number.
    public var packet: Int
    /// Which bits of its payload are flipped.
    public var flips: InlineList<UInt32>
    /// It was dropped by what lets packets leave, such as a full queue; otherwise it is to be sent now.
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

  /// A planner for one way of living traffic.
  public init(_ impairments: Impairments, seed: UInt64) {
    planner = Planner(impairments, seed: seed, isLive: true)
  }

  /// What came out so far, over the packets of which nothing waits.
  public var rates: AppliedRates { planner.rates }

  /// When something leaves, or may be let go, next, in ns; nil while nothing waits.
  public var nextWake: Nanoseconds? {
    guard let due = waiting.min?.due else { return planner.nextWake }
    return min(due, planner.nextWake ?? due)
  }

  /// Decides on the next packet; its number and its time are never lower than those of the one before.
  ///
  /// - Parameters:
  ///   - changing: is asked, for a message that is to be changed, which of its fields become what.
  ///   - settled: is given each line of which nothing waits any more, in the order of the packets.
  /// - Returns: how many copies there are, each of which departs once, and what is changed in all of them.
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

  /// Hands on all that is due by `now`, in the order of their times.
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

  /// Takes over what has passed all stages: it leaves at a time that they chose, now or later.
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
