import TelecapRecording

/// The way in which an event is started on three outputs (Multisensory Architectures, The Synchronization Problem).
public enum SyncStrategy: Hashable, Sendable {
  /// Starts all three now.
  case naive
  /// Arms all three for this many ns from now, each earlier by its latency.
  case future(delta: Nanoseconds)
  /// Starts each at its own time, in ns from now.
  case armed(SyncStarts)
}

/// A device with its three outputs.
public struct SyncDevice: Hashable, Sendable {
  /// The output that is seen.
  public var display: OutputClock
  /// The output that is heard.
  public var audio: OutputClock
  /// The output that is felt.
  public var haptic: OutputClock
  /// The time from the decision until all three are armed, in ns.
  public var arming: Nanoseconds
  /// The maximum time between two synchronisations to the host's clock, in ns, at most `longestSetting`: drift adds up
  /// over it.
  public var setEvery: Nanoseconds
  /// Whether a start that is planned ahead is earlier by the output's latency, which is correct; false in a mutant.
  public var subtractsLatency = true

  /// The largest `setEvery`, in ns: an hour.
  public static let longestSetting: Nanoseconds = 3_600_000_000_000

  /// By default a 60 Hz screen, audio of 20–40 ms and haptics of 5–15 ms.
  public init(
    display: OutputClock = .display(hertz: 60), audio: OutputClock = .audio(), haptic: OutputClock = .haptic(),
    arming: Nanoseconds = 0, setEvery: Nanoseconds = 0
  ) {
    self.display = display
    self.audio = audio
    self.haptic = haptic
    self.arming = max(0, min(OutputClock.longest, arming))
    self.setEvery = max(0, min(SyncDevice.longestSetting, setEvery))
  }

  /// The times of perception in one trial. The clocks have the same state in a trial with every strategy.
  public func starts(_ strategy: SyncStrategy, trial: Int, draws: KeyedDraws) -> SyncStarts {
    func start(_ clock: OutputClock, _ first: UInt64, _ armed: KeyPath<SyncStarts, Int64>) -> Nanoseconds {
      let moment = OutputClock.Moment(
        nextTick: draws.number(below: clock.period, item: trial, draw: first),
        deviation: draws.number(within: clock.jitter, item: trial, draw: first + 1),
        sinceSet: draws.number(below: setEvery, item: trial, draw: first + 2))
      return switch strategy {
      case .naive: clock.naive(armed: arming, moment)
      case .future(let delta):
        clock.scheduled(for: subtractsLatency ? delta : delta + clock.latency, armed: arming, moment)
      case .armed(let starts):
        clock.scheduled(for: starts[keyPath: armed] + clock.latency, armed: arming, moment)
      }
    }
    return SyncStarts(
      display: start(display, 0, \.display), audio: start(audio, 3, \.audio), haptic: start(haptic, 6, \.haptic))
  }
}

/// The times at which an event was seen, heard and felt, in ns after the decision.
public struct SyncStarts: Hashable, Sendable {
  /// Seen.
  public var display: Nanoseconds
  /// Heard.
  public var audio: Nanoseconds
  /// Felt.
  public var haptic: Nanoseconds

  /// Starts at these times.
  public init(display: Nanoseconds, audio: Nanoseconds, haptic: Nanoseconds) {
    (self.display, self.audio, self.haptic) = (display, audio, haptic)
  }

  /// The time from the first of the three to the last.
  public var skew: Nanoseconds { max(display, audio, haptic) - min(display, audio, haptic) }
}
