import Foundation
import TelecapPlatform
import TelecapTestSupport
import Testing

@Suite("A file's identity and status") struct FileStatusTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try Data("ab".utf8).write(to: URL(filePath: folder["a"]))
    try Data("ab".utf8).write(to: URL(filePath: folder["b"]))
    try FileManager.default.linkItem(atPath: folder["a"], toPath: folder["hard"])
    try FileManager.default.createSymbolicLink(atPath: folder["soft"], withDestinationPath: "a")
  }

  @Test("One file has one identity by every name, and another file has another")
  func oneFileHasOneIdentity() throws {
    let a = try #require(FileIdentity(folder["a"]))
    #expect(FileIdentity(folder["hard"]) == a && FileIdentity(folder["soft"]) == a)
    #expect(FileIdentity(folder["b"]) != a && FileIdentity(folder["none"]) == nil)
    let file = try FileHandle(forReadingFrom: URL(filePath: folder["a"]))
    #expect(FileStatus(descriptor: file.fileDescriptor)?.identity == a)
    #expect(FileStatus(descriptor: -1) == nil)
    try FileManager.default.moveItem(atPath: folder["a"], toPath: folder["moved"])
    #expect(FileIdentity(folder["moved"]) == a && FileIdentity(folder["soft"]) == nil)
  }

  @Test("A link is followed or is itself no regular file, and neither is a folder")
  func aLinkIsFollowedOrNot() throws {
    #expect(FileStatus(folder["soft"])?.isRegular == true)
    #expect(FileStatus(folder["soft"], followsLinks: false)?.isRegular == false)
    #expect(FileStatus(folder.path)?.isRegular == false)
  }

  @Test("A status differs when the file is longer, was written later or is another, and only then")
  func aStatusDiffers() throws {
    let before = try #require(FileStatus(folder["a"]))
    #expect(before.size == 2 && FileStatus(folder["a"]) == before)
    let handle = try FileHandle(forWritingTo: URL(filePath: folder["a"]))
    try handle.truncate(atOffset: 3)
    #expect(FileStatus(folder["a"]) != before)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1.5)], ofItemAtPath: folder["b"])
    #expect(FileStatus(folder["b"])?.written == 1_500_000_000)
  }
}
