import TelecapFiles
import TelecapHaptics
import TelecapRecording
import TelecapReplay
import TelecapText

/// A pattern in a file, to be played or drawn.
public enum PatternFile {
  /// The longest pattern that is drawn or played, in s: what a file says of times is not trusted.
  public static let longest = 3_600.0

  /// The pattern in the file at `path`.
  ///
  /// - Throws: `FileError` when there is no such file, `PatternProblem` when it is no pattern, or none to be felt.
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

/// Why a file cannot be played or drawn.
public enum PatternProblem: Advising, BadInput, Sendable {
  /// It has errors; this is the first of them.
  case wrong(path: String, AHAPFinding, errors: Int)
  /// Nothing is felt in it.
  case silent(path: String)
  /// It lasts so long, in s.
  case tooLong(path: String, seconds: Double)

  /// What to do about it; empty when nothing can be said.
  public var advice: String {
    switch self {
    case .wrong(let path, _, _): "see all of it with telecap ahap lint \(Escaping.shellPath(path))"
    case .silent(let path): "see why with telecap ahap lint \(Escaping.shellPath(path))"
    case .tooLong: ""
    }
  }
}

extension PatternProblem: CustomStringConvertible {
  /// What is wrong, with file, line and column.
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
