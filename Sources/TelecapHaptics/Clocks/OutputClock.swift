import TelecapRecording

/// One output of a device: a clock that ticks, and the latency from a tick to the perception (Multisensory
/// Architectures, Domain Clocks and Latency). All times in ns.
public struct OutputClock: Hashable, Sendable {
  /// The time between two starts: a screen's refresh, an audio buffer; 0 for an output that can start at any time.
  public var period: Nanoseconds
  /// The latency from start to perception, as the system reports it.
  public var latency: Nanoseconds
  /// The maximum difference between the true and the reported latency, in both directions.
  public var jitter: Nanoseconds
  /// The drift of its clock in parts per million of the host's clock.
  public var driftPPM: Int64
  /// Whether it can start at a given time within a period; a screen starts only at its refreshes.
  public var isTimed: Bool

  /// The maximum of its times, in ns: 100 s.
  public static let longest: Nanoseconds = 100_000_000_000
  /// The possible refresh rates of a screen, in Hz.
  public static let possibleRefreshes: ClosedRange<Int64> = 1...1_000
  /// The maximum drift in both directions, in parts per million.
  public static let largestDrift: Int64 = 100_000

  /// A clock with these values; times are clamped to 0 … `longest`, the drift to ±`largestDrift`.
  public init(period: Int64, latency: Int64, jitter: Int64 = 0, driftPPM: Int64 = 0, isTimed: Bool) {
    self.period = max(0, min(OutputClock.longest, period))
    self.latency = max(0, min(OutputClock.longest, latency))
    self.jitter = max(0, min(OutputClock.longest, jitter))
    self.driftPPM = max(-OutputClock.largestDrift, min(OutputClock.largestDrift, driftPPM))
    self.isTimed = isTimed
  }

  /// A screen with this refresh rate in Hz, at least 1.
  public static func display(hertz: Int64, latency: Int64 = 0, jitter: Int64 = 0, driftPPM: Int64 = 0) -> OutputClock {
    OutputClock(
      period: 1_000_000_000 / max(1, hertz), latency: latency, jitter: jitter, driftPPM: driftPPM, isTimed: false)
  }

  /// Audio that requests `frames` at once at this rate, with `latency` from there to the ear: 20–40 ms.
  public static func audio(
    frames: Int64 = 512, sampleRate: Int64 = 48_000, latency: Int64 = 30_000_000, jitter: Int64 = 10_000_000,
    driftPPM: Int64 = 0
  ) -> OutputClock {
    let held = max(0, min(1_000_000, frames))
    return OutputClock(
      period: held * 1_000_000_000 / max(1, sampleRate), latency: latency, jitter: jitter, driftPPM: driftPPM,
      isTimed: true)
  }

  /// The Taptic Engine: 5–15 ms from the call to the actuation.
  public static func haptic(
    latency: Int64 = 10_000_000, jitter: Int64 = 5_000_000, driftPPM: Int64 = 0
  ) -> OutputClock {
    OutputClock(period: 0, latency: latency, jitter: jitter, driftPPM: driftPPM, isTimed: true)
  }

  /// The state of a clock in one trial.
  public struct Moment: Hashable, Sendable {
    /// From the decision to the clock's next tick, 0 ..< period.
    public var nextTick: Nanoseconds
    /// The difference between the true and the reported latency.
    public var deviation: Nanoseconds
    /// The time since the clock was synchronised to the host's, at most `SyncDevice.longestSetting`.
    public var sinceSet: Nanoseconds

    /// A moment of these values.
    public init(nextTick: Nanoseconds = 0, deviation: Nanoseconds = 0, sinceSet: Nanoseconds = 0) {
      self.nextTick = nextTick
      self.deviation = deviation
      self.sinceSet = max(0, min(SyncDevice.longestSetting, sinceSet))
    }
  }

  /// The time of perception of an event that was started without a time, at the first tick after `armed`. In ns after
  /// the decision.
  public func naive(armed: Nanoseconds = 0, _ moment: Moment) -> Nanoseconds {
    tick(notBefore: armed, moment) + trueLatency(moment)
  }

  /// The time of perception of an event that was armed at `armed` for a perception at `target`, both in ns after the
  /// decision. The reported latency is subtracted; an event that is armed too late starts at the next tick.
  public func scheduled(for target: Nanoseconds, armed: Nanoseconds = 0, _ moment: Moment) -> Nanoseconds {
    let begin = target - latency
    let earliest = tick(notBefore: armed, moment)
    guard isTimed else { return tick(notBefore: max(armed, begin), moment) + trueLatency(moment) }
    // A clock that is fast by d is ahead by d × the time since its synchronisation, and starts that much too early.
    let ahead = moment.sinceSet / 1_000 * driftPPM / 1_000
    return max(begin - ahead, earliest) + trueLatency(moment)
  }

  private func trueLatency(_ moment: Moment) -> Nanoseconds { max(0, latency + moment.deviation) }

  private func tick(notBefore time: Nanoseconds, _ moment: Moment) -> Nanoseconds {
    guard period > 0 else { return time }
    let behind = time - moment.nextTick
    guard behind > 0 else { return moment.nextTick }
    return moment.nextTick + (behind + period - 1) / period * period
  }
}
