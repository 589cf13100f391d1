import TelecapRecording

/// An event and its perception.
public struct SensedEvent: Sendable {
  /// Its number in the script, from 1.
  public var number: Int
  /// The event.
  public var event: WorldEvent
  /// The time at which it happened in the core.
  public var happened: Timestamp
  /// The time at which the shell drained it and armed the senses.
  public var drained: Timestamp
  /// The times at which it was seen, heard and felt, in ns after the drain. The states of the clocks are drawn once for
  /// a run.
  public var starts: SyncStarts
  /// The perception of the event.
  public var perception: Perception
  /// The effect on the user's music while its sound plays.
  public var music: String
  /// The time at which its sound was interrupted; nil if it was not.
  public var heardUntil: Timestamp?
  /// The time at which its pattern was interrupted; nil if it was not.
  public var feltUntil: Timestamp?
  /// The skew of its senses in each trial, armed ahead and started now; nil for fewer than two senses.
  public var skew: (ahead: SyncStudy.Result, now: SyncStudy.Result)?

  /// The time at which a sense perceives it.
  public func time(of sense: Sense) -> Timestamp { drained.advanced(byNanoseconds: starts[keyPath: sense.start]) }

  /// The pattern of its haptics; nil without haptics.
  public var pattern: AHAP? {
    switch perception.felt {
    case .pattern(let feel): feel.intensity > 0 ? AHAP(feel) : nil
    case .mediumImpact: .mediumImpact
    case .nothing, .savedPower, nil: nil
    }
  }

  /// Its sound as `clip`; nil without sound.
  public func voice(of clip: SoundClip) -> SoundVoice? {
    guard case .sound(let placement, let level, _, _, _) = perception.heard, case .explosion(let explosion) = event
    else { return nil }
    let start = time(of: .heard)
    let end = (start.advanced(byNanoseconds: clip.duration), explosion.goesTo ?? explosion.position)
    let path = Track([(start, explosion.position), end])
    return SoundVoice(clip, at: start, until: heardUntil, position: placement.isPlaced ? path : nil, level: level)
  }
}

extension Sense {
  /// The start of this sense.
  public var start: KeyPath<SyncStarts, Nanoseconds> {
    switch self {
    case .seen: \.display
    case .heard: \.audio
    case .felt: \.haptic
    }
  }
}

extension SyncStarts {
  /// The time from the first of these senses to the last, in ns; 0 for fewer than two.
  public func skew(of senses: Set<Sense>) -> Nanoseconds {
    let starts = senses.map { self[keyPath: $0.start] }
    return (starts.max() ?? 0) - (starts.min() ?? 0)
  }
}
