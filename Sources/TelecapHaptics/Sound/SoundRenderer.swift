import TelecapRecording

/// A sound that plays somewhere from a moment on.
public struct SoundVoice: Hashable, Sendable {
  /// What is heard.
  public var clip: SoundClip
  /// When it begins.
  public var start: Timestamp
  /// When it is broken off, at the latest; nil for its own end.
  public var end: Timestamp?
  /// Where it is, in visual units; nil for a sound that is not placed, and that both ears get at the full level.
  public var position: Track<Vector3>?
  /// How loud it is itself, 0…1.
  public var level: Track<Double>
  /// It begins again when it is over, until `end`.
  public var repeats = false

  /// A sound from `start` on.
  public init(
    _ clip: SoundClip, at start: Timestamp, until end: Timestamp? = nil, position: Track<Vector3>?, level: Double = 1
  ) {
    (self.clip, self.start, self.end, self.position, self.level) = (clip, start, end, position, Track(level))
  }

  /// When it is over.
  var over: Timestamp {
    let own = repeats ? nil : start.advanced(byNanoseconds: clip.duration)
    return min(own ?? end ?? start, end ?? own ?? start)
  }
}

/// Voices in a space as two channels, a piece at a time: each source is placed anew every 256 frames, in between its levels
/// and its delay change in straight lines.
public struct SoundRenderer: Sendable {
  /// Frames a second of what is rendered.
  public static let rate = 48_000
  /// Frames from one placement to the next.
  public static let step = 256

  private let space: SoundSpace
  private let listener: ListenerPath
  private let voices: [SoundVoice]
  /// The next frame, from the time 0 on.
  public private(set) var frame = 0
  /// How many samples were louder than full, and are cut to it.
  public private(set) var clipped = 0

  /// What `listener` hears of `voices` in `space`.
  public init(_ voices: [SoundVoice], in space: SoundSpace, for listener: ListenerPath) {
    (self.voices, self.space, self.listener) = (voices, space, listener)
  }

  /// When the last voice is over, in frames; a headset's delay lets a sound end up to a millisecond later.
  public var length: Int {
    let ends = voices.map(\.over)
    let last = ends.map(\.nanoseconds).max() ?? 0
    return Int(Double(last) / 1e9 * Double(SoundRenderer.rate)) + SoundRenderer.rate / 1_000
  }

  /// The next 256 frames, left and right in turn, −1…1.
  public mutating func next() -> [Float] {
    var mixed = [Double](repeating: 0, count: 2 * SoundRenderer.step)
    let (from, to) = (time(of: frame), time(of: frame + SoundRenderer.step))
    for voice in voices where isHeard(voice, from, to) { mix(voice, from, to, into: &mixed) }
    frame += SoundRenderer.step
    return mixed.map { sample in
      if abs(sample) > 1 { clipped += 1 }
      return Float(max(-1, min(1, sample)))
    }
  }

  private func time(of frame: Int) -> Timestamp {
    Timestamp(nanoseconds: Int64(frame) * 1_000_000_000 / Int64(SoundRenderer.rate))
  }

  private func isHeard(_ voice: SoundVoice, _ from: Timestamp, _ to: Timestamp) -> Bool {
    // The far ear of a headset hears the end of it a little later.
    let over = voice.end == nil ? voice.over.advanced(byNanoseconds: 1_000_000) : voice.over
    return voice.start < to && over > from
  }

  private func mix(_ voice: SoundVoice, _ from: Timestamp, _ to: Timestamp, into mixed: inout [Double]) {
    let (first, last) = (placement(of: voice, at: from), placement(of: voice, at: to))
    let begin = Double(from.nanoseconds(since: voice.start)) / 1e9
    let end = voice.end.map { Double($0.nanoseconds(since: voice.start)) / 1e9 } ?? .infinity
    let right = voice.clip.channels.count > 1 ? 1 : 0
    for index in 0..<SoundRenderer.step {
      let seconds = begin + Double(index) / Double(SoundRenderer.rate)
      guard seconds < end else { break }
      let share = Double(index) / Double(SoundRenderer.step)
      let now = first.towards(last, share)
      mixed[2 * index] += now.left * voice.clip.sample(0, at: seconds - max(0, now.delay), repeats: voice.repeats)
      mixed[2 * index + 1] +=
        now.right * voice.clip.sample(right, at: seconds - max(0, -now.delay), repeats: voice.repeats)
    }
  }

  private func placement(of voice: SoundVoice, at time: Timestamp) -> Ears {
    let level = voice.level.value(at: time)
    guard let position = voice.position else { return Ears(left: level, right: level, delay: 0) }
    let source = SoundSource(at: position.value(at: time), channels: voice.clip.channels.count)
    let placement = space.placement(of: source, for: listener.listener(at: time))
    return Ears(left: level * placement.left, right: level * placement.right, delay: placement.delay)
  }

  /// What reaches two ears.
  private struct Ears: Interpolated {
    var left: Double
    var right: Double
    var delay: Double

    func towards(_ other: Ears, _ share: Double) -> Ears {
      Ears(
        left: left + (other.left - left) * share, right: right + (other.right - right) * share,
        delay: delay + (other.delay - delay) * share)
    }
  }
}
