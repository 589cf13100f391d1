import TelecapRecording
import Testing

@testable import TelecapReport

@Suite struct ReducedCurveTests {
  private static func grid(_ columns: Int, from start: Int64 = 0, length: Int64 = 1_000) -> TimeGrid {
    TimeGrid(start: Timestamp(nanoseconds: start), length: length, columns: columns)
  }

  private static func curve(_ values: [Double], _ columns: Int) -> ReducedCurve {
    var curve = ReducedCurve(grid(columns, length: Int64(values.count)))
    for (place, value) in values.enumerated() { curve.add(value, at: Timestamp(nanoseconds: Int64(place))) }
    return curve
  }

  @Test("One peak among 100,000 points survives in its column, whichever way it points", arguments: [7.0, -7.0])
  func peaks(_ peak: Double) {
    var values = [Double](repeating: 0.5, count: 100_000)
    values[61_234] = peak
    let reduced = Self.curve(values, 4_096).reduced(to: Self.grid(100, length: 100_000))
    #expect(reduced.count == 100_000)
    #expect(reduced[61].map { $0.least == min(peak, 0.5) && $0.greatest == max(peak, 0.5) } == true)
    #expect(reduced[60].map { $0.least == 0.5 && $0.greatest == 0.5 } == true)
    #expect(reduced[61]?.first == 0.5 && reduced[61]?.last == 0.5)
  }

  @Test("A number that is none, and one outside, change nothing")
  func passedOver() {
    var curve = ReducedCurve(Self.grid(10))
    for value in [Double.nan, .infinity, -.infinity] { curve.add(value, at: .zero) }
    curve.add(1, at: Timestamp(nanoseconds: -1))
    curve.add(1, at: Timestamp(nanoseconds: 1_001))
    #expect(curve.count == 0 && curve.range == nil)
    curve.add(2, at: Timestamp(nanoseconds: 1_000))
    #expect(curve[9]?.count == 1 && curve.range == 2...2)
  }

  @Test("The value that holds when a part begins is the last one before it")
  func before() {
    let curve = Self.curve((0..<10_000).map(Double.init), 10_000)
    #expect(curve.value(before: Timestamp(nanoseconds: 5_000)) == 4_999)
    #expect(curve.value(before: .zero) == nil)
    var late = ReducedCurve(Self.grid(65_536, length: 65_536))
    late.add(3, at: Timestamp(nanoseconds: 10))
    #expect(late.value(before: Timestamp(nanoseconds: 60_000)) == 3)
  }

  @Test("Marks are counted by columns and lead to the first packet")
  func marks() {
    var marks = ReducedMarks(Self.grid(1_000))
    for packet in 1...500 { marks.add(packet: packet, at: Timestamp(nanoseconds: Int64(packet))) }
    let reduced = marks.reduced(to: Self.grid(10))
    #expect(reduced.count == 500)
    #expect(reduced.sorted.first?.mark.packet == 1 && reduced.sorted.dropFirst().first?.mark.packet == 100)
    #expect(marks.reduced(to: Self.grid(10, from: 250, length: 100)).count == 101)
  }
}
