import HeapModule

/// What is decided in the order in which packets leave: reorder, then rate, then stall. Copies wait in a heap until no
/// packet can come before them; lines wait in a window until all their copies are settled, and leave it in packet order.
struct Egress {
  /// A line on its way through, with what the later stages need to know of its packet.
  struct Passage {
    var line: PlanLine
    var time: Int64 = 0
    var flow = 0
    var length = 0
    var isSelected = false
    var isHeld = false
    /// How many of its copies have neither left nor been dropped.
    var open = 0
  }

  /// A copy that comes to the egress at `due`.
  private struct Arrival: Comparable {
    let due: Int64
    /// The index of its line in the window, times four, and the number of the copy.
    let order: Int

    @inline(__always)
    static func < (left: Arrival, right: Arrival) -> Bool {
      left.due != right.due ? left.due < right.due : left.order < right.order
    }
  }

  private var arrivals = Heap<Arrival>()
  private var window = Ring<Passage>(placeholder: Passage(line: .drop(0, by: nil)))
  private var holds: ReorderHolds?
  private var link: Rate.Link?
  private let stall: Stall?
  private var departures = DepartureOrder()
  private var lastTime: Int64 = 0

  init(_ impairments: Impairments) {
    holds = impairments.reorder.map { ReorderHolds(gap: $0.gap) }
    link = impairments.rate.map { Rate.Link($0) }
    stall = impairments.stall
  }

  /// Takes the line of a packet that is sent at `now`, its due times being those after delay.
  mutating func admit(_ line: PlanLine, _ packet: PlannedPacket, at now: Int64, isHeld: Bool) {
    advance(to: now)
    let index = window.endIndex
    let due = line.due
    var passage = Passage(line: line, time: now)
    passage.line.due = []
    passage.flow = Int(packet.flow)
    passage.length = packet.length
    passage.isSelected = packet.isSelected
    passage.isHeld = isHeld
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

  /// The next line in packet order, when it is settled.
  mutating func nextSettled() -> Passage? {
    guard let first = window.first, first.open == 0 else { return nil }
    window.removeFirst()
    return first
  }

  /// Nothing more comes: everything leaves.
  mutating func finish() {
    advance(to: .max)
    while let order = holds?.releaseAny() { leave(order, at: lastTime) }
  }

  /// Passes on all that comes up to `now`, and releases what was held for too long on the way.
  private mutating func advance(to now: Int64) {
    while let next = arrivals.min, next.due <= now {
      releaseExpired(until: next.due)
      arrivals.removeMin()
      pass(next)
    }
    if now < .max { releaseExpired(until: now) }
  }

  private mutating func releaseExpired(until time: Int64) {
    while let (order, expiry) = holds?.releaseExpired(until: time) { leave(order, at: max(expiry, lastTime)) }
  }

  @inline(__always)
  private mutating func pass(_ arrival: Arrival) {
    lastTime = arrival.due
    let passage = window[arrival.order >> 2]
    if passage.isHeld {
      holds?.hold(arrival.order, flow: passage.flow, at: arrival.due)
      return
    }
    leave(arrival.order, at: arrival.due)
    guard holds != nil, arrival.order & 3 == 0 else { return }
    holds?.countPassage(flow: passage.flow)
    while let order = holds?.release(flow: passage.flow) { leave(order, at: arrival.due) }
  }

  /// A copy goes through the link and the stall; the line hears when it left or that it was dropped.
  @inline(__always)
  private mutating func leave(_ order: Int, at time: Int64) {
    let index = order >> 2
    var time: Int64? = time
    if window[index].isSelected, let ready = time {
      if link != nil { time = link?.send(payload: window[index].length, at: ready) }
      if let stall, let sent = time { time = stall.release(sent) }
    }
    settle(index, due: time.map { departures.due($0, index: index) })
  }

  private mutating func settle(_ index: Int, due: Int64?) {
    window[index].open -= 1
    if let due {
      if window[index].isHeld { window[index].line.by = .reorder }
      window[index].line.due.append(due)
    } else if window[index].open == 0, window[index].line.due.isEmpty {
      window[index].line = .drop(window[index].line.packet, by: .rate)
    }
  }
}
