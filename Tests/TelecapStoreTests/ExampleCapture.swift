import TelecapTestSupport

@testable import TelecapStore

/// The example, imported into a capture of its own, which a test changes.
struct ExampleCapture {
  /// The capture's file.
  let path: String
  private let folder: Folder

  init() throws {
    folder = try Folder()
    path = folder["a"]
    try Example().import(to: path, .test)
  }

  /// Changes it as a person with a program for SQLite does.
  func alter(_ sql: String) throws { try TelecapStoreTests.alter(path, sql) }
}

/// Changes a database as a person with a program for SQLite does.
func alter(_ path: String, _ sql: String) throws { try SharedDatabase(path).use { try $0.execute(sql: sql) } }
