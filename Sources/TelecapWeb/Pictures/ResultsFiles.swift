import TelecapFiles
import TelecapReport
import TelecapText

/// Files of results of `conform`.
public enum ResultsFiles {
  /// The results in these files; nil where the first holds none, and so is a recording.
  ///
  /// - Parameter plans: the plans of a recording, which results are not.
  /// - Throws: `FileError`; `ResultsProblem` where another one is none, or where there are plans.
  public static func read(_ paths: [String], _ plans: [String] = []) throws -> [ConformanceResults]? {
    guard let first = paths.first, try isResults(first) else { return nil }
    if let plan = plans.first {
      throw ResultsProblem("\(plan): a plan requires a recording, and \(first) holds results of conform")
    }
    return try paths.map { try ConformanceResults(try TextFile.bytes($0), name: $0) }
  }

  /// Whether a file begins as results do. A recording is not read whole for that.
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
