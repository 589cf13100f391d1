import TelecapRecording

/// How an event is begun on three outputs (Multisensory Architectures, The Synchronization Problem).
public enum SyncStrategy: Hashable, Sendable {
  /// All three are told to begin now.
  case naive
  /// All three are armed for so many ns from now, each earlier by its latency.
  case future(delta: Nanoseconds)
  /// Each is told to begin at a time of its own, ns from now.
  case armed(SyncStarts)
}

/// A device with its three outputs.
public struct SyncDevice: Hashable, Sendable {
  /// What is seen.
  public var display: OutputClock
  /// What is heard.
  public var audio: OutputClock
  /// What is felt.
  public var haptic: OutputClock
  /// From the decision until all three are armed, ns.
  public var arming: Nanoseconds
  /// The longest time since a clock was set by the host's, ns, at most `longestSetting`: drift adds up over it.
  public var setEvery: Nanoseconds
  /// What is planned ahead is begun earlier by its output's latency. So it must be; a device that is wrong does not.
  public var subtractsLatency = true

  /// The largest `setEvery`, in ns: an hour.
  public static let longestSetting: Nanoseconds = 3_600_000_000_000

  /// A screen of 60 Hz, audio of 20–40 ms, haptics of 5–15 ms, unless told otherwise.
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

  /// When each output is perceived in one trial. The same trial meets the clocks at the same moment under every
  /// strategy.
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

/// When an event was seen, heard and felt, ns after it was decided.
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

  /// From the first of the three to the last.
  public var skew: Nanoseconds { max(display, audio, haptic) - min(display, audio, haptic) }
}
