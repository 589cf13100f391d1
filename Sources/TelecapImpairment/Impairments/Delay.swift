/// netem's `delay D, jitter J, distribution`: each delivery comes D ± J later, each copy by its own draw. A delay that
/// would be negative is none. Packets may overtake each other unless their order is kept.
public struct Delay: Hashable, Sendable {
  /// D.
  public var base: Interval
  /// J.
  public var jitter: Interval
  /// How the jitter is spread.
  public var distribution: DelayDistribution
  /// Whether no packet may overtake another of its flow: it waits for the one before.
  public var keepsOrder: Bool

  /// A delay of these values.
  public init(
    base: Interval, jitter: Interval = .zero, distribution: DelayDistribution = .uniform, keepsOrder: Bool = false
  ) {
    self.base = base
    self.jitter = jitter
    self.distribution = distribution
    self.keepsOrder = keepsOrder
  }

  /// The delays of one run.
  struct Process {
    private let delay: Delay
    private let random: Randomness
    private let table: QuantileTable?
    /// For each flow, when its last packet comes: what keeps the order.
    private var latest: [Int64] = []

    init(_ delay: Delay, seed: UInt64) {
      self.delay = delay
      random = Randomness(seed: seed, impairment: .delay)
      table = delay.distribution.table
    }

    /// How much later this copy comes: 0 or more, ns.
    @inline(__always)
    func amount(packet: Int, copy: UInt64) -> Int64 {
      let (base, jitter) = (delay.base.nanoseconds, delay.jitter.nanoseconds)
      guard jitter > 0 else { return base }
      let bits = random.bits(packet: packet, draw: copy)
      if let table { return max(0, base + table.sample(jitter: jitter, bits: bits)) }
      return max(0, base - jitter + Int64(bits.multipliedFullWidth(by: UInt64(2 * jitter)).high))
    }

    /// When the copies of a packet come, earliest first.
    @inline(__always)
    mutating func due(_ packet: PlannedPacket, at time: Int64, copies: Int) -> Few<Int64> {
      var first = time + amount(packet: packet.number, copy: 0)
      var second = copies == 2 ? time + amount(packet: packet.number, copy: 1) : first
      if second < first { swap(&first, &second) }
      if delay.keepsOrder { keepOrder(flow: Int(packet.flow), &first, &second) }
      return copies == 2 ? Few(first, second) : Few(first)
    }

    private mutating func keepOrder(flow: Int, _ first: inout Int64, _ second: inout Int64) {
      while latest.count <= flow { latest.append(0) }
      first = max(first, latest[flow])
      second = max(second, first)
      latest[flow] = second
    }
  }
}

extension Delay: CustomStringConvertible {
  /// For reports: `20ms ± 10ms normal, order kept`; the options are `Impairments.description`'s.
  public var description: String {
    let spread = jitter == .zero ? "" : " ± \(jitter) \(distribution)"
    return "\(base)\(spread)\(keepsOrder ? ", order kept" : "")"
  }
}
