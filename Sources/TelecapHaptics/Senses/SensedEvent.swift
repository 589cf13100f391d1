import TelecapRecording

/// An event, and what the senses got of it.
public struct SensedEvent: Sendable {
  /// Its place in the script, from 1.
  public var number: Int
  /// What happened.
  public var event: WorldEvent
  /// When it happened in the core.
  public var happened: Timestamp
  /// When the shell drained it and armed the senses.
  public var drained: Timestamp
  /// When it was seen, heard and felt, ns after it was drained: where the clocks stood and how late
  /// they were is drawn once for a run.
  public var starts: SyncStarts
  /// What the senses got.
  public var perception: Perception
  /// What becomes of the user's music while its sound plays.
  public var music: String
  /// When its sound was broken off; nil where it was not.
  public var heardUntil: Timestamp?
  /// When its pattern was broken off; nil where it was not.
  public var feltUntil: Timestamp?
  /// How far apart its senses were in each trial, armed ahead and started now; nil where fewer than two had a part.
  public var skew: (ahead: SyncStudy.Result, now: SyncStudy.Result)?

  /// When a sense got it.
  public func time(of sense: Sense) -> Timestamp { drained.advanced(byNanoseconds: starts[keyPath: sense.start]) }

  /// The pattern that was felt; nil where nothing was.
  public var pattern: AHAP? {
    switch perception.felt {
    case .pattern(let feel): feel.intensity > 0 ? AHAP(feel) : nil
    case .mediumImpact: .mediumImpact
    case .nothing, .savedPower, nil: nil
    }
  }

  /// Its sound as `clip`; nil where nothing was heard.
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
  /// Where the start of this sense stands among the three.
  public var start: KeyPath<SyncStarts, Nanoseconds> {
    switch self {
    case .seen: \.display
    case .heard: \.audio
    case .felt: \.haptic
    }
  }
}

extension SyncStarts {
  /// From the first of these senses to the last, ns; 0 for fewer than two.
  public func skew(of senses: Set<Sense>) -> Nanoseconds {
    let starts = senses.map { self[keyPath: $0.start] }
    return (starts.max() ?? 0) - (starts.min() ?? 0)
  }
}
