import TelecapImpairment
import Testing

/// The runs of losses and of receptions, in order.
private struct Runs {
  var lost: [Int] = []
  var received: [Int] = []

  init(_ drops: [Bool]) {
    var length = 0
    for (index, drop) in drops.enumerated() {
      length += 1
      if index + 1 == drops.count || drops[index + 1] != drop {
        if drop { lost.append(length) } else { received.append(length) }
        length = 0
      }
    }
  }
}

private func mean(_ values: [Int]) -> Double { Double(values.reduce(0, +)) / Double(values.count) }

/// Whether the mean of geometric run lengths is within four standard errors of 1/leave.
private func isGeometric(_ runs: [Int], leave: Double) -> Bool {
  let error = ((1 - leave) / (leave * leave) / Double(runs.count)).squareRoot()
  return abs(mean(runs) - 1 / leave) <= 4 * error
}

private func drops(_ model: String, seed: UInt64 = 3) throws -> [Bool] {
  plan(try Impairments("--loss-model \(model)"), seed: seed, count: 200_000).map { $0.verdict == .drop }
}

@Suite("Loss models against their theory")
struct LossModelTests {
  @Test("gemodel p,r: bursts of mean 1/r, gaps of mean 1/p, and the stationary rate", arguments: [3, 4] as [UInt64])
  func simpleGilbert(seed: UInt64) throws {
    let drops = try drops("gemodel:1%,10%", seed: seed)
    let runs = Runs(drops)
    #expect(isGeometric(runs.lost, leave: 0.1))
    #expect(isGeometric(runs.received, leave: 0.01))
    let single = Double(runs.lost.count { $0 == 1 }) / Double(runs.lost.count)
    #expect(abs(single - 0.1) < 4 * (0.09 / Double(runs.lost.count)).squareRoot())
    let model = GilbertElliott(toBad: Probability(percent: 1), toGood: Probability(percent: 10))
    #expect(abs(model.expectedRate - 1.0 / 11) < 1e-12)
  }

  @Test("gemodel with all four values: the rate, and the correlation of neighbours that decays by 1 − p − r")
  func gilbertElliott() throws {
    let (p, r, bad, good) = (0.05, 0.2, 0.7, 0.02)
    let lost = try drops("gemodel:5%,20%,70%,2%").map { $0 ? 1.0 : 0.0 }
    let share = p / (p + r)
    let rate = share * bad + (1 - share) * good
    let measured = lost.reduce(0, +) / Double(lost.count)
    // Correlated losses: the error is wider by (1 + λ)/(1 − λ), λ = 1 − p − r.
    let error = (rate * (1 - rate) / Double(lost.count) * (1 + 0.75) / (1 - 0.75)).squareRoot()
    #expect(abs(measured - rate) <= 4 * error)
    let covariance = share * (1 - share) * (bad - good) * (bad - good)
    for lag in 1...3 {
      let pairs = zip(lost, lost.dropFirst(lag))
      let found = pairs.reduce(0) { $0 + ($1.0 - rate) * ($1.1 - rate) } / Double(lost.count - lag)
      let expected = covariance * [0.75, 0.5625, 0.421875][lag - 1]
      #expect(abs(found - expected) < 0.004)
    }
  }

  @Test("With p alone both models are independent loss of p", arguments: ["gemodel:5%", "state:5%"])
  func bernoulli(_ model: String) throws {
    let drops = try drops(model)
    #expect(isWithinFourErrors(drops.count { $0 }, of: drops.count, 0.05))
    #expect(isGeometric(Runs(drops).lost, leave: 0.95))
  }

  @Test("The four-state model with two states has bursts of mean 1/p31")
  func twoStates() throws {
    let runs = Runs(try drops("state:1%,25%"))
    #expect(isGeometric(runs.lost, leave: 0.25))
    #expect(isGeometric(runs.received, leave: 0.01))
  }

