import TelecapRecording

/// Packet loss: one of netem's three kinds.
public enum Loss: Impairment {
  /// `P [C]`.
  case random(RandomLoss)
  /// `gemodel:p,r,1−h,1−k`.
  case gilbertElliott(GilbertElliott)
  /// `state:p13,p31,p32,p23,p14`.
  case fourState(FourState)

  /// The loss rate in the long run, 0…1; nil for correlated loss, because netem's generator has no closed form.
  public var expectedRate: Double? {
    switch self {
    case .random(let loss): loss.correlation == .never ? loss.probability.fraction : nil
    case .gilbertElliott(let model): model.expectedRate
    case .fourState(let model): model.expectedRate
    }
  }
}

extension Loss {
  /// `5%`, `5%,25%`, `gemodel:1%,10%,100%,0%` or `state:1%,99%,0%,100%,0%`; with the defaults of a model.
  public var description: String {
    let text = { (parts: [Probability]) in parts.map(\.description).joined(separator: ",") }
    switch self {
    case .random(let loss):
      return text(loss.correlation == .never ? [loss.probability] : [loss.probability, loss.correlation])
    case .gilbertElliott(let model):
      return "gemodel:" + text([model.toBad, model.toGood, model.lossInBad, model.lossInGood])
    case .fourState(let model):
      return "state:" + text([model.p13, model.p31, model.p32, model.p23, model.p14])
    }
  }

  /// Parses `5%`, `5%,25%` (with its correlation), `gemodel:1%,10%` or `state:1%,30%`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    guard let colon = text.firstIndex(of: ":") else {
      let parts = try Loss.probabilities(
        text, of: text, atMost: 2, expected: "a probability and perhaps its correlation, such as 5% or 5%,25%")
      self = .random(RandomLoss(parts[0], correlation: parts.count > 1 ? parts[1] : .never))
      return
    }
    let values = String(text[text.index(after: colon)...])
    switch text[..<colon].trimmed {
    case "gemodel": self = .gilbertElliott(try Loss.gilbertElliott(values, of: text))
    case "state": self = .fourState(try Loss.fourState(values, of: text))
    case let name:
      throw ImpairmentSyntaxError(
        name, "is not a loss model", expected: "gemodel:p,r,1-h,1-k or state:p13,p31,p32,p23,p14")
    }
  }

  private static func gilbertElliott(
    _ values: String, of text: String
  ) throws(ImpairmentSyntaxError) -> GilbertElliott {
    let expected = "one to four probabilities p,r,1-h,1-k, such as gemodel:1%,10%"
    let parts = try probabilities(values, of: text, atMost: 4, expected: expected)
    return GilbertElliott(
      toBad: parts[0], toGood: parts.count > 1 ? parts[1] : nil, lossInBad: parts.count > 2 ? parts[2] : .always,
      lossInGood: parts.count > 3 ? parts[3] : .never)
  }

  private static func fourState(_ values: String, of text: String) throws(ImpairmentSyntaxError) -> FourState {
    let expected = "one to five probabilities p13,p31,p32,p23,p14, such as state:1%,30%"
    let parts = try probabilities(values, of: text, atMost: 5, expected: expected)
    let model = FourState(
      p13: parts[0], p31: parts.count > 1 ? parts[1] : nil, p32: parts.count > 2 ? parts[2] : .never,
      p23: parts.count > 3 ? parts[3] : .always, p14: parts.count > 4 ? parts[4] : .never)
    guard let model else {
      throw ImpairmentSyntaxError(
        text, "leaves a state with more than 100%", expected: "p13 + p14 and p31 + p32 of at most 100% each")
    }
    return model
  }

  private static func probabilities(
    _ values: String, of text: String, atMost limit: Int, expected: String
  ) throws(ImpairmentSyntaxError) -> [Probability] {
    let parts = values.commaSeparated
    if parts.count > limit {
      throw ImpairmentSyntaxError(text, "has \(parts.count) values", expected: expected)
    }
    var result: [Probability] = []
    for part in parts { result.append(try Probability(parsing: part)) }
    return result
  }
}

extension ImpairmentID {
  /// Loss: the packet never arrives.
  public static let loss = ImpairmentID(1)
}

extension AppliedRates {
  /// The number of packets dropped by loss.
  public var lost: Int { dropped(by: .loss) }
}

extension Loss {
  /// Its number.
  public static let id = ImpairmentID.loss
  /// Its name.
  public static let name = "loss"
  /// Before all others, because a lost packet needs no more decisions.
  public static let place = 10
  /// `--loss P[,C]` for random loss, `--loss-model MODEL` for loss in bursts. Each accepts the text of both.
  public static let options = [
    option(
      "loss", value: "p", help: "Packet loss, optionally with correlation: 5% or 5%,25%.",
      refuse: { (text: String) throws(ImpairmentSyntaxError) in
        if text.contains(":") {
          throw ImpairmentSyntaxError(text, "is a loss model", expected: "--loss-model \(text)")
        }
      },
      text: { $0.isModel ? nil : $0.description },
      set: { (loss: inout Loss?, text: String) throws(ImpairmentSyntaxError) in loss = try Loss(parsing: text) }),
    option(
      "loss-model", value: "model",
      help: "Burst loss, by a model of netem: gemodel:p,r,1-h,1-k or state:p13,p31,p32,p23,p14.",
      text: { $0.isModel ? $0.description : nil },
      set: { (loss: inout Loss?, text: String) throws(ImpairmentSyntaxError) in loss = try Loss(parsing: text) }),
  ]

  private var isModel: Bool {
    if case .random = self { return false }
    return true
  }

  /// Only one kind of loss is possible.
  public static func conflict(among given: Set<String>) -> String? {
    given.count > 1 ? "give --loss or --loss-model, not both" : nil
  }

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage {
    let random = KeyedDraws(seed: seed, impairment: .loss)
    switch self {
    case .random(let loss) where loss.correlation == .never:
      return .packets(Stage(process: RandomLoss.Independent(probability: loss.probability, random: random)))
    case .random(let loss): return .packets(Stage(process: RandomLoss.Correlated(loss, random: random)))
    case .gilbertElliott(let model): return .packets(Stage(process: GilbertElliott.Process(model, random: random)))
    case .fourState(let model): return .packets(Stage(process: FourState.Process(model, random: random)))
    }
  }

  /// The share of selected packets that were dropped.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.lost, of: rates.selected, expected: expectedRate)
  }

  private struct Stage<Process: LossProcess>: PacketStage {
    var process: Process

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      if process.drops(packet: packet.number) { draft.line = .drop(packet.number, by: .loss) }
    }
  }
}

/// The state of a loss model over the selected packets of one run.
protocol LossProcess: Sendable {
  /// Whether the next packet is dropped.
  mutating func drops(packet: Int) -> Bool
}
