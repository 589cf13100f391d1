import TelecapRecording

/// One output of a device: a clock that ticks, and the time from a tick until something is seen, heard or felt
/// (Multisensory Architectures, Domain Clocks and Latency). All times in ns.
public struct OutputClock: Hashable, Sendable {
  /// Between two moments at which it begins anything: a screen's refresh, an audio buffer; 0 when it begins at any time.
  public var period: Nanoseconds
  /// From its beginning until the user perceives it, as the system reports it.
  public var latency: Nanoseconds
  /// How far the true latency lies from the reported one, either way.
  public var jitter: Nanoseconds
  /// How fast its clock is, in parts per million of the host's clock.
  public var driftPPM: Int64
  /// Whether it can be told the time at which to begin, within a period; a screen begins at its refreshes only.
  public var isTimed: Bool

  /// The longest of its times, in ns: 100 s.
  public static let longest: Nanoseconds = 100_000_000_000
  /// How many refreshes a second a screen may have.
  public static let possibleRefreshes: ClosedRange<Int64> = 1...1_000
  /// The largest drift either way, in parts per million.
  public static let largestDrift: Int64 = 100_000

  /// A clock of these values; times are held to 0 … `longest`, the drift to `largestDrift` either way.
  public init(period: Int64, latency: Int64, jitter: Int64 = 0, driftPPM: Int64 = 0, isTimed: Bool) {
    self.period = max(0, min(OutputClock.longest, period))
    self.latency = max(0, min(OutputClock.longest, latency))
    self.jitter = max(0, min(OutputClock.longest, jitter))
    self.driftPPM = max(-OutputClock.largestDrift, min(OutputClock.largestDrift, driftPPM))
    self.isTimed = isTimed
  }

  /// A screen that shows what it has at its refreshes, so many a second, at least one.
  public static func display(hertz: Int64, latency: Int64 = 0, jitter: Int64 = 0, driftPPM: Int64 = 0) -> OutputClock {
    OutputClock(
      period: 1_000_000_000 / max(1, hertz), latency: latency, jitter: jitter, driftPPM: driftPPM, isTimed: false)
  }

  /// Audio that asks for `frames` at once, so many a second, and takes `latency` from there to the ear: 20–40 ms.
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

  /// Where a clock is in one trial.
  public struct Moment: Hashable, Sendable {
    /// From the decision to the clock's next tick, 0 ..< period.
    public var nextTick: Nanoseconds
    /// How far the true latency lies from the reported one.
    public var deviation: Nanoseconds
    /// How long ago the clock was set by the host's, at most `SyncDevice.longestSetting`.
    public var sinceSet: Nanoseconds

    /// A moment of these values.
    public init(nextTick: Nanoseconds = 0, deviation: Nanoseconds = 0, sinceSet: Nanoseconds = 0) {
      self.nextTick = nextTick
      self.deviation = deviation
      self.sinceSet = max(0, min(SyncDevice.longestSetting, sinceSet))
    }
  }

  /// When an event is perceived that was begun without a time: at the first tick after `armed`. ns after the decision.
  public func naive(armed: Nanoseconds = 0, _ moment: Moment) -> Nanoseconds {
    tick(notBefore: armed, moment) + trueLatency(moment)
  }

  /// When an event is perceived that is to be perceived at `target` ns after the decision and was armed at `armed`: the
  /// reported latency is subtracted; what is armed too late begins at the next tick.
  public func scheduled(for target: Nanoseconds, armed: Nanoseconds = 0, _ moment: Moment) -> Nanoseconds {
    let begin = target - latency
    let earliest = tick(notBefore: armed, moment)
    guard isTimed else { return tick(notBefore: max(armed, begin), moment) + trueLatency(moment) }
    // A clock that is fast by d has run ahead by d · age since it was set, and begins so much too early.
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
