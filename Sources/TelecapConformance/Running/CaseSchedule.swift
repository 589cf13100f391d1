import TelecapRecording

/// How long cases take together on the wall clock. As `CaseQueue` has them run: the longest begins first, each next one where a
/// place is free first, and behind them those that run alone, one after the other.
struct CaseSchedule {
  private let places: Int
  /// How long those last that run side by side, in ns, the longest first, and how many there are of each length.
  private var sideBySide: [(length: Nanoseconds, count: Int)] = []
  /// How long those last together that run alone, in ns.
  private var alone: Nanoseconds = 0

  /// No case yet; `places` run at the same time.
  init(places: Int) { self.places = max(1, places) }

  /// How long all of it takes, in ns.
  var wallTime: Nanoseconds {
    var ends = Array(repeating: Nanoseconds(0), count: places)
    for (length, count) in sideBySide { CaseSchedule.add(count, of: length, to: &ends) }
    return (ends.max() ?? 0).saturatingAdding(alone)
  }

  /// Adds so many cases of one length, unless it would then take longer than `limit` ns: whether it did.
  mutating func add(_ count: Int, of length: Nanoseconds, isAlone: Bool, within limit: Nanoseconds) -> Bool {
    var longer = self
    longer.add(count, of: length, isAlone: isAlone)
    guard longer.wallTime <= limit else { return false }
    self = longer
    return true
  }

  private mutating func add(_ count: Int, of length: Nanoseconds, isAlone: Bool) {
    if isAlone {
      alone = alone.saturatingAdding(length.saturatingMultiplied(by: Int64(count)))
      return
    }
    let place = sideBySide.firstIndex { $0.length <= length } ?? sideBySide.count
    if place < sideBySide.count, sideBySide[place].length == length {
      sideBySide[place].count += count
    } else {
      sideBySide.insert((length, count), at: place)
    }
  }

  /// Each of them goes where a place is free first.
  private static func add(_ count: Int, of length: Nanoseconds, to ends: inout [Nanoseconds]) {
    var left = count
    while left > 0, let first = ends.indices.min(by: { ends[$0] < ends[$1] }), let last = ends.max() {
      let rounds = left / ends.count
      if rounds > 0, last - ends[first] <= length {
        // Each place gets one before any gets its second.
        let lasts = length.saturatingMultiplied(by: Int64(rounds))
        for place in ends.indices { ends[place] = ends[place].saturatingAdding(lasts) }
        left -= rounds * ends.count
      } else {
        ends[first] = ends[first].saturatingAdding(length)
        left -= 1
      }
    }
  }
}
