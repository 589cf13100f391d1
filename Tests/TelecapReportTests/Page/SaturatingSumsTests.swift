import TelecapRecording
import Testing

@testable import TelecapReport

/// Sums of what captures and messages say, which need not fit an Int64.
@Suite("Sums that do not fit are the greatest number") struct SaturatingSumsTests {
  @Test("Counts of marks: a gap in sequence numbers of 64 bits is as large as an Int holds")
  func marks() {
    let grid = TimeGrid(start: .zero, length: 10, columns: 2)
    var marks = ReducedMarks(grid)
    for time in [0, 1, 9] as [Int64] { marks.add(.max, packet: 1, at: Timestamp(nanoseconds: time)) }
    #expect(marks.count == .max && marks.most == .max)
    #expect(marks.reduced(to: TimeGrid(start: .zero, length: 10, columns: 1)).count == .max)
  }

  @Test("Intervals, and gaps that follow one another")
  func intervals() {
    var intervals = Intervals()
    for _ in 0..<3 { intervals.add(.max) }
    #expect(intervals.usual == Int64.max / 3)
    var gap = TimelineTrack.Gap(length: .max, start: Timestamp(nanoseconds: .min))
    gap.extend(by: .max)
    #expect(gap.length == .max && gap.interval == .max)
  }

  @Test("Sums and differences of either sign")
  func both() {
    #expect(Int64.max.saturatingAdding(1) == .max && Int64.min.saturatingAdding(-1) == .min)
    #expect(Int64.min.saturatingSubtracting(1) == .min && Int64.max.saturatingSubtracting(-1) == .max)
    #expect(UInt8(250).saturatingAdding(10) == .max && UInt8(3).saturatingSubtracting(4) == 0)
    #expect(5.saturatingAdding(-7) == -2 && 5.saturatingSubtracting(7) == -2)
  }
}
