import TelecapRecording

extension Scenario {
  /// How long one run of it takes on the wall clock, in ns, a program's start and end included.
  var wallTime: Int64 { end.nanoseconds + 500_000_000 }

  /// How many cases it has with one seed.
  fileprivate var breadth: Int { combinations.count * max(1, pieces.count) }

  /// The scenario with so many of its cases, evenly spread over the grid, the last and hardest among them, each with one
  /// seed.
  fileprivate func sampled(_ count: Int) -> Scenario {
    var sample = self
    sample.seeds = 1
    let pieces = min(self.pieces.count, count)
    sample.pieces = Scenario.spread(self.pieces, pieces)
    sample.combinations = Scenario.spread(combinations, count / max(1, pieces))
    return sample
  }

  private static func spread<T>(_ list: [T], _ count: Int) -> [T] {
    guard count < list.count else { return list }
    return (0..<max(1, count)).map { list[($0 + 1) * list.count / max(1, count) - 1] }
  }
}

extension [Scenario] {
  /// The same scenarios with so few of their cases that a run on the wall clock, one case after the other, takes no
  /// longer than `budget` ns. Every scenario keeps one case, whatever the budget.
  public func sampled(within budget: Int64) -> [Scenario] {
    var counts = map { _ in 1 }
    var left = budget - reduce(0) { $0 + $1.wallTime }
    var grows = true
    while grows, left > 0 {
      grows = false
      for index in indices where counts[index] < self[index].breadth && self[index].wallTime <= left {
        counts[index] += 1
        left -= self[index].wallTime
        grows = true
      }
    }
    return zip(self, counts).map { $0.sampled($1) }
  }

  /// How long a run of all their cases takes on the wall clock, in ns.
  public var wallTime: Int64 { reduce(0) { $0 + $1.wallTime * Int64($1.cases().count) } }
}
