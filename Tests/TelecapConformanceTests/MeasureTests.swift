import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire
import Testing

@Suite struct MeasureTests {
  func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  @Test("The age of a steady stream is a sawtooth")
  func theAgeOfASteadyStreamIsASawtooth() throws {
    var staleness = Staleness()
    #expect(staleness.mean == nil && staleness.p99 == nil && staleness.staleShare == nil)
    // One value each 10 ms, applied 5 ms after it was sent: the age goes from 5 to 15 ms, half of the time stale.
    for step in 0..<1_000 {
      staleness.sent(at: at(Int64(step) * 10))
      staleness.applied(sentAt: at(Int64(step) * 10), at: at(Int64(step) * 10 + 5))
    }
    staleness.finish(at: at(10_005))
    #expect(staleness.mean == 10_000_000)
    #expect(staleness.peak == 15_000_000)
    let p99 = try #require(staleness.p99)
    #expect(abs(p99 - 14_900_000) < 500_000)
    let share = try #require(staleness.staleShare)
    #expect(abs(share - 0.5) < 0.001)
  }

  @Test("A lost stretch determines the peak age")
  func aLostStretchShowsInThePeak() throws {
    var staleness = Staleness()
    staleness.sent(at: at(0))
    staleness.applied(sentAt: at(0), at: at(0))
    staleness.sent(at: at(10))
    staleness.sent(at: at(20))
    staleness.applied(sentAt: at(20), at: at(100))
    staleness.finish(at: at(100))
    #expect(staleness.peak == 100_000_000 && staleness.mean == 50_000_000)
    #expect(try #require(staleness.staleShare) == 0.9)
  }
}
