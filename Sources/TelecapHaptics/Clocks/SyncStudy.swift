import TelecapRecording

/// Many trials of one way to begin an event on one device.
public struct SyncStudy: Sendable {
  /// More skew than this is noticed: 3 frames at 60 Hz (Multisensory Architectures, Testing and Tuning), ns.
  public static let limit: Nanoseconds = 50_000_000
  /// The longest δ that is looked at, ns.
  public static let longestDelta: Nanoseconds = 1_000_000_000
  /// The steps in which δ is looked for, ns.
  public static let step: Nanoseconds = 1_000_000

  /// How many trials there may be.
  public static let possibleTrials = 1...1_000_000

  /// The device.
  public let device: SyncDevice
  /// How many trials.
  public let trials: Int
  /// By which numbers.
  public let draws: KeyedDraws

  /// A study of so many trials, held to those that are possible.
  public init(_ device: SyncDevice, trials: Int, seed: UInt64) {
    self.device = device
    self.trials = max(SyncStudy.possibleTrials.lowerBound, min(SyncStudy.possibleTrials.upperBound, trials))
    draws = KeyedDraws(seed: seed)
  }

  /// What came out of the trials.
  public struct Result: Hashable, Sendable {
    /// The skew of each trial, ns, ascending.
    public let skews: [Nanoseconds]
    /// The mean time at which the event was seen, heard and felt, ns after the decision.
    public let meanStarts: SyncStarts

    /// The skew that the share `fraction`, 0…1, of the trials does not exceed (nearest rank).
    public func quantile(_ fraction: Double) -> Nanoseconds {
      guard !skews.isEmpty else { return 0 }
      let rank = Int64(clampingRounded: fraction * Double(skews.count) + 0.499_999_999)
      return skews[Int(max(1, min(Int64(skews.count), rank))) - 1]
    }

    /// How many trials had more skew than `limit` ns.
    public func count(over limit: Nanoseconds) -> Int { skews.reduce(0) { $0 + ($1 > limit ? 1 : 0) } }

    /// How many trials had a skew in each interval of `width` ns from 0 on, up to the largest skew. The width is the
    /// smallest in whole milliseconds that makes at most `bars` intervals.
    public func histogram(bars: Int) -> (width: Nanoseconds, counts: [Int]) {
      let largest = skews.last ?? 0
      let steps: Int64 = largest / (Int64(max(1, bars)) * SyncStudy.step) + 1
      let width: Nanoseconds = steps * SyncStudy.step
      return (width, histogram(width: width))
    }

    /// The same with intervals of `width` ns, at least a millisecond.
    public func histogram(width: Nanoseconds) -> [Int] {
      let width = max(SyncStudy.step, width)
      var counts = [Int](repeating: 0, count: Int((skews.last ?? 0) / width) + 1)
      for skew in skews { counts[Int(skew / width)] += 1 }
      return counts
    }
  }

  /// Carries the trials out; the skew is that of `senses`.
  public func run(_ strategy: SyncStrategy, of senses: Set<Sense> = Set(Sense.allCases)) -> Result {
    var skews: [Nanoseconds] = []
    skews.reserveCapacity(trials)
    var sum = SyncStarts(display: 0, audio: 0, haptic: 0)
    for trial in 0..<trials {
      let starts = device.starts(strategy, trial: trial, draws: draws)
      skews.append(starts.skew(of: senses))
      sum.display += starts.display
      sum.audio += starts.audio
      sum.haptic += starts.haptic
    }
    skews.sort()
    let count = Int64(trials)
    return Result(
      skews: skews,
      meanStarts: SyncStarts(display: sum.display / count, audio: sum.audio / count, haptic: sum.haptic / count))
  }

  /// Whether no trial has more skew than `limit` ns.
  public func holds(_ strategy: SyncStrategy, within limit: Nanoseconds = SyncStudy.limit) -> Bool {
    (0..<trials).allSatisfy { device.starts(strategy, trial: $0, draws: draws).skew <= limit }
  }

  /// The smallest δ, in whole milliseconds, with which no trial has more skew than `limit` ns; nil when none up to 1 s
  /// does: then jitter, drift and refresh alone are too much.
  public func smallestDelta(within limit: Nanoseconds = SyncStudy.limit) -> Nanoseconds? {
    var delta: Nanoseconds = 0
    while delta <= SyncStudy.longestDelta {
      if holds(.future(delta: delta), within: limit) { return delta }
      delta += SyncStudy.step
    }
    return nil
  }
}
