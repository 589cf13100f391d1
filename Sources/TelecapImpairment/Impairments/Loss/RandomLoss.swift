import TelecapRecording

/// netem's `loss random P [correlation C]`: each packet is dropped with probability P; with a correlation each random
/// number is a mixture of a fresh one and the one before.
///
/// netem's mixture (sch_netem.c, get_crandom) is xₙ = (1 − C) · uₙ + C · xₙ₋₁ on 32-bit numbers. Its values are no longer
/// uniform but crowd about the middle, so that a correlated loss below 50 % comes out lower than P: tc-netem(8) calls
/// this bad behaviour and advises gemodel or state for bursts. We do as netem does.
public struct RandomLoss: Hashable, Sendable {
  /// How likely a packet is dropped.
  public var probability: Probability
  /// How much of each random number is the one before; 0 for independent losses.
  public var correlation: Probability

  /// Loss with this probability, independent unless a correlation is given.
  public init(_ probability: Probability, correlation: Probability = .never) {
    self.probability = probability
    self.correlation = correlation
  }

  /// netem's correlated generator: its state is the number that it gave last.
  struct Generator {
    private let weight: UInt64
    private(set) var last: UInt64

    /// `correlation` in billionths becomes a weight of 2³²; `first` is the number before the first.
    init(correlation: Probability, first: UInt64) {
      weight = (correlation.billionths << 32) / Probability.one
      last = first >> 32
    }

    /// The next number, 0 ..< 2³², out of 64 fresh bits.
    mutating func next(_ bits: UInt64) -> UInt64 {
      last = ((bits >> 32) &* ((1 << 32) &- weight) &+ last &* weight) >> 32
      return last
    }
  }

  /// The losses of one run, each by itself.
  struct Independent: LossProcess {
    let probability: Probability
    let random: KeyedDraws

    func drops(packet: Int) -> Bool { probability.happens(random.bits(item: packet)) }
  }

  /// The losses of one run, each by a number that is mixed with the one before.
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
