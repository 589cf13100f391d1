import Foundation

/// A folder of its own for each test, gone with all that is in it after the test.
public final class Folder: Sendable {
  /// The path of the folder.
  public let path: String

  /// An empty folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "telecap-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  public subscript(name: String) -> String { "\(path)/\(name)" }

  /// Writes a file in it with these bytes and gives its path.
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try bytes.write(to: self[name])
    return self[name]
  }

  /// The names of the files in it, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// Calls `body` with a path in a folder of its own, which is removed afterwards.
@discardableResult
public func withTemporaryPath<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = try Folder()
  return try withExtendedLifetime(folder) { try body(folder["file"]) }
}

extension [UInt8] {
  /// The bytes of a file.
  public init(file path: String) throws { self = Array(try Data(contentsOf: URL(filePath: path))) }

  /// Writes a file, over what is there.
  public func write(to path: String) throws { try Data(self).write(to: URL(filePath: path)) }
}
