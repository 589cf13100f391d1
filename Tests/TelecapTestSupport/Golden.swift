import Foundation
import Testing

/// Compares with the file of this name in Golden/ next to the test. With `TELECAP_RECORD_GOLDEN=1` the file is written
/// again, and the test fails, since it has compared nothing.
public func expectGolden(
  _ text: String, _ name: String, path: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "Golden")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["TELECAP_RECORD_GOLDEN"] != nil {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    Issue.record("\(name) was recorded: look at it, and run the test again", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text == expected, "\(name) differs", sourceLocation: sourceLocation)
}
