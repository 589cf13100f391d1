import TelecapFiles
import TelecapHaptics
import TelecapRecording
import TelecapReplay
import TelecapText

/// A pattern file, for playback or a picture.
public enum PatternFile {
  /// The maximum duration of a drawn or played pattern, in s: times in a file are untrusted.
  public static let longest = 3_600.0

  /// The pattern in the file at `path`.
  ///
  /// - Throws: `FileError` if it does not exist, `PatternProblem` if it is invalid or has no haptics.
  public static func playable(_ path: String) throws -> AHAP {
    let reading = AHAPReading(try TextFile.bytes(path))
    let errors = reading.findings.filter { $0.severity == .error }
    if let first = errors.first { throw PatternProblem.wrong(path: path, first, errors: errors.count) }
    let duration = HapticTimeline(reading.pattern).duration
    guard duration > 0 else { throw PatternProblem.silent(path: path) }
    guard duration <= longest else { throw PatternProblem.tooLong(path: path, seconds: duration) }
    return reading.pattern
  }
}

/// The reason why a pattern file cannot be played or drawn.
public enum PatternProblem: Advising, BadInput, Sendable {
  /// The file has errors; this is the first of them.
  case wrong(path: String, AHAPFinding, errors: Int)
  /// The pattern has no haptics.
  case silent(path: String)
  /// The pattern has this duration, in s.
  case tooLong(path: String, seconds: Double)

  /// The advice; empty if there is none.
  public var advice: String {
    switch self {
    case .wrong(let path, _, _): "see all of it with telecap ahap lint \(Escaping.shellPath(path))"
    case .silent(let path): "see why with telecap ahap lint \(Escaping.shellPath(path))"
    case .tooLong: ""
    }
  }
}

extension PatternProblem: CustomStringConvertible {
  /// The problem with file, line and column.
  public var description: String {
    switch self {
    case .wrong(let path, let first, let errors):
      "\(path):\(first.position): \(first.message) (\(first.path))"
        + (errors > 1 ? ", and \(errors - 1) more errors" : "")
    case .silent(let path): "\(path): nothing is felt in it"
    case .tooLong(let path, let seconds):
      "\(path): it lasts \(seconds) s; one hour is the most that is drawn or played"
    }
  }
}
