import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapWire

/// AHAP files on disk.
enum AhapFile {
  /// The longest pattern that is drawn or played, in s: what a file says of times is not trusted.
  static let longest = 3_600.0

  /// The pattern in the file at `path`, to be played or drawn.
  ///
  /// - Throws: `Failure` 66 when there is no such file, 65 with its errors when it is no pattern.
  static func playable(_ path: String) throws -> AHAP {
    let reading = AHAPReading(try TextFile.bytes(path))
    let errors = reading.findings.filter { $0.severity == .error }
    if let first = errors.first {
      let more = errors.count > 1 ? ", and \(errors.count - 1) more errors" : ""
      throw Failure(
        .data, "\(path):\(first.position): \(first.message) (\(first.path))\(more)",
        advice: "see all of it with telecap ahap lint \(path)")
    }
    let duration = HapticTimeline(reading.pattern).duration
    guard duration > 0 else {
      throw Failure(.data, "\(path): nothing is felt in it", advice: "see why with telecap ahap lint \(path)")
    }
    guard duration <= longest else {
      throw Failure(.data, "\(path): it lasts \(duration) s; one hour is the most that is drawn or played")
    }
    return reading.pattern
  }

  /// The name of the file without its directory.
  static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Writes a pattern; `-` is standard output.
  static func write(_ pattern: AHAP, to path: String, force: Bool) throws {
    var output = try Output(path: path, force: force)
    try output.write(Array(pattern.text.utf8))
    try output.flush()
  }
}
