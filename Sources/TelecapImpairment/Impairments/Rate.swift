import TelecapRecording
import TelecapText

/// `rate R [limit N]`: one link of R bit/s through which all selected packets go, with room for N packets; one that comes
/// when the room is full is dropped (tail drop). A packet counts as its payload and 28 bytes of headers (20 of IPv4 and 8
/// of UDP), whatever really carries it, and is delivered when its last bit has gone.
public struct Rate: Impairment {
  /// R, in bit/s, 1…1,000,000,000,000.
  public let bitsPerSecond: UInt64
  /// N: how many packets fit, the one being sent among them, 1…1,000,000. Default 1000, as netem's.
  public let limit: Int

  /// A link of this rate; both numbers are held in their ranges.
  public init(bitsPerSecond: UInt64, limit: Int = 1000) {
    self.bitsPerSecond = min(max(1, bitsPerSecond), Rate.fastest)
    self.limit = min(max(1, limit), Rate.limits.upperBound)
  }

  static let fastest: UInt64 = 1_000_000_000_000
  static let limits = 1...1_000_000
  /// Bytes of IPv4 and UDP headers before each payload.
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

  /// Reads `64kbit`, `1.5mbit`, `64kbit,100` or `64kbit,limit 100`; kbit is 1000 bit/s, as tc's.
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
  /// The packet waits for, and may be dropped by, a slow link.
  public static let rate = ImpairmentID(6)
}

extension AppliedRates {
  /// Packets dropped because the link's queue was full.
  public var tailDropped: Int { dropped(by: .rate) }
}

extension Rate {
  /// Its number.
  public static let id = ImpairmentID.rate
  /// Its word.
  public static let name = "rate"
  /// Behind reorder: a link keeps the order in which packets come to it.
  public static let place = 60
  /// `--rate R[,N]`.
  public static let options = [
    option(
      "rate", value: "rate", help: "A slow link, perhaps with its queue: 64kbit or 64kbit,100.", parse: Rate.init)
  ]
  /// A link has no choice.
  public static let isRandom = false
  /// A stream passes a slow link as well.
  public static let strikesStreams = true

  /// A sender of a stream waits for room in the queue, so that nothing is dropped.
  public var overStream: Rate { Rate(bitsPerSecond: bitsPerSecond, limit: Rate.limits.upperBound) }

  /// Sends copies one after the other.
  public func stage(seed: UInt64) -> ImpairmentStage { .leaving(Link(self)) }

  /// The share of the packets that no other impairment dropped for which the queue had no room.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .share(self, rates.tailDropped, of: rates.delivered + rates.tailDropped + rates.droppedByHand, expected: nil)
  }

  /// The link of one run.
  private struct Link: LeavingStage {
    private let rate: Rate
    /// When the packets that are in the room will have gone; ascending.
    private var departures = Ring<Nanoseconds>(placeholder: 0)
    /// Since when the link has been sending without a pause, and how many bits since then: no rounding adds up.
    private var busySince: Nanoseconds = 0
    private var bits: UInt64 = 0
    private var freeAt: Nanoseconds = 0

    /// Where times end, so that a stall behind the link has room to add.
    private static let latest = Int64.max / 4 * 3

    init(_ rate: Rate) { self.rate = rate }

    /// When a packet that comes at `time` has gone; nil when it is dropped. Times must not go back.
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

    /// How long the link sends so many bits: ns, rounded up, held at about 146 years.
    private func duration(of bits: UInt64) -> Int64 {
      let (high, low) = bits.multipliedFullWidth(by: 1_000_000_000)
      guard high < rate.bitsPerSecond else { return Int64.max / 2 }
      let (quotient, remainder) = rate.bitsPerSecond.dividingFullWidth((high, low))
      return Int64(min(quotient, UInt64(Int64.max / 2) - 1)) + (remainder > 0 ? 1 : 0)
    }
  }
}
