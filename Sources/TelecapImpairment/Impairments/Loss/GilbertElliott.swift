import TelecapRecording

/// netem's `loss gemodel p [r [1−h [1−k]]]`: the Gilbert-Elliott model of bursts. A good and a bad state, each with its
/// own loss; the run starts in the good one.
///
/// Each packet first causes a transition, and the new state decides about it. (netem decides before the transition,
/// which gives the same losses one packet later; in our order p = 100 % loses the first packet too.)
public struct GilbertElliott: Hashable, Sendable {
  /// p: from good to bad.
  public var toBad: Probability
  /// r: from bad to good.
  public var toGood: Probability
  /// 1−h: loss in the bad state.
  public var lossInBad: Probability
  /// 1−k: loss in the good state.
  public var lossInGood: Probability

  /// The model with netem's defaults: r = 1 − p, 1−h = 100 %, 1−k = 0 %.
  public init(
    toBad: Probability, toGood: Probability? = nil, lossInBad: Probability = .always,
    lossInGood: Probability = .never
  ) {
    self.toBad = toBad
    self.toGood = toGood ?? toBad.complement
    self.lossInBad = lossInBad
    self.lossInGood = lossInGood
  }

  /// The loss rate in the long run, 0…1.
  public var expectedRate: Double {
    let (enter, leave) = (toBad.fraction, toGood.fraction)
    let bad = enter + leave > 0 ? enter / (enter + leave) : 0
    return bad * lossInBad.fraction + (1 - bad) * lossInGood.fraction
  }

  /// The losses of one run.
  struct Process: LossProcess {
    let model: GilbertElliott
    let random: KeyedDraws
    var isBad = false

    init(_ model: GilbertElliott, random: KeyedDraws) {
      self.model = model
      self.random = random
    }

    mutating func drops(packet: Int) -> Bool {
      if (isBad ? model.toGood : model.toBad).happens(random.bits(item: packet, draw: 0)) { isBad.toggle() }
      return (isBad ? model.lossInBad : model.lossInGood).happens(random.bits(item: packet, draw: 1))
    }
  }
}