  @Test("Single losses of p14 alone are never two in a row, and their rate is p14 / (1 + p14)")
  func singleLosses() throws {
    let drops = try drops("state:0%,100%,0%,100%,10%")
    #expect(Runs(drops).lost.allSatisfy { $0 == 1 })
    #expect(isWithinFourErrors(drops.count { $0 }, of: drops.count, 0.1 / 1.1))
    #expect(abs(FourStateRate.of("state:0%,100%,0%,100%,10%") - 0.1 / 1.1) < 1e-12)
  }

  @Test("All four states: losing runs leave with p31 + p32, and the rate is the chain's stationary one")
  func fourStates() throws {
    let drops = try drops("state:2%,10%,20%,40%,0%")
    #expect(isGeometric(Runs(drops).lost, leave: 0.3))
    // π₁ p13 = π₃ p31 and π₂ p23 = π₃ p32: weights 1, 0.1, 0.2, 0 for states 1, 2, 3, 4.
    let rate = 0.2 / 1.3
    #expect(abs(FourStateRate.of("state:2%,10%,20%,40%,0%") - rate) < 1e-12)
    #expect(abs(Double(drops.count { $0 }) / Double(drops.count) - rate) < 0.01)
    let all = try self.fourWithSingles()
    #expect(abs(all.measured - all.expected) < 0.01)
  }

  private func fourWithSingles() throws -> (measured: Double, expected: Double) {
    let drops = try drops("state:2%,10%,20%,40%,5%")
    return (Double(drops.count { $0 }) / Double(drops.count), 0.25 / 1.35)
  }

  @Test("A model that stays in a state has the loss rate of that state")
  func stuck() {
    #expect(FourStateRate.of("state:10%,0%") == 1)
    #expect(FourStateRate.of("state:10%,20%,30%,0%") == 0)
    #expect(GilbertElliott(toBad: .never, toGood: .never, lossInGood: Probability(percent: 3)).expectedRate == 0.03)
  }
}

private enum FourStateRate {
  static func of(_ text: String) -> Double { (try? Loss(parsing: text))?.expectedRate ?? .nan }
}

@Suite("Correlated loss is netem's")
struct CorrelationTests {
  /// The stationary distribution function of x ← (1 − c) u + c x, from its integral equation on a grid.
  private func distribution(_ c: Double, at point: Double) -> Double {
    let size = 1000
    var function = (0...size).map { Double($0) / Double(size) }
    for _ in 0..<30 {
      let below = { (x: Double) -> Double in
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        let place = x * Double(size)
        let index = Int(place)
        return function[index] + (function[index + 1] - function[index]) * (place - Double(index))
      }
      function = (0...size).map { step in
        let x = Double(step) / Double(size)
        return (0..<200).reduce(0.0) { $0 + below((x - (1 - c) * (Double($1) + 0.5) / 200) / c) } / 200
      }
    }
    return function[Int(point * Double(size))]
  }

  @Test("The rate follows from the mixture's own distribution", arguments: [(5, 25), (50, 25), (30, 50)])
  func rate(_ percent: Int, _ correlation: Int) throws {
    let lines = plan(try Impairments("--loss \(percent)%,\(correlation)%"), seed: 11)
    let expected = distribution(Double(correlation) / 100, at: Double(percent) / 100)
    let measured = Double(lines.count { $0.verdict == .drop }) / Double(lines.count)
    #expect(abs(measured - expected) < 0.01)
    #expect(try Loss(parsing: "\(percent)%,\(correlation)%").expectedRate == nil)
  }

  @Test("A loss makes the next one likelier")
  func neighbours() throws {
    let drops = plan(try Impairments("--loss 50%,50%"), seed: 5).map { $0.verdict == .drop }
    let pairs = zip(drops, drops.dropFirst()).filter { $0.0 }
    // For u uniform, x ← (u + x)/2 tends to the triangular-like law about ½; a sign persists with about 2/3.
    let again = Double(pairs.count { $0.1 }) / Double(pairs.count)
    #expect(again > 0.62 && again < 0.72)
  }

  @Test("Full correlation repeats the first decision")
  func full() throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let lines = plan(try Impairments("--loss 50%,100%"), seed: seed, count: 100)
      #expect(Set(lines.map(\.verdict)).count == 1)
    }
  }
}
