import TelecapRecording
import TelecapText

/// `rate R [limit N]`: one link of R bit/s for all selected packets, with a queue of N packets; a packet that arrives
/// at a full queue is dropped (tail drop). The size of a packet is its payload and 28 bytes of headers (20 of IPv4 and
/// 8 of UDP), whatever its transport is, and it is delivered after its last bit.
public struct Rate: Impairment {
  /// R, in bit/s, 1…1,000,000,000,000.
  public let bitsPerSecond: UInt64
  /// N: the queue length with the packet that is being sent, 1…1,000,000. Default 1000, as in netem.
  public let limit: Int

  /// A link of this rate; both numbers are clamped to their ranges.
  public init(bitsPerSecond: UInt64, limit: Int = 1000) {
    self.bitsPerSecond = min(max(1, bitsPerSecond), Rate.fastest)
    self.limit = min(max(1, limit), Rate.limits.upperBound)
  }

  static let fastest: UInt64 = 1_000_000_000_000
  static let limits = 1...1_000_000
  /// The bytes of IPv4 and UDP headers before each payload.
  public static let headerBytes = 28
}

extension Rate {
  private static let units: [(name: String, bits: UInt64)] = [
    ("bit", 1), ("kbit", 1_000), ("mbit", 1_000_000), ("gbit", 1_000_000_000),
  ]

  /// `64kbit`, or `64kbit,100` with a limit other than 1000.
  public var description: String {
    let unit = Rate.units.last { bitsPerSecond % $0.bits == 0 } ?? Rate.units[0]
    let text = "\(bitsPerSecond / unit.bits)\(unit.name)"
    return limit == 1000 ? text : "\(text),\(limit)"
  }

  /// Parses `64kbit`, `1.5mbit`, `64kbit,100` or `64kbit,limit 100`; kbit is 1000 bit/s, as in tc.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let expected = "a rate in bit, kbit, mbit or gbit a second and perhaps a queue length, such as 64kbit or 64kbit,100"
    let parts = text.commaSeparated
    if parts.count > 2 { throw ImpairmentSyntaxError(text, "has \(parts.count) values", expected: expected) }
    let digits = parts[0].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = parts[0][digits.endIndex...].lowercased()
    guard let unit = Rate.units.first(where: { $0.name == name }),
      let bits = try? DecimalText.parse(digits, scale: unit.bits), (1...Rate.fastest).contains(bits)
    else { throw ImpairmentSyntaxError(parts[0], "is not a rate", expected: expected) }
    guard parts.count == 2 else {
      self.init(bitsPerSecond: bits)
      return
    }
    let word = parts[1].hasPrefix("limit ") ? parts[1].dropFirst(6).trimmed : parts[1]
    guard let limit = Int(word), Rate.limits.contains(limit) else {
      throw ImpairmentSyntaxError(
        parts[1], "is not a queue length", expected: "a whole number from 1 to \(Rate.limits.upperBound)")
    }
    self.init(bitsPerSecond: bits, limit: limit)
  }
}

extension ImpairmentID {
  /// Rate limit: the packet waits for a slow link, which may drop it.
  public static let rate = ImpairmentID(6)
}

extension AppliedRates {
  /// Packets dropped because the link's queue was full.
  public var tailDropped: Int { dropped(by: .rate) }
}

extension Rate {
  /// Its number.
  public static let id = ImpairmentID.rate
  /// Its name.
  public static let name = "rate"
  /// After reorder: a link keeps the order in which packets arrive at it.
  public static let place = 60
  /// `--rate R[,N]`.
  public static let options = [
    option(
      "rate", value: "rate",
      help: "Limit the bit rate, optionally with a queue length in packets: 64kbit or 64kbit,100.", parse: Rate.init)
  ]
  /// A link is not random.
  public static let isRandom = false
  /// A slow link applies to a stream too.
  public static let strikesStreams = true

  /// The sender of a stream waits for room in the queue, so nothing is dropped.
  public var overStream: Rate { Rate(bitsPerSecond: bitsPerSecond, limit: Rate.limits.upperBound) }

  /// Sends copies one after the other.
  public func stage(seed: UInt64) -> ImpairmentStage { .leaving(Link(self)) }

  /// The share of packets, of those that no other impairment dropped, that arrived at a full queue.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.tailDropped, of: rates.delivered + rates.tailDropped + rates.droppedByHand, expected: nil)
  }

  /// The link of one run.
  private struct Link: LeavingStage {
    private let rate: Rate
    /// The departure times of the packets in the queue; ascending.
    private var departures = Ring<Nanoseconds>(placeholder: 0)
    /// The start of the current busy period, and the bits sent since then, so that rounding errors do not add up.
    private var busySince: Nanoseconds = 0
    private var bits: UInt64 = 0
    private var freeAt: Nanoseconds = 0

    /// The latest time, which leaves room for the addition of a stall after the link.
    private static let latest = Int64.max / 4 * 3

    init(_ rate: Rate) { self.rate = rate }

    /// The departure time of a packet that arrives at `time`; nil if it is dropped. Times must not go back.
    mutating func leave(payload: Int, at time: Nanoseconds) -> Nanoseconds? {
      while let first = departures.first, first <= time { departures.removeFirst() }
      guard departures.count < rate.limit else { return nil }
      if time >= freeAt {
        busySince = time
        bits = 0
      }
      bits += UInt64(min(max(0, payload), 1 << 28) + Rate.headerBytes) * 8
      let (sum, overflow) = busySince.addingReportingOverflow(duration(of: bits))
      freeAt = overflow ? Link.latest : min(sum, Link.latest)
      departures.append(freeAt)
      return freeAt
    }

    /// The time for this many bits: ns, rounded up, at most about 146 years.
    private func duration(of bits: UInt64) -> Int64 {
      let (high, low) = bits.multipliedFullWidth(by: 1_000_000_000)
      guard high < rate.bitsPerSecond else { return Int64.max / 2 }
      let (quotient, remainder) = rate.bitsPerSecond.dividingFullWidth((high, low))
      return Int64(min(quotient, UInt64(Int64.max / 2) - 1)) + (remainder > 0 ? 1 : 0)
    }
  }
}
