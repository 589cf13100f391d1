import TelecapRecording

/// netem's `delay D, jitter J, distribution`: delays each delivery by D ± J, each copy by its own draw. A negative
/// delay becomes 0. Packets may overtake each other unless the order is kept.
public struct Delay: Impairment {
  /// D.
  public var base: Interval
  /// J.
  public var jitter: Interval
  /// The distribution of the jitter.
  public var distribution: DelayDistribution
  /// Whether a packet waits for the one before it in its flow, instead of overtaking it.
  public var keepsOrder: Bool

  /// A delay with these values.
  public init(
    base: Interval, jitter: Interval = .zero, distribution: DelayDistribution = .uniform, keepsOrder: Bool = false
  ) {
    self.base = base
    self.jitter = jitter
    self.distribution = distribution
    self.keepsOrder = keepsOrder
  }

  /// The text for reports: `20ms ± 10ms normal, order kept`; `Impairments.description` has the options.
  public var description: String {
    let spread = jitter == .zero ? "" : " ± \(jitter) \(distribution)"
    return "\(base)\(spread)\(keepsOrder ? ", order kept" : "")"
  }
}

extension ImpairmentID {
  /// Delay: the packet arrives later.
  public static let delay = ImpairmentID(4)
}

extension Delay {
  /// Its number.
  public static let id = ImpairmentID.delay
  /// Its name.
  public static let name = "delay"
  /// After duplicate.
  public static let place = 40
  /// `--delay D --jitter J --distribution NAME --keep-order`.
  public static let options = [
    option(
      "delay", value: "time", help: "Delay packets by this time: 20ms.", text: { $0.base.description },
      set: { (delay: inout Delay?, text: String) throws(ImpairmentSyntaxError) in
        let base = try Interval(parsing: text)
        change(&delay) { $0.base = base }
      }),
    option(
      "jitter", value: "time", help: "The variation of the delay, as in netem: 10ms.",
      text: { $0.jitter == .zero ? nil : $0.jitter.description },
      set: { (delay: inout Delay?, text: String) throws(ImpairmentSyntaxError) in
        let jitter = try Interval(parsing: text)
        change(&delay) { $0.jitter = jitter }
      }),
    option(
      "distribution", value: "name", help: "The distribution of the jitter: uniform, normal, pareto or paretonormal.",
      text: { $0.distribution == .uniform ? nil : $0.distribution.description },
      set: { (delay: inout Delay?, text: String) throws(ImpairmentSyntaxError) in
        let distribution = try DelayDistribution(parsing: text)
        change(&delay) { $0.distribution = distribution }
      }),
    flag(
      "keep-order", help: "Delayed packets keep the order of their flow.", isSet: { $0.keepsOrder },
      set: { delay in change(&delay) { $0.keepsOrder = true } }),
  ]

  private static func change(_ delay: inout Delay?, _ edit: (inout Delay) -> Void) {
    var changed = delay ?? Delay(base: .zero)
    edit(&changed)
    delay = changed
  }

  /// A distribution requires jitter, and order can be kept only with a delay.
  public static func conflict(among given: Set<String>) -> String? {
    if given.contains("jitter") { return nil }
    if given.contains("distribution") { return "--distribution requires --jitter" }
    return given == ["keep-order"] ? "--keep-order requires --delay or --jitter" : nil
  }

  /// A delay applies to a stream too.
  public static let strikesStreams = true

  /// A byte of a stream waits for those before it.
  public var overStream: Delay {
    Delay(base: base, jitter: jitter, distribution: distribution, keepsOrder: true)
  }

  /// The stage with the random numbers of this seed.
  public func stage(seed: UInt64) -> ImpairmentStage { .packets(Stage(law: Law(self, seed: seed))) }

  /// The mean delay of the deliveries.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .time(self, "mean", nanoseconds: rates.meanDelayNanoseconds, deliveries: rates.deliveries)
  }

  private struct Stage: PacketStage {
    let law: Law
    /// The arrival time of the last packet of each flow, to keep the order.
    var latest: [Nanoseconds] = []

    mutating func decide(_ packet: PlannedPacket, _ draft: inout PlanDraft) {
      if draft.line.due.count == 1 {
        draft.line.due = InlineList(draft.line.due[0] + law.amount(packet: packet.number, copy: 0))
      } else {
        for copy in 0..<draft.line.due.count {
          draft.line.due[copy] += law.amount(packet: packet.number, copy: UInt64(copy))
        }
        draft.line.due.sort()
      }
      if law.delay.keepsOrder { keepOrder(flow: Int(packet.flow), &draft.line.due) }
    }

    private mutating func keepOrder(flow: Int, _ due: inout InlineList<Nanoseconds>) {
      while latest.count <= flow { latest.append(0) }
      for copy in 0..<due.count {
        latest[flow] = max(latest[flow], due[copy])
        due[copy] = latest[flow]
      }
    }
  }

  /// The parameters of the delays in one run. A class, so that the stage is small enough for the list of stages without
  /// a box.
  private final class Law: Sendable {
    let delay: Delay
    let random: KeyedDraws
    let table: QuantileTable?

    init(_ delay: Delay, seed: UInt64) {
      self.delay = delay
      random = KeyedDraws(seed: seed, impairment: .delay)
      table = delay.distribution.table
    }

    /// The delay of this copy: 0 or more, ns.
    @inline(__always)
    func amount(packet: Int, copy: UInt64) -> Nanoseconds {
      let (base, jitter) = (delay.base.nanoseconds, delay.jitter.nanoseconds)
      guard jitter > 0 else { return base }
      let bits = random.bits(item: packet, draw: copy)
      if let table { return max(0, base + table.sample(jitter: jitter, bits: bits)) }
      return max(0, base - jitter + Int64(bits.multipliedFullWidth(by: UInt64(2 * jitter)).high))
    }
  }
}
