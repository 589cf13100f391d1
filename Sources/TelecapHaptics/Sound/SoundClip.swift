import TelecapRecording

/// A sound that is loaded once and stays in memory (haptics.md, Where the sound comes from: never streamed).
public struct SoundClip: Hashable, Sendable {
  /// Samples a second.
  public let rate: Int
  /// Samples of −1…1; all channels have the same length.
  public let channels: [[Float]]

  /// A sound of these channels, each cut to the shortest.
  public init(rate: Int, channels: [[Float]]) {
    let count = channels.map(\.count).min() ?? 0
    self.rate = max(1, rate)
    self.channels = channels.map { Array($0.prefix(count)) }
  }

  /// The number of samples of a channel.
  public var count: Int { channels.first?.count ?? 0 }

  /// The duration in ns.
  public var duration: Nanoseconds { Int64(count) * 1_000_000_000 / Int64(rate) }

  /// The default explosion: noise that decays within 0.6 s, the same on every platform.
  public static let burst: SoundClip = {
    let rate = 48_000
    let draws = KeyedDraws(seed: 1)
    var level = 1.0
    var rumble = 0.0
    let samples = (0..<rate * 6 / 10).map { index in
      let noise = Double(draws.number(within: 1 << 30, item: index, draw: 0)) / Double(1 << 30)
      // A crack of white noise over a rumble, which is the same noise after a low-pass filter at 200 Hz.
      rumble += 0.026 * (noise - rumble)
      level *= 0.999_83
      return Float((0.4 * noise * level + 3 * rumble) * level * 1.3)
    }
    return SoundClip(rate: rate, channels: [samples])
  }()

  /// The default motor: one second of noise below 200 Hz that loops without a click.
  public static let rumble: SoundClip = {
    let rate = 48_000
    let draws = KeyedDraws(seed: 2)
    var level = 0.0
    // Filter the noise twice: the state of the low-pass filter at the end is then that of the start.
    let samples = (0..<2 * rate).map { index in
      let noise = Double(draws.number(within: 1 << 30, item: index % rate, draw: 0)) / Double(1 << 30)
      level += 0.026 * (noise - level)
      return Float(max(-1, min(1, 4 * level)))
    }
    return SoundClip(rate: rate, channels: [Array(samples[rate...])])
  }()

  /// The value of channel `channel` at this many s from the start, interpolated linearly between two samples. It is 0
  /// outside; after the end it continues from the start if it `repeats`.
  func sample(_ channel: Int, at seconds: Double, repeats: Bool) -> Double {
    let place = seconds * Double(rate)
    guard place > -1, repeats || place < Double(count), place < 1e15, count > 0 else { return 0 }
    let index = place < 0 ? -1 : Int(place)
    let share = place - Double(index)
    func at(_ index: Int) -> Double {
      if index < 0 || index >= count, !repeats { return 0 }
      return index < 0 ? 0 : Double(channels[channel][index % count])
    }
    return at(index) * (1 - share) + at(index + 1) * share
  }
}
