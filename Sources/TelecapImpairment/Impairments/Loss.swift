/// Which packets are dropped: one of netem's three kinds of loss.
public enum Loss: Hashable, Sendable {
  /// `P [C]`.
  case random(RandomLoss)
  /// `gemodel:p,r,1−h,1−k`.
  case gilbertElliott(GilbertElliott)
  /// `state:p13,p31,p32,p23,p14`.
  case fourState(FourState)

  /// The share of packets that is lost in the long run, 0…1; nil for correlated loss, where netem's generator has no
  /// closed form.
  public var expectedRate: Double? {
    switch self {
    case .random(let loss): loss.correlation == .never ? loss.probability.fraction : nil
    case .gilbertElliott(let model): model.expectedRate
    case .fourState(let model): model.expectedRate
    }
  }

  /// The losses of one run: the model's state over the selected packets.
  enum Process {
    case random(RandomLoss.Process)
    case gilbertElliott(GilbertElliott.Process)
    case fourState(FourState.Process)

    init(_ loss: Loss, seed: UInt64) {
      let random = Randomness(seed: seed, impairment: .loss)
      switch loss {
      case .random(let loss): self = .random(RandomLoss.Process(loss, random: random))
      case .gilbertElliott(let model): self = .gilbertElliott(GilbertElliott.Process(model, random: random))
      case .fourState(let model): self = .fourState(FourState.Process(model, random: random))
      }
    }

    mutating func drops(packet: Int) -> Bool {
      switch self {
      case .random(var process):
        defer { self = .random(process) }
        return process.drops(packet: packet)
      case .gilbertElliott(var process):
        defer { self = .gilbertElliott(process) }
        return process.drops(packet: packet)
      case .fourState(var process):
        defer { self = .fourState(process) }
        return process.drops(packet: packet)
      }
    }
  }
}

extension Loss: CustomStringConvertible {
  /// `5%`, `5%,25%`, `gemodel:1%,10%,100%,0%` or `state:1%,99%,0%,100%,0%`; a model's defaults are written out.
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

  /// Reads `5%`, `5%,25%` (with its correlation), `gemodel:1%,10%` or `state:1%,30%`.
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
