import TelecapFiles
import TelecapHaptics

extension ViewTree {
  /// The views in the JSON file at `path`.
  ///
  /// - Throws: `FileError` when there is no such file, `TouchProblem.wrongFile` with line and column when it holds none.
  public init(file path: String) throws {
    let text = try TextFile.bytes(path)
    do throws(TouchFileError) {
      try self.init(json: text)
    } catch {
      throw TouchProblem.wrongFile(path: path, error)
    }
  }
}
