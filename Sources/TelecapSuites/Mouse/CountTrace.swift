import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapRecording

/// What a run shows of something that adds up counts: the pointer on one axis, or the wheel. From it follows where it began
/// and where it was stopped, as far as the system does not say so.
struct CountTrace {
  /// The counts that were delivered, in their order.
  private var moves: [Int] = []
  private var times: [Timestamp] = []
  /// Where it was behind so many of them, each time that the system had had its time to show it; nil where it had shown nothing
  /// yet, and so had not moved.
  private var settled: [(after: Int, place: Int?)] = []
  /// Where it was shown first, and behind how many of them that may have been.
  private var first: (after: ClosedRange<Int>, place: Int)?
  /// From the lowest to the highest place that was shown.
  private var shown: ClosedRange<Int>?

  /// No screen is as wide as this, in counts: who was pushed so far and met no edge has none.
  private static let widest = 32_767
  /// A pointer that is held in less than this, in counts, is held by no screen.
  private static let narrowest = 64

  /// Where something began, and what it cannot leave.
  struct Origin: Hashable {
    var start: Int
    var range: ClosedRange<Int>
    /// The edges are known; otherwise it was shown in this range, which is narrower than a screen.
    var isKnown = true
  }

  /// What `log` shows of the counts that a packet holds and of the places that an event shows.
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

  /// The simplest origin by which most of what was shown is right, of what was said and what was shown: no edge where none
  /// was met, one where the pointer was stopped, and always one within the widest screen. Nil where nothing was said nor shown.
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

  /// All that was shown is right in a space that is narrower than any screen and that contains 0, as a screen of a few counts
  /// does: it may be held by edges.
  private func isTiny(_ shown: ClosedRange<Int>) -> Bool {
    guard shown.count < CountTrace.narrowest, shown.contains(0) else { return false }
    return shown.contains { matches(Origin(start: $0, range: shown)) == settled.count }
  }

  /// Where it may have begun when all moves since this one counted until it was first shown.
  private func starts(before first: (after: ClosedRange<Int>, place: Int), since move: Int) -> [Int] {
    first.after.reversed().map { first.place - moves[min(move, $0)..<$0].reduce(0, +) }
  }

  /// Where it may have begun when an edge stopped it before it was first shown: there, or where what had time to show and did
  /// not was stopped.
  private func starts(at ends: ClosedRange<Int>, before first: (after: ClosedRange<Int>, place: Int)) -> [Int] {
    starts(before: first, since: first.after.lowerBound) + [ends.lowerBound, ends.upperBound]
  }

  /// How often it was shown where it is by this origin; nil where it was shown where it can never be.
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

  /// As far as any screen may reach from where the pointer began.
  private static func open(_ start: Int) -> ClosedRange<Int> { start - widest + 1...start + widest - 1 }

  /// Which edges stopped it: those are where it was shown at the last.
  private enum Edge: CaseIterable {
    case none, low, high, both

    /// What it cannot leave; nil where there can be no such screen.
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

/// A packet of a mouse that was delivered and that every host must read.
struct MouseDelivery {
  /// Its place in the log.
  var entry: Int
  /// When.
  var time: Timestamp
  /// What it says.
  var sample: MouseSample

  /// All of a run, in order.
  static func all(in log: DecodedLog) -> [MouseDelivery] {
    log.delivered.compactMap { message in
      guard message.isValid, [.mouseMovement, .mouseControl].contains(message.kind),
        let sample = MouseSample(message.bytes.span.bytes)
      else { return nil }
      return MouseDelivery(entry: message.entry, time: message.time, sample: sample)
    }
  }
}
