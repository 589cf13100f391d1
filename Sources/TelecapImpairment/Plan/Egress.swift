import HeapModule
import TelecapRecording

/// The decisions in the order of departure: held packets, then the leaving stages. Copies wait in a heap until no
/// packet can precede them; lines wait in a window until all their copies are settled, and are emitted in packet order.
struct Egress {
  /// A line in the window, with the data of its packet that later stages need.
  struct Passage {
    var line: PlanLine
    var time: Nanoseconds = 0
    var flow = 0
    var length = 0
    var isSelected = false
    var heldBehind = 0
    /// The number of copies that have neither left nor been dropped.
    var open = 0
  }

  /// A copy that arrives at the egress at `due`.
  private struct Arrival: Comparable {
    let due: Nanoseconds
    /// The index of its line in the window, times four, plus the number of the copy.
    let order: Int

    @inline(__always)
    static func < (left: Arrival, right: Arrival) -> Bool {
      left.due != right.due ? left.due < right.due : left.order < right.order
    }
  }

  /// A stage that decides when copies leave, and the impairment for its drops.
  struct Leaving {
    let impairment: ImpairmentID
    var stage: any LeavingStage
  }

  /// A copy after all stages: its departure time, or nil if it was dropped.
  struct Left {
    let packet: Int
    let flips: InlineList<UInt32>
    let due: Nanoseconds?
  }

  private var arrivals = Heap<Arrival>()
  private var window = Ring<Passage>(placeholder: Passage(line: .drop(0, by: nil)))
  private var holds = Holds()
  private let holdsPackets: Bool
  private var leaving: [Leaving]
  private var departures = DepartureOrder()
  private var lastTime: Nanoseconds = 0
  /// The copies that have left, for live sending.
  private var left: [Left] = []
  private let isLive: Bool

  /// An egress with these leaving stages, in the order in which copies pass them; `holds` if packets may be held back.
  init(holds: Bool, _ leaving: [Leaving], isLive: Bool = false) {
    self.isLive = isLive
    holdsPackets = holds
    self.leaving = leaving
  }

  /// Adds a packet's draft, with due times after all packet stages.
  mutating func admit(_ packet: PlannedPacket, _ draft: PlanDraft) {
    let now = packet.time
    advance(to: now)
    let index = window.endIndex
    let due = draft.line.due
    var passage = Passage(line: draft.line, time: now)
    passage.line.due = []
    passage.flow = Int(packet.flow)
    passage.length = packet.length
    passage.isSelected = packet.isSelected
    passage.heldBehind = draft.heldBehind
    passage.open = due.count
    window.append(passage)
    for copy in 0..<due.count {
      let arrival = Arrival(due: due[copy], order: index << 2 | copy)
      if arrival.due == now, arrivals.min.map({ arrival < $0 }) ?? true {
        pass(arrival)
      } else {
        arrivals.insert(arrival)
      }
    }
  }

  /// The next line in packet order, if it is settled.
  mutating func nextSettled() -> Passage? {
    guard !window.isEmpty, window[window.startIndex].open == 0 else { return nil }
    defer { window.removeFirst() }
    return window[window.startIndex]
  }

  /// The next time at which a copy arrives at the stages, or a hold expires; nil while nothing waits.
  var nextWake: Nanoseconds? {
    guard let arrival = arrivals.min?.due else { return holds.nextExpiry }
    return min(arrival, holds.nextExpiry ?? arrival)
  }

  /// Removes the copies that have left and passes them to `body`.
  mutating func takeLeft(_ body: (Left) -> Void) {
    for copy in left { body(copy) }
    left.removeAll(keepingCapacity: true)
  }

  /// Ends the run: all copies leave.
  mutating func finish() {
    advance(to: .max)
    while let order = holds.releaseAny() { leave(order, at: lastTime) }
  }

  /// Processes all arrivals up to `now`, and releases expired holds on the way.
  mutating func advance(to now: Nanoseconds) {
    while let next = arrivals.min, next.due <= now {
      releaseExpired(until: next.due)
      arrivals.removeMin()
      pass(next)
    }
    if now < .max { releaseExpired(until: now) }
  }

  private mutating func releaseExpired(until time: Nanoseconds) {
    guard holdsPackets else { return }
    while let (order, expiry) = holds.releaseExpired(until: time) { leave(order, at: max(expiry, lastTime)) }
  }

  @inline(__always)
  private mutating func pass(_ arrival: Arrival) {
    lastTime = arrival.due
    guard holdsPackets else { return leave(arrival.order, at: arrival.due) }
    let (flow, gap) = (window[arrival.order >> 2].flow, window[arrival.order >> 2].heldBehind)
    guard gap == 0 else { return holds.hold(arrival.order, behind: gap, flow: flow, at: arrival.due) }
    leave(arrival.order, at: arrival.due)
    guard arrival.order & 3 == 0 else { return }
    holds.countPassage(flow: flow)
    while let order = holds.release(flow: flow) { leave(order, at: arrival.due) }
  }

  /// Passes a copy through the leaving stages, and records its departure time, or the impairment that dropped it, in
  /// its line.
  @inline(__always)
  private mutating func leave(_ order: Int, at time: Nanoseconds) {
    let index = order >> 2
    var time = time
    if window[index].isSelected, !leaving.isEmpty {
      let payload = window[index].length
      for position in leaving.indices {
        guard let left = leaving[position].stage.leave(payload: payload, at: time) else {
          return drop(index, by: leaving[position].impairment)
        }
        time = left
      }
    }
    window[index].open -= 1
    let due = departures.due(time, index: index)
    window[index].line.due.append(due)
    if isLive { tellLeft(index, due) }
  }

  @inline(never)
  private mutating func tellLeft(_ index: Int, _ due: Nanoseconds?) {
    left.append(Left(packet: window[index].line.packet, flips: window[index].line.flips, due: due))
  }

  private mutating func drop(_ index: Int, by impairment: ImpairmentID) {
    window[index].open -= 1
    if isLive { tellLeft(index, nil) }
    guard window[index].open == 0, window[index].line.due.isEmpty else { return }
    window[index].line = .drop(window[index].line.packet, by: impairment)
  }
}
