import TelecapRecording

/// The total duration of cases on the wall clock as `CaseQueue` runs them: the longest first, the next one in the first
/// free slot, and at the end those that run alone.
struct CaseSchedule {
  private let places: Int
  /// The durations of parallel cases in ns, the longest first, with their counts.
  private var sideBySide: [(length: Nanoseconds, count: Int)] = []
  /// The total duration of cases that run alone, in ns.
  private var alone: Nanoseconds = 0

  /// An empty schedule with `places` parallel slots.
  init(places: Int) { self.places = max(1, places) }

  /// The total duration, in ns.
  var wallTime: Nanoseconds {
    var ends = Array(repeating: Nanoseconds(0), count: places)
    for (length, count) in sideBySide { CaseSchedule.add(count, of: length, to: &ends) }
    return (ends.max() ?? 0).saturatingAdding(alone)
  }

  /// Adds cases of one duration, unless the total would exceed `limit` ns. Returns whether it did.
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

  /// Puts each case into the first free slot.
  private static func add(_ count: Int, of length: Nanoseconds, to ends: inout [Nanoseconds]) {
    var left = count
    while left > 0, let first = ends.indices.min(by: { ends[$0] < ends[$1] }), let last = ends.max() {
      let rounds = left / ends.count
      if rounds > 0, last - ends[first] <= length {
        // Each slot gets one before any gets a second.
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
