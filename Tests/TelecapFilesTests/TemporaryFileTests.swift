#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Foundation
import TelecapTestSupport
import Testing

@testable import TelecapFiles

/// The next command removes temporary files that were left; files in use stay.
@Suite("Temporary files") struct TemporaryFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A directory as a command makes it, with these files.
  private func directory(_ name: String, _ files: [String]) throws -> String {
    try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
    for file in files { try [UInt8]("x".utf8).write(to: "\(folder[name])/\(file)") }
    return folder[name]
  }

  @Test("An abandoned directory is removed with its files")
  func abandoned() throws {
    _ = try directory(
      "telecap-work-abc123", ["work.telecap", "work.telecap-wal", "work.telecap-shm", "work.telecap-journal"])
    _ = try directory("telecap-work-Zz9Zz9", [])
    TemporaryFile.removeAbandoned(in: folder.path)
    #expect(folder.names == [])
  }

  @Test("A directory that a process has locked stays, until the lock is released")
  func used() throws {
    let path = try directory("telecap-work-abc123", ["work.telecap"])
    let lock = open(path, O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    TemporaryFile.removeAbandoned(in: folder.path)
    #expect(FileManager.default.fileExists(atPath: "\(path)/work.telecap"))
    close(lock)
    TemporaryFile.removeAbandoned(in: folder.path)
    #expect(folder.names == [])
  }

  @Test("Files that are not telecap's stay: other names, files, links, directories with other content")
  func others() throws {
    _ = try directory("telecap-work-abc12", ["work.telecap"])
    _ = try directory("telecap-work-abc1234", ["work.telecap"])
    _ = try directory("telecap-abc123", ["work.telecap"])
    _ = try directory("telecap-work-mine00", ["work.telecap", "notes"])
    let target = try directory("target", ["work.telecap"])
    try [UInt8]("x".utf8).write(to: folder["telecap-work-file00"])
    try FileManager.default.createSymbolicLink(atPath: folder["telecap-work-link00"], withDestinationPath: target)
    let before = folder.names
    TemporaryFile.removeAbandoned(in: folder.path)
    #expect(folder.names == before)
    #expect(FileManager.default.fileExists(atPath: "\(target)/work.telecap"))
    #expect(FileManager.default.fileExists(atPath: folder["telecap-work-mine00"] + "/notes"))
  }

  @Test("A file of this process does not count as abandoned, and is removed after its use")
  func own() throws {
    let path = try TemporaryFile.with(suffix: ".telecap") { path in
      try [UInt8]("x".utf8).write(to: path)
      TemporaryFile.removeAbandoned(
        in: String(path[..<(try #require(path.firstRange(of: "/telecap-work-")).lowerBound)]))
      #expect(FileManager.default.fileExists(atPath: path))
      return path
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
