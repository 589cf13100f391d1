import TelecapRecording

/// A sound at a position from a time on.
public struct SoundVoice: Hashable, Sendable {
  /// The sound.
  public var clip: SoundClip
  /// The start.
  public var start: Timestamp
  /// The time at which it is interrupted at the latest; nil to play to its own end.
  public var end: Timestamp?
  /// Its position, in visual units; nil for a sound that is not placed, which both ears hear at the full level.
  public var position: Track<Vector3>?
  /// Its own level, 0…1.
  public var level: Track<Double>
  /// Whether it loops until `end`.
  public var repeats = false

  /// A sound from `start` on.
  public init(
    _ clip: SoundClip, at start: Timestamp, until end: Timestamp? = nil, position: Track<Vector3>?, level: Double = 1
  ) {
    (self.clip, self.start, self.end, self.position, self.level) = (clip, start, end, position, Track(level))
  }

  /// The end of the sound.
  var over: Timestamp {
    let own = repeats ? nil : start.advanced(byNanoseconds: clip.duration)
    return min(own ?? end ?? start, end ?? own ?? start)
  }
}

/// Mixes voices in a space to two channels, block by block: each source is placed anew every 256 frames; between, its
/// levels and delay are interpolated linearly.
public struct SoundRenderer: Sendable {
  /// The sample rate of the output, in Hz.
  public static let rate = 48_000
  /// The number of frames between two placements.
  public static let step = 256

  private let space: SoundSpace
  private let listener: ListenerPath
  private let voices: [SoundVoice]
  /// The index of the next frame, from time 0 on.
  public private(set) var frame = 0
  /// The number of samples that were clipped.
  public private(set) var clipped = 0

  /// Renders `voices` in `space` for `listener`.
  public init(_ voices: [SoundVoice], in space: SoundSpace, for listener: ListenerPath) {
    (self.voices, self.space, self.listener) = (voices, space, listener)
  }

  /// The end of the last voice, in frames. A headset's delay lets a sound end up to 1 ms later.
  public var length: Int {
    let ends = voices.map(\.over)
    let last = ends.map(\.nanoseconds).max() ?? 0
    return Int(Double(last) / 1e9 * Double(SoundRenderer.rate)) + SoundRenderer.rate / 1_000
  }

  /// Renders the next 256 frames, left and right interleaved, −1…1.
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
    // The far ear of a headset hears the end up to 1 ms later.
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

  /// The levels at two ears.
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
