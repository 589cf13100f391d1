import TelecapFiles
import TelecapHaptics

extension ViewTree {
  /// The views in the JSON file at `path`.
  ///
  /// - Throws: `FileError` if it does not exist, `TouchProblem.wrongFile` with line and column if it is invalid.
  public init(file path: String) throws {
    let text = try TextFile.bytes(path)
    do throws(TouchFileError) {
      try self.init(json: text)
    } catch {
      throw TouchProblem.wrongFile(path: path, error)
    }
  }
}
