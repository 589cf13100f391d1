extension Impairments: CustomStringConvertible {
  /// The options that ask for them, in canonical form: `--loss 5% --delay 20ms --jitter 10ms --distribution normal`; empty
  /// for none. Can be put on the command line again.
  public var description: String {
    var words: [String] = []
    func option(_ name: String, _ value: (any CustomStringConvertible)?) {
      if let value { words += ["--\(name)", value.description] }
    }
    if case .random = loss { option("loss", loss) } else { option("loss-model", loss) }
    option("corrupt", corrupt)
    option("duplicate", duplicate)
    if let delay {
      option("delay", delay.base)
      option("jitter", delay.jitter == .zero ? nil : delay.jitter)
      option("distribution", delay.distribution == .uniform ? nil : delay.distribution)
      if delay.keepsOrder { words.append("--keep-order") }
    }
    option("reorder", reorder)
    option("rate", rate)
    option("stall", stall)
    return words.joined(separator: " ")
  }

  /// Reads what `description` writes, in any order.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    self.init()
    var words = text.split(separator: " ")[...]
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        throw ImpairmentSyntaxError(String(word), "is not an option", expected: Impairments.options)
      }
      if word == "--keep-order" {
        change { $0.keepsOrder = true }
        continue
      }
      guard let value = words.popFirst() else {
        throw ImpairmentSyntaxError(String(word), "has no value", expected: "a value behind it")
      }
      try set(String(word.dropFirst(2)), to: String(value))
    }
  }

  private static let options =
    "--loss, --loss-model, --corrupt, --duplicate, --delay, --jitter, --distribution, --keep-order, --reorder, --rate "
    + "or --stall"

  private mutating func set(_ name: String, to value: String) throws(ImpairmentSyntaxError) {
    switch name {
    case "loss", "loss-model": loss = try Loss(parsing: value)
    case "corrupt": corrupt = try Corrupt(parsing: value)
    case "duplicate": duplicate = try Duplicate(parsing: value)
    case "delay":
      let base = try Interval(parsing: value)
      change { $0.base = base }
    case "jitter":
      let jitter = try Interval(parsing: value)
      change { $0.jitter = jitter }
    case "distribution":
      let distribution = try DelayDistribution(parsing: value)
      change { $0.distribution = distribution }
    case "reorder": reorder = try Reorder(parsing: value)
    case "rate": rate = try Rate(parsing: value)
    case "stall": stall = try Stall(parsing: value)
    default: throw ImpairmentSyntaxError("--\(name)", "is not an impairment", expected: Impairments.options)
    }
  }

  private mutating func change(_ edit: (inout Delay) -> Void) {
    var delay = delay ?? Delay(base: .zero)
    edit(&delay)
    self.delay = delay
  }
}
