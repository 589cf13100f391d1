import TelecapRecording

/// netem's `loss random P [correlation C]`: drops each packet with probability P; with a correlation each random number
/// is a mixture of a new one and the one before.
///
/// netem's mixture (sch_netem.c, get_crandom) is xₙ = (1 − C) · uₙ + C · xₙ₋₁ on 32-bit numbers. Its values are not
/// uniform but concentrated in the middle, so a correlated loss below 50 % is lower than P: tc-netem(8) calls this bad
/// behaviour and recommends gemodel or state for bursts. Ours is equal to netem's.
public struct RandomLoss: Hashable, Sendable {
  /// The probability of loss.
  public var probability: Probability
  /// The weight of the previous random number in each; 0 for independent losses.
  public var correlation: Probability

  /// Loss with this probability, by default independent.
  public init(_ probability: Probability, correlation: Probability = .never) {
    self.probability = probability
    self.correlation = correlation
  }

  /// netem's correlated generator; its state is the last number.
  struct Generator {
    private let weight: UInt64
    private(set) var last: UInt64

    /// `correlation` in billionths becomes a weight of 2³²; `first` is the initial state.
    init(correlation: Probability, first: UInt64) {
      weight = (correlation.billionths << 32) / Probability.one
      last = first >> 32
    }

    /// The next number, 0 ..< 2³², from 64 new random bits.
    mutating func next(_ bits: UInt64) -> UInt64 {
      last = ((bits >> 32) &* ((1 << 32) &- weight) &+ last &* weight) >> 32
      return last
    }
  }

  /// Independent losses of one run.
  struct Independent: LossProcess {
    let probability: Probability
    let random: KeyedDraws

    func drops(packet: Int) -> Bool { probability.happens(random.bits(item: packet)) }
  }

  /// Correlated losses of one run, each by a mixture with the number before.
  struct Correlated: LossProcess {
    let probability: Probability
    let random: KeyedDraws
    var generator: Generator

    init(_ loss: RandomLoss, random: KeyedDraws) {
      probability = loss.probability
      self.random = random
      generator = Generator(correlation: loss.correlation, first: random.bits(item: 0))
    }

    mutating func drops(packet: Int) -> Bool {
      generator.next(random.bits(item: packet)) &* Probability.one < probability.billionths << 32
    }
  }
}
