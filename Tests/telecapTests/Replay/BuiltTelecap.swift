import Foundation

/// The program that was built with these tests, run as a person runs it.
enum BuiltTelecap {
  /// How a run ended.
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  struct NotFound: Error {}

  /// Beside the test bundle, in the build directory.
  static func url() throws -> URL {
    let bundles =
      Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL, Bundle.main.executableURL ?? Bundle.main.bundleURL]
    let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
    for folder in folders {
      let candidate = folder.appending(path: "telecap")
      if FileManager.default.isExecutableFile(atPath: candidate.path),
        (try? candidate.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true
      {
        return candidate
      }
    }
    throw NotFound()
  }

  /// Runs it to its end.
  static func run(_ arguments: String...) throws -> Result {
    let run = try Running(arguments)
    return try run.end()
  }

  /// A run that goes on.
  final class Running {
    private let process = Process()
    private let folder: TemporaryFolder

    init(_ arguments: [String]) throws {
      folder = try TemporaryFolder()
      process.executableURL = try BuiltTelecap.url()
      process.arguments = arguments
      process.standardOutput = try handle("out")
      process.standardError = try handle("err")
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    private func handle(_ name: String) throws -> FileHandle {
      try Data().write(to: URL(filePath: folder.path(name)))
      return try FileHandle(forWritingTo: URL(filePath: folder.path(name)))
    }

    /// Ctrl-C.
    func interrupt() { process.interrupt() }

    /// Waits for its end.
    func end() throws -> Result {
      process.waitUntilExit()
      let text = { (name: String) in
        String(decoding: try Data(contentsOf: URL(filePath: self.folder.path(name))), as: UTF8.self)
      }
      return Result(status: process.terminationStatus, output: try text("out"), errors: try text("err"))
    }
  }
}

/// A folder of its own that is gone afterwards.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "telecap-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
