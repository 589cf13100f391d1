import TelecapRecording

/// netem's `loss state p13 [p31 [p32 [p23 [p14]]]]`: Salsano, Ludovici and Ordine's four-state Markov model
/// (tc-netem(8)). State 1 receives, 2 receives within a burst, 3 loses within a burst, 4 loses one packet alone and
/// then returns to 1. The run starts in state 1; each packet first causes a transition, and the new state decides about
/// it.
public struct FourState: Hashable, Sendable {
  /// From reception to a burst of losses.
  public let p13: Probability
  /// From a burst of losses to reception.
  public let p31: Probability
  /// From a burst's losses to reception within it.
  public let p32: Probability
  /// From reception within a burst back to its losses.
  public let p23: Probability
  /// From reception to a single loss.
  public let p14: Probability

  /// The model with netem's defaults: p31 = 1 − p13, p32 = 0 %, p23 = 100 %, p14 = 0 %. Nil if the transitions from a
  /// state add up to more than 100 %: p13 + p14, or p31 + p32.
  public init?(
    p13: Probability, p31: Probability? = nil, p32: Probability = .never, p23: Probability = .always,
    p14: Probability = .never
  ) {
    let p31 = p31 ?? p13.complement
    guard p13.billionths + p14.billionths <= Probability.one, p31.billionths + p32.billionths <= Probability.one
    else { return nil }
    self.p13 = p13
    self.p31 = p31
    self.p32 = p32
    self.p23 = p23
    self.p14 = p14
  }

  /// The loss rate in the long run, 0…1: the stationary probability of states 3 and 4.
  public var expectedRate: Double {
    if p13 == .never { return p14.fraction / (1 + p14.fraction) }
    let (enter, leave, pause) = (p13.fraction, p31.fraction, p32.fraction)
    let resume = p32 == .never ? 1 : p23.fraction
    let one = leave * resume
    let two = enter * pause
    let three = enter * resume
    let four = p14.fraction * one
    let all = one + two + three + four
    return all > 0 ? (three + four) / all : 1
  }

  /// The losses of one run.
  struct Process: LossProcess {
    private enum State { case receiving, receivingInBurst, losingInBurst, losingAlone }

    let model: FourState
    let random: KeyedDraws
    private var state = State.receiving

    init(_ model: FourState, random: KeyedDraws) {
      self.model = model
      self.random = random
    }

    mutating func drops(packet: Int) -> Bool {
      let number = random.number(below: Probability.one, item: packet)
      state = next(number)
      return state == .losingInBurst || state == .losingAlone
    }

    private func next(_ number: UInt64) -> State {
      switch state {
      case .receiving:
        if number < model.p14.billionths { return .losingAlone }
        return number < model.p14.billionths + model.p13.billionths ? .losingInBurst : .receiving
      case .receivingInBurst:
        return number < model.p23.billionths ? .losingInBurst : .receivingInBurst
      case .losingInBurst:
        if number < model.p32.billionths { return .receivingInBurst }
        return number < model.p32.billionths + model.p31.billionths ? .receiving : .losingInBurst
      case .losingAlone:
        return .receiving
      }
    }
  }
}
