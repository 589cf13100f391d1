import TelecapFiles
import TelecapHaptics
import TelecapReplay
import TelecapText

/// Sounds in WAV files.
public enum SoundFile {
  /// The maximum duration of an explosion's sound, in s, because it is loaded into memory.
  public static let longest: Double = 60

  /// The sound in the file at `path`; `builtIn` without a path.
  ///
  /// - Throws: `FileError` if the file does not exist, `SoundProblem` if it is not a playable sound.
  public static func clip(_ path: String?, or builtIn: SoundClip) throws -> SoundClip {
    guard let path else { return builtIn }
    let bytes = try TextFile.bytes(path)
    let clip: SoundClip
    do throws(WAVError) {
      clip = try SoundClip(wav: bytes)
    } catch {
      throw SoundProblem.wrong(path: path, error)
    }
    guard clip.count > 0 else { throw SoundProblem.empty(path: path) }
    let seconds = Double(clip.duration) / 1e9
    guard seconds <= longest else { throw SoundProblem.tooLong(path: path, seconds: seconds) }
    return clip
  }

  /// Writes the output of `renderer` as a WAV file, block by block.
  ///
  /// - Returns: the number of clipped samples.
  /// - Throws: `FileError`, `SoundProblem.tooMuch`.
  public static func write(_ renderer: SoundRenderer, to path: String, force: Bool) throws -> Int {
    var renderer = renderer
    let step = SoundRenderer.step
    let pieces = max(1, (renderer.length + step - 1) / step)
    guard pieces * step <= WAV.mostFrames else { throw SoundProblem.tooMuch(path: path) }
    var output = try Output(path: path, force: force)
    try output.write(WAV.header(frames: pieces * step))
    for _ in 0..<pieces {
      WAV.append(renderer.next(), to: &output.buffer)
      try output.flushIfLarge()
    }
    try output.finish()
    return renderer.clipped
  }
}

/// A problem with a sound file.
public enum SoundProblem: Advising, BadInput, Hashable, Sendable {
  /// The file is not a WAV file, or has an unsupported format.
  case wrong(path: String, WAVError)
  /// The file has no samples.
  case empty(path: String)
  /// The sound is too long for a WAV file.
  case tooMuch(path: String)
  /// The sound has this duration, in s.
  case tooLong(path: String, seconds: Double)

  /// The advice.
  public var advice: String {
    switch self {
    case .wrong, .empty: "give a WAV file of one channel, 48 kHz and 24 bits for instance"
    case .tooLong: "cut it to a minute"
    case .tooMuch: "take a part of the session with telecap export --where"
    }
  }
}

extension SoundProblem: CustomStringConvertible {
  /// The problem and its position.
  public var description: String {
    switch self {
    case .wrong(let path, let error): "\(path): \(error)"
    case .empty(let path): "\(path): no sample"
    case .tooMuch(let path): "\(path): the sound is longer than four hours, the maximum of a WAV file"
    case .tooLong(let path, let seconds): "\(path): it lasts \(Numbers.fixed(seconds, 1)) s; a minute is the most"
    }
  }
}
