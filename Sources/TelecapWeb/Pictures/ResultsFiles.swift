import TelecapFiles
import TelecapReport
import TelecapText

/// Result files of `conform`.
public enum ResultsFiles {
  /// The results in these files; nil if the first one does not contain results and so is a recording.
  ///
  /// - Parameter plans: the plans of a recording, which cannot be combined with results.
  /// - Throws: `FileError`; `ResultsProblem` if another file does not contain results, or if there are plans.
  public static func read(_ paths: [String], _ plans: [String] = []) throws -> [ConformanceResults]? {
    guard let first = paths.first, try isResults(first) else { return nil }
    if let plan = plans.first {
      throw ResultsProblem("\(plan): a plan requires a recording, and \(first) holds results of conform")
    }
    return try paths.map { try ConformanceResults(try TextFile.bytes($0), name: $0) }
  }

  /// Whether a file starts like results. Does not read the whole file, which may be a recording.
  private static func isResults(_ path: String) throws -> Bool {
    guard !RecordingPlace.isStream(path) else { return false }
    var input: FileInput
    do {
      input = try FileInput(path: path)
    } catch {
      return false
    }
    return ConformanceResults.mayBe(Array(try input.readPiece()))
  }
}
