import TelecapRecording

/// Many trials of one strategy to start an event on one device.
public struct SyncStudy: Sendable {
  /// The skew above which users notice it: 3 frames at 60 Hz (Multisensory Architectures, Testing and Tuning), in ns.
  public static let limit: Nanoseconds = 50_000_000
  /// The maximum δ of the search, in ns.
  public static let longestDelta: Nanoseconds = 1_000_000_000
  /// The step of the search for δ, in ns.
  public static let step: Nanoseconds = 1_000_000

  /// The possible numbers of trials.
  public static let possibleTrials = 1...1_000_000

  /// The device.
  public let device: SyncDevice
  /// The number of trials.
  public let trials: Int
  /// The random numbers.
  public let draws: KeyedDraws

  /// A study with this number of trials, clamped to the possible ones.
  public init(_ device: SyncDevice, trials: Int, seed: UInt64) {
    self.device = device
    self.trials = max(SyncStudy.possibleTrials.lowerBound, min(SyncStudy.possibleTrials.upperBound, trials))
    draws = KeyedDraws(seed: seed)
  }

  /// The results of the trials.
  public struct Result: Hashable, Sendable {
    /// The skew of each trial, in ns, ascending.
    public let skews: [Nanoseconds]
    /// The mean times at which the event was seen, heard and felt, in ns after the decision.
    public let meanStarts: SyncStarts

    /// The skew that a share `fraction`, 0…1, of the trials does not exceed (nearest rank).
    public func quantile(_ fraction: Double) -> Nanoseconds {
      guard !skews.isEmpty else { return 0 }
      let rank = Int64(clampingRounded: fraction * Double(skews.count) + 0.499_999_999)
      return skews[Int(max(1, min(Int64(skews.count), rank))) - 1]
    }

    /// The number of trials with more skew than `limit` ns.
    public func count(over limit: Nanoseconds) -> Int { skews.reduce(0) { $0 + ($1 > limit ? 1 : 0) } }

    /// The number of trials in each interval of `width` ns of skew from 0 up to the largest. The width is the smallest
    /// one in whole milliseconds with at most `bars` intervals.
    public func histogram(bars: Int) -> (width: Nanoseconds, counts: [Int]) {
      let largest = skews.last ?? 0
      let steps: Int64 = largest / (Int64(max(1, bars)) * SyncStudy.step) + 1
      let width: Nanoseconds = steps * SyncStudy.step
      return (width, histogram(width: width))
    }

    /// The same with intervals of `width` ns, at least 1 ms.
    public func histogram(width: Nanoseconds) -> [Int] {
      let width = max(SyncStudy.step, width)
      var counts = [Int](repeating: 0, count: Int((skews.last ?? 0) / width) + 1)
      for skew in skews { counts[Int(skew / width)] += 1 }
      return counts
    }
  }

  /// Runs the trials and computes the skew of `senses`.
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

  /// The smallest δ, in whole milliseconds, with which no trial has more skew than `limit` ns. Nil if none up to 1 s
  /// suffices, because jitter, drift and refresh alone exceed the limit.
  public func smallestDelta(within limit: Nanoseconds = SyncStudy.limit) -> Nanoseconds? {
    var delta: Nanoseconds = 0
    while delta <= SyncStudy.longestDelta {
      if holds(.future(delta: delta), within: limit) { return delta }
      delta += SyncStudy.step
    }
    return nil
  }
}
