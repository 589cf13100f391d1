import TelecapImpairment
import Testing

@Suite("Delays against their theory")
struct DelayTests {
  /// The jitters of 100,000 packets in units of J, ascending.
  private func jitters(_ distribution: String) throws -> [Double] {
    let lines = plan(try Impairments("--delay 1s --jitter 100ms --distribution \(distribution)"), seed: 21)
    return lines.map { Double($0.due[0] - Int64($0.packet - 1) * 1_000_000 - 1_000_000_000) / 1e8 }.sorted()
  }

  struct Law: Sendable, CustomTestStringConvertible {
    let name: String
    let mean: Double
    let deviation: Double
    /// (fraction, value)
    let quantiles: [(Double, Double)]
    var testDescription: String { name }
  }

  /// Pareto's: values (q^(−1/3) − 1.5) · 4/3 for q = 0.99 … 0.05; moments of the law cut at 4, worked out by hand:
  /// E[min(x, 4.5)] = 1.47531, E[min(x, 4.5)²] = 2.55556.
  static let laws = [
    Law(
      name: "uniform", mean: 0, deviation: 0.57735,
      quantiles: [(0.05, -0.9), (0.25, -0.5), (0.5, 0), (0.75, 0.5), (0.95, 0.9)]),
    Law(
      name: "normal", mean: 0, deviation: 1,
      quantiles: [(0.05, -1.64485), (0.25, -0.67449), (0.5, 0), (0.75, 0.67449), (0.95, 1.64485), (0.99, 2.32635)]),
    Law(
      name: "pareto", mean: -0.03292, deviation: 0.82082,
      quantiles: [(0.05, -0.64381), (0.25, -0.53248), (0.5, -0.32011), (0.75, 0.11653), (0.95, 1.61922)]),
    Law(
      name: "paretonormal", mean: -0.02469, deviation: 0.81877,
      quantiles: [(0.05, -0.89407), (0.25, -0.56798), (0.5, -0.24008), (0.75, 0.25602), (0.95, 1.62563)]),
  ]

  @Test("The jitter has the mean, standard deviation and quantiles of its distribution", arguments: laws)
  func law(_ law: Law) throws {
    let sorted = try jitters(law.name)
    let count = Double(sorted.count)
    let mean = sorted.reduce(0, +) / count
    #expect(abs(mean - law.mean) < 4 * law.deviation / count.squareRoot() + 0.0005)
    if law.name != "paretonormal" {
      let variance = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
      #expect(abs(variance.squareRoot() - law.deviation) < 0.02)
    }
    for (fraction, value) in law.quantiles {
      #expect(abs(sorted[Int(fraction * count)] - value) < (fraction > 0.9 ? 0.06 : 0.025), "quantile \(fraction)")
    }
  }

  @Test("No delay is negative, and without jitter each one is exact")
  func bounds() throws {
    let wide = plan(try Impairments("--delay 1ms --jitter 10ms --distribution normal"), count: 20_000)
    #expect(wide.allSatisfy { $0.due[0] >= Int64($0.packet - 1) * 1_000_000 })
    #expect(wide.contains { $0.due[0] == Int64($0.packet - 1) * 1_000_000 })
    let fixed = plan(try Impairments("--delay 20ms"), count: 1000)
    #expect(fixed.allSatisfy { $0.due[0] == Int64($0.packet - 1) * 1_000_000 + 20_000_000 })
  }

  @Test(
    "Jitter lets packets overtake each other; keep-order never does, in any flow",
    arguments: 1...5 as ClosedRange<UInt64>)
  func order(seed: UInt64) throws {
    let options = "--delay 20ms --jitter 15ms --distribution pareto --duplicate 10%"
    func isAscending(_ lines: [PlanLine], flow: Int) -> Bool {
      let order = deliveries(lines.filter { $0.packet % 3 == flow }).map(\.packet)
      return order == order.sorted()
    }
    #expect(!isAscending(plan(try Impairments(options), seed: seed, count: 3000, flows: 3), flow: 0))
    let kept = plan(try Impairments("\(options) --keep-order"), seed: seed, count: 3000, flows: 3)
    for flow in 0..<3 { #expect(isAscending(kept, flow: flow)) }
    let all = deliveries(kept).map(\.packet)
    #expect(all != all.sorted(), "flows do not wait for each other")
  }

  @Test("The copies of a duplicate have separate delays")
  func copies() throws {
    let lines = plan(try Impairments("--duplicate 100% --delay 20ms --jitter 10ms"), count: 1000)
    #expect(lines.count { $0.due[0] != $0.due[1] } > 990)
    #expect(lines.allSatisfy { $0.due[0] <= $0.due[1] })
  }
}
