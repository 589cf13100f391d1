import TelecapRecording
import Testing

@testable import TelecapReport

/// How values become curves, hostile ones too.
@Suite struct PlotCurveTests {
  private static func curve(
    _ values: [Double], _ unit: String = "", _ shape: TimelineTrack.Shape = .step, range: ClosedRange<Double>? = nil
  ) -> TimelineTrack.Curve {
    let grid = TimeGrid(start: .zero, length: Int64(values.count), columns: max(1, values.count))
    var curve = TimelineTrack.Curve(name: "x", unit: unit, shape: shape, reduced: ReducedCurve(grid), range: range)
    for (time, value) in values.enumerated() { curve.add(value, at: Timestamp(nanoseconds: Int64(time))) }
    return curve
  }

  private static let strange = [3.4e38, -3.4e38, 1.7e308]

  @Test("Values far beyond the declared range are counted and do not hide the others")
  func declared() {
    let panel = PlotPanel("x", [Self.curve((0..<40).map { Double($0) / 40 } + Self.strange, range: 0...1)])
    #expect(panel.curves[0].beyond == "3 beyond")
    #expect(panel.ticks.map(\.text).allSatisfy { !$0.contains("e") && !$0.contains("inf") }, "\(panel.ticks)")
    let near = PlotPanel("x", [Self.curve([0.2, 1.05], range: 0...1)])
    #expect(near.curves[0].beyond == nil)
  }

  @Test("Where no range is declared, the values that most columns hold make the axis")
  func recorded() {
    let values = (0..<100).map { Double($0 % 7) * 0.1 }
    let panel = PlotPanel("x", unit: "m", [Self.curve(values + Self.strange, "m")])
    #expect(panel.curves[0].beyond == "3 beyond" && panel.ticks.map(\.text).allSatisfy { !$0.contains("e") })
    // An ordinary peak is none.
    #expect(PlotPanel("x", [Self.curve(values + [20])]).curves[0].beyond == nil)
  }

  @Test("No number is infinite in words, however large", arguments: [3.4e38, 3.4e41, -1.7e308, 1e9])
  func words(_ value: Double) { #expect(!PlotCurve.short(value).contains("inf"), "\(PlotCurve.short(value))") }

  @Test("A value that is always 0 has an axis from 0 to 1, another one an axis around it")
  func constant() {
    #expect(PlotCurve.axis(of: [Self.curve([0, 0, 0])]).range == 0...1)
    #expect(PlotCurve.axis(of: [Self.curve([5, 5])]).range == 4.5...5.5)
    #expect(PlotCurve.axis(of: [Self.curve([3.4e38])]).range.contains(3.4e38))
  }

  @Test("A long age is told in seconds, a short one in ms")
  func ages() {
    let long = PlotPanel("x", unit: "ms", [Self.curve([0, 20_950.9], "ms", .saw)])
    #expect(long.curves[0].span == "0 … 20.951 s" && long.ticks.map(\.text).contains("10 s"))
    let short = PlotPanel("x", unit: "ms", [Self.curve([0, 36.7], "ms", .saw)])
    #expect(short.curves[0].span == "0 … 36.7 ms" && short.ticks.map(\.text).contains("20 ms"))
  }
}
