import TelecapImpairment
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import Testing

@testable import TelecapConformance

/// How long cases take together, and which of them fit into a time.
@Suite struct CaseScheduleTests {
  private static let second: Nanoseconds = 1_000_000_000

  /// The time in s that cases of these lengths take on so many slots; those of `alone` after the others.
  private func seconds(_ lengths: [Int64], alone: [Int64] = [], places: Int) -> Int64 {
    var schedule = CaseSchedule(places: places)
    for (isAlone, lengths) in [(false, lengths), (true, alone)] {
      for length in lengths {
        _ = schedule.add(1, of: length * Self.second, isAlone: isAlone, within: .max)
      }
    }
    return schedule.wallTime / Self.second
  }

  @Test("Long cases start first, in one slot each, and cases that run alone come after all others")
  func longestFirst() {
    #expect(seconds([], places: 8) == 0)
    #expect(seconds([1, 2, 60, 3], places: 1) == 66)
    #expect(seconds([1, 2, 60, 3], places: 2) == 60)
    #expect(seconds(Array(repeating: 10, count: 42) + [60], places: 8) == 60)
    #expect(seconds(Array(repeating: 10, count: 43) + [60], places: 8) == 70)
    #expect(seconds([60, 5], alone: [4, 3], places: 8) == 67)
    // The longest first is no best order: 3 + 3 next to 2 + 2 + 2 would take 6.
    #expect(seconds([2, 3, 2, 3, 2], places: 2) == 7)
  }

  @Test("Cases of one length are scheduled as if each were added by itself", arguments: 1...6)
  func groups(places: Int) {
    for (first, second) in (1...5).flatMap({ first in (1...5).map { (first, $0) } }) {
      for (some, others) in (0...9).flatMap({ some in (0...9).map { (some, $0) } }) {
        var schedule = CaseSchedule(places: places)
        var ends = Array(repeating: 0, count: places)
        for (length, count) in [(7, 1), (first, some), (second, others)] {
          _ = schedule.add(count, of: Int64(length), isAlone: false, within: .max)
        }
        let lengths = [7] + Array(repeating: first, count: some) + Array(repeating: second, count: others)
        for length in lengths.sorted(by: >) {
          ends.sort()
          ends[0] += length
        }
        #expect(schedule.wallTime == Int64(ends.max() ?? 0), "\(some) × \(first), \(others) × \(second)")
      }
    }
  }

  @Test("A case that would exceed the time limit is not added")
  func limit() {
    var schedule = CaseSchedule(places: 2)
    func adds(_ count: Int, of length: Nanoseconds, isAlone: Bool, within limit: Nanoseconds) -> Bool {
      schedule.add(count, of: length, isAlone: isAlone, within: limit)
    }
    let taken = [
      adds(2, of: 5, isAlone: false, within: 5), adds(1, of: 1, isAlone: false, within: 5),
      adds(1, of: 1, isAlone: true, within: 5), adds(1, of: 1, isAlone: false, within: 6),
    ]
    #expect(taken == [true, false, false, true] && schedule.wallTime == 6)
  }

  @Test("A hundred thousand cases of decades fit into no time limit", arguments: [1, 8])
  func decades(jobs: Int) throws {
    var scenario = try #require(try Self.ofHost().first)
    scenario.end = Timestamp(nanoseconds: 4_319_913_600_000_000_000)
    let sample = Sample(of: [scenario], within: .max - 1, jobs: jobs, seeds: 100_000)
    #expect(sample.scenarios.isEmpty && sample.leftOut.count == 1)
  }

  // MARK: - Of a host

  private static let startup: Nanoseconds = 300_000_000

  private static func ofHost() throws -> [Scenario] {
    try ScenarioFiles.all(of: Part(.host)).filter { $0.setup.carrier != .ble && !$0.isJudgedInEveryRun }
  }

  /// When the last is done of what the queue has begin, each taking as long as it says.
  private func lastEnd(_ scenarios: [Scenario], jobs: Int, startup: Nanoseconds = 0) -> Nanoseconds {
    var queue = CaseQueue(scenarios, seeds: 1, jobs: jobs, isOnWallClock: true)
    var running: [(end: Nanoseconds, number: Int, scenario: Int)] = []
    var now: Nanoseconds = 0
    while true {
      while let portion = queue.next(at: now) {
        let length = scenarios[portion.scenario].wallTime + startup
        running.append((now + length, portion.number, portion.scenario))
      }
      guard let place = running.indices.min(by: { running[$0].end < running[$1].end }) else { return now }
      let done = running.remove(at: place)
      now = done.end
      _ = queue.take(ScenarioResult(scenarios[done.scenario], CaseResult(of: Case(), .pass)), of: done.number)
    }
  }

  @Test("Cases finish when the schedule predicts", arguments: sampled([8, 1, 2], oneIn: 3))
  func agrees(jobs: Int) throws {
    let all = try Self.ofHost().map { scenario in
      var one = scenario
      (one.combinations, one.pieces, one.seeds) = ([.none], [], 1)
      return one
    }
    var schedule = CaseSchedule(places: jobs)
    for one in all {
      _ = schedule.add(1, of: one.wallTime, isAlone: jobs > 1 && one.keepsMachineBusy, within: .max)
    }
    #expect(lastEnd(all, jobs: jobs) == schedule.wallTime)
  }

  @Test("Every must of a host that starts in 0.3 s is tested in 75 s, although one lasts 60")
  func musts() throws {
    let musts = try Self.ofHost().filter { $0.requirement.level == .must }
    let time = 75 * Self.second
    let sample = Sample(of: musts, within: time, jobs: 8, startup: Self.startup)
    #expect(sample.leftOut.map(\.id) == [])
    let longest = sample.scenarios.map(\.wallTime).max() ?? 0
    #expect(longest > 60 * Self.second)
    #expect(lastEnd(sample.scenarios, jobs: 8, startup: Self.startup) <= time)
  }

  @Test("Scenarios that a system cannot run take no time from the others")
  func instant() throws {
    let musts = try Self.ofHost().filter { $0.requirement.level == .must }
    let (time, isTCP) = (30 * Self.second, { (scenario: Scenario) in scenario.setup.carrier == .tcp })
    let without = Sample(of: musts.filter { !isTCP($0) }, within: time, jobs: 1)
    let sample = Sample(of: musts, within: time, jobs: 1, where: isTCP)
    #expect(sample.scenarios.filter { !isTCP($0) }.map(\.id) == without.scenarios.map(\.id))
    #expect(sample.scenarios.contains(where: isTCP) && !sample.leftOut.contains(where: isTCP))
  }

  @Test(
    "A scenario that was left out would not have fitted",
    arguments: sampled([(8, 20), (1, 5), (1, 20), (1, 75), (1, 180), (8, 5), (8, 75), (8, 180)], oneIn: 8))
  func leftOut(_ run: (jobs: Int, seconds: Int64)) throws {
    let (jobs, seconds) = run
    let all = try Self.ofHost()
    let time = seconds * Self.second
    let sample = Sample(of: all, within: time, jobs: jobs)
    #expect(sample.scenarios.count + sample.leftOut.count == all.count)
    #expect(lastEnd(sample.scenarios, jobs: jobs) <= time)
    for one in sample.leftOut {
      var more = sample.scenarios
      more.append(one)
      more[more.count - 1].combinations = [.none]
      more[more.count - 1].pieces = []
      #expect(lastEnd(more, jobs: jobs) > time, "\(one.id) was left out")
    }
  }
}
