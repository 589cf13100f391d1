import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// Names that SQLite takes for something else than a file (https://www.sqlite.org/uri.html).
@Suite("Names of captures are file names") struct PlainNameTests {
  private static let names = [
    "file:x.telecap", "file:y?mode=memory", "file::memory:", ":memory:", "-", "a?b#c%20d", " ",
  ]

  /// A capture with a packet, at a path that is relative to the current folder.
  private func record(_ path: String) throws {
    let writer = try CaptureWriter(creating: path, .test, .standard)
    try writer.add(Interface(name: "test", linkType: 1))
    try writer.add(numbers: 1...1)
    try writer.finish(ended: .zero)
  }

  @Test("A file name is never a URI: SQLite opens the file of that name in the current folder", arguments: names)
  func namesAreNeverURIs(_ name: String) throws {
    #expect(FileSystem.plainName(name) == "./\(name)")
    #expect(FileSystem.plainName("/\(name)") == "/\(name)")
    #expect(
      FileSystem.immutableURI(name).hasPrefix("file:./") && FileSystem.immutableURI(name).hasSuffix("?immutable=1"))
  }

  @Test("A capture of such a name is written, read, written again and replaced", arguments: names)
  func captureOfSuchAName(_ name: String) throws {
    let folder = try Folder()
    // Only a path that begins so is one that SQLite takes for something else: it lies in the current folder.
    let here = FileManager.default.currentDirectoryPath
    let path = name.hasPrefix("file:") || name.hasPrefix(":") ? "\(name).test-\(UUID().uuidString)" : folder[name]
    let place = path.hasPrefix("/") ? path : "\(here)/\(path)"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(place + suffix) } }
    try record(path)
    #expect(FileManager.default.fileExists(atPath: place))
    #expect(try CaptureReader(path: path, .standard).packetCount() == 1)
    #expect(try CaptureReader(path: path, .standard, tidying: false).packetCount() == 1)
    try DissectionWriter(rebuilding: path, .standard).finish(sessions: [])
    let asItLies = try SharedDatabase(path, .asItLies)
    #expect(try asItLies.use { try $0.integer(sql: "SELECT COUNT(*) FROM packet") } == 1)
    asItLies.close()
    #expect(throws: StoreError.exists(path: path)) { try record(path) }
    try CaptureFile.refuse(path, unless: true)
  }

  @Test("A path with two slashes names no host: a capture at //tmp/x is read")
  func twoSlashes() throws {
    let folder = try Folder()
    try record(folder["a"])
    let database = try SharedDatabase("/\(folder["a"])", .asItLies)
    #expect(try database.use { try $0.integer(sql: "SELECT COUNT(*) FROM packet") } == 1)
  }

  @Test("An empty name is rejected, and makes no temporary database")
  func emptyName() {
    #expect(throws: SQLiteError.self) { try SharedDatabase("") }
  }
}
