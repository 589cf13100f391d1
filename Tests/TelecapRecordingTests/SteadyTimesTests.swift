import TelecapRecording
import Testing

@Suite("Times of a recording whose clock is set back") struct SteadyTimesTests {
  private var times = SteadyTimes()

  /// The times, in ms, on the scale of the first, and the packets before which the clock stepped, with the step in ms.
  private mutating func placed(_ list: [Int64], interface: Int = 0) -> (times: [Int64], steps: [Int: Int64]) {
    var (placed, steps) = ([Int64](), [Int: Int64]())
    for (index, time) in list.enumerated() {
      let (time, step) = times.place(Timestamp(nanoseconds: time * 1_000_000), interface: interface)
      placed.append(time.nanoseconds / 1_000_000)
      if let step { steps[index] = step / 1_000_000 }
    }
    return (placed, steps)
  }

  @Test("Times go on after a step by the gap before it")
  mutating func goOn() {
    let (times, steps) = placed([5_000_000, 5_000_010, 1_400_000, 1_400_020, 1_400_030])
    #expect(times == [5_000_000, 5_000_010, 5_000_020, 5_000_040, 5_000_050])
    #expect(steps == [2: 3_600_010])
  }

  @Test(
    "A packet less than a second before the one before it keeps its time", arguments: [999, 1_000] as [Int64])
  mutating func border(earlier: Int64) {
    let (times, steps) = placed([5_000, 5_100, 5_100 - earlier, 6_000])
    #expect(times == (earlier < 1_000 ? [5_000, 5_100, 4_101, 6_000] : [5_000, 5_100, 5_200, 7_100]))
    #expect(steps == (earlier < 1_000 ? [:] : [2: 1_000]))
  }

  @Test("Steps add up, and a step forward is a time without packets")
  mutating func several() {
    let (times, steps) = placed([9_000, 9_010, 5_000, 5_010, 8_010, 2_000])
    #expect(times == [9_000, 9_010, 9_020, 9_030, 12_030, 13_030])
    #expect(steps == [2: 4_010, 5: 6_010])
  }

  @Test(
    "One packet dated far ahead shifts nothing if the next is near the one before it",
    arguments: [1_000, 10_000, 4_497_494, 4_497_495] as [Int64])
  mutating func outlier(later: Int64) {
    let (times, steps) = placed([5_000, 5_010, 9_000_000, 5_010 + later, 5_020 + later])
    let isOutlier = later < 4_497_495
    #expect(steps.isEmpty == isOutlier)
    let step = 9_000_000 - 5_010 - later
    #expect(
      times.suffix(2)
        == (isOutlier ? [5_010 + later, 5_020 + later] : [9_001_000, 9_001_010]),
      "a step would be \(step) ms")
  }

  @Test(
    "A packet before the one that precedes a packet dated far ahead is a step", arguments: [0, 1] as [Int64])
  mutating func earlierThanBefore(earlier: Int64) {
    let (times, steps) = placed([5_000, 5_010, 9_000_000, 5_010 - earlier])
    #expect(times.last == (earlier == 0 ? 5_010 : 9_001_000))
    #expect(steps == (earlier == 0 ? [:] : [3: 8_994_991]))
  }

  @Test("With packets 2 s apart, one that is dated an hour ahead shifts nothing")
  mutating func slowOutlier() {
    var list = (0..<10).map { Int64($0) * 2_000 }
    list[5] += 3_600_000
    let (times, steps) = placed(list)
    #expect(times == list)
    #expect(steps == [:])
  }

  @Test("A pause before a step is not counted twice")
  mutating func pause() {
    let (times, steps) = placed([0, 100, 200, 3_600_200, 3_598_200, 3_598_300])
    #expect(times == [0, 100, 200, 3_600_200, 3_601_200, 3_601_300])
    #expect(steps == [4: 2_000])
  }

  @Test("The gap before a step counts up to a second", arguments: [999, 1_000, 1_001] as [Int64])
  mutating func longestGap(gap: Int64) {
    #expect(placed([0, gap, gap - 1_000 - gap]).times.last == gap + min(gap, 1_000))
  }

  @Test("Interfaces have separate clocks")
  mutating func interfaces() {
    #expect(placed([9_000, 9_010]).steps.isEmpty)
    #expect(placed([2_000, 2_010], interface: 1).times == [2_000, 2_010])
    #expect(placed([9_020]).steps.isEmpty)
    #expect(placed([500], interface: 1).steps == [0: 1_510])
  }

  @Test("The ends of time do not trap")
  mutating func ends() {
    for time in [Int64.max, .min, .max, .min, 0, .min] {
      #expect(times.place(Timestamp(nanoseconds: time), interface: .max).time >= Timestamp(nanoseconds: 0) || time < 0)
    }
    #expect(times.place(.zero, interface: -1).step == nil)
  }
}
