import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording

/// The observations of a sum of counts in a run: the pointer on one axis, or the wheel. They show its start and its
/// limits, where the system does not declare them.
struct CountTrace {
  /// The delivered counts, in order.
  private var moves: [Int] = []
  private var times: [Timestamp] = []
  /// The position after a number of counts, each time after the settle time; nil where none was shown, so that it had
  /// not moved.
  private var settled: [(after: Int, place: Int?)] = []
  /// The first shown position, and the possible numbers of counts before it.
  private var first: (after: ClosedRange<Int>, place: Int)?
  /// The range of shown positions.
  private var shown: ClosedRange<Int>?

  /// The maximum width of a screen, in counts: a pointer that moved farther without an edge has none.
  private static let widest = 32_767
  /// The minimum width of a screen, in counts: a narrower range of positions is no screen.
  private static let narrowest = 64

  /// The start and the limits of a sum.
  struct Origin: Hashable {
    var start: Int
    var range: ClosedRange<Int>
    /// Whether the edges are known; otherwise the range of shown positions, which is narrower than a screen.
    var isKnown = true
  }

  /// The observations of `log`; `counts` reads a packet's counts, and `place` an event's position.
  init(
    _ log: RunLog, _ deliveries: [MouseDelivery], counts: (MouseSample) -> Int, place: (PeerEvent) -> Int?
  ) {
    var rest = deliveries[...]
    var latest: Int?
    for (index, entry) in log.entries.enumerated() {
      while let next = rest.first, next.entry <= index {
        rest.removeFirst()
        settle(latest, before: next.time, log.settle)
        moves.append(counts(next.sample))
        times.append(next.time)
      }
      guard case .event(let event) = entry.what, let place = place(event) else { continue }
      latest = place
      show(place, at: entry.time, log.settle)
    }
    settle(latest, before: log.end, log.settle)
  }

  private mutating func settle(_ latest: Int?, before time: Timestamp, _ settle: Nanoseconds) {
    guard times.last.map({ time.nanoseconds(since: $0) > settle }) ?? true else { return }
    settled.append((moves.count, latest))
  }

  private mutating func show(_ place: Int, at time: Timestamp, _ settle: Nanoseconds) {
    shown = min(shown?.lowerBound ?? place, place)...max(shown?.upperBound ?? place, place)
    guard first == nil else { return }
    let surely = times.count { time.nanoseconds(since: $0) > settle }
    first = (surely...moves.count, place)
  }

  // MARK: - Where it began

  /// The simplest origin that explains most shown positions, given the declared start and range: no edge where none was
  /// reached, one where the pointer was stopped, and always one within the maximum width. Nil without a declared start
  /// and shown positions.
  func origin(start said: Int?, range known: ClosedRange<Int>?) -> Origin? {
    guard let first, let shown else { return said.map { Origin(start: $0, range: known ?? CountTrace.open($0)) } }
    let free = said.map { [$0] } ?? starts(before: first, since: 0)
    let stopped = said == nil && first.after.upperBound > 0 ? starts(at: known ?? shown, before: first) : []
    var best: (origin: Origin, matches: Int)?
    for edge in Edge.allCases {
      for start in edge == .none && known == nil ? free : free + stopped {
        let reached = min(start, shown.lowerBound)...max(start, shown.upperBound)
        let range =
          known ?? edge.range(reached, from: start, narrowest: CountTrace.narrowest, widest: CountTrace.widest)
        guard let range, let matches = matches(Origin(start: start, range: range)) else { continue }
        let origin = Origin(start: start, range: range)
        if matches > best?.matches ?? -1 { best = (origin, matches) }
        if matches == settled.count { return origin }
      }
      if known != nil { break }
    }
    if known == nil, isTiny(shown) { return Origin(start: said ?? first.place, range: shown, isKnown: false) }
    return best?.origin ?? free.first.map { Origin(start: $0, range: known ?? CountTrace.open($0)) }
  }

  /// Whether all shown positions fit a range that is narrower than any screen and contains 0, like a screen of a few
  /// counts: the edges may stop the pointer.
  private func isTiny(_ shown: ClosedRange<Int>) -> Bool {
    guard shown.count < CountTrace.narrowest, shown.contains(0) else { return false }
    return shown.contains { matches(Origin(start: $0, range: shown)) == settled.count }
  }

  /// The possible starts if all moves from this one on count until the first shown position.
  private func starts(before first: (after: ClosedRange<Int>, place: Int), since move: Int) -> [Int] {
    first.after.reversed().map { first.place - moves[min(move, $0)..<$0].reduce(0, +) }
  }

  /// The possible starts if an edge stopped it before its first shown position: there, or where a move without output
  /// after the settle time was stopped.
  private func starts(at ends: ClosedRange<Int>, before first: (after: ClosedRange<Int>, place: Int)) -> [Int] {
    starts(before: first, since: first.after.lowerBound) + [ends.lowerBound, ends.upperBound]
  }

  /// The number of shown positions that this origin explains; nil where one is impossible.
  private func matches(_ origin: Origin) -> Int? {
    guard let shown, origin.range.contains(origin.start), origin.range.contains(shown.lowerBound),
      origin.range.contains(shown.upperBound)
    else { return nil }
    var (place, done, count) = (origin.start, 0, 0)
    for one in settled {
      while done < one.after {
        place = max(origin.range.lowerBound, min(origin.range.upperBound, place + moves[done]))
        done += 1
      }
      if place == one.place ?? origin.start { count += 1 }
    }
    return count
  }

  /// The range that a screen can have around a pointer's start.
  private static func open(_ start: Int) -> ClosedRange<Int> { start - widest + 1...start + widest - 1 }

  /// The edges that stopped it, which are the ends of the shown range.
  private enum Edge: CaseIterable {
    case none, low, high, both

    /// The limits; nil where no such screen is possible.
    func range(_ shown: ClosedRange<Int>, from start: Int, narrowest: Int, widest: Int) -> ClosedRange<Int>? {
      switch self {
      case .none: CountTrace.open(start)
      case .low: shown.lowerBound...shown.lowerBound + widest - 1
      case .high: shown.upperBound - widest + 1...shown.upperBound
      case .both: (narrowest...widest).contains(shown.count) ? shown : nil
      }
    }
  }
}

/// A delivered packet of a mouse that every host must read.
struct MouseDelivery {
  /// Its index in the log.
  var entry: Int
  /// The time of its delivery.
  var time: Timestamp
  /// The content of the packet.
  var sample: MouseSample

  /// All deliveries of a run, in order.
  static func all(in log: DecodedLog) -> [MouseDelivery] {
    log.delivered.compactMap { message in
      guard message.isValid, [.mouseMovement, .mouseControl].contains(message.kind),
        let sample = MouseSample(message.bytes.span.bytes)
      else { return nil }
      return MouseDelivery(entry: message.entry, time: message.time, sample: sample)
    }
  }
}
