import TelecapTestSupport
import Testing

@testable import TelecapFiles

@Suite struct UserFoldersTests {
  @Test("The cache folder is that of XDG if it is absolute, else the system's")
  func cache() {
    #expect(UserFolders.cache(asked: "/x", home: "/home/a") == "/x/telecap")
    #if canImport(Darwin)
      let own = "/home/a/Library/Caches/telecap"
    #else
      let own = "/home/a/.cache/telecap"
    #endif
    for asked in [nil, "", "relative"] as [String?] {
      #expect(UserFolders.cache(asked: asked, home: "/home/a") == own)
    }
    #expect(UserFolders.cache(asked: nil, home: nil) == nil)
  }

  @Test("A file of this user or of root is trusted")
  func trusted() throws {
    let folder = try Folder()
    #expect(UserFolders.isTrusted(try folder.write([1], to: "own")))
    #expect(UserFolders.isTrusted("/etc/passwd"))
    #expect(!UserFolders.isTrusted(folder["none"]))
  }

  @Test("Missing folders are made with their parents")
  func create() throws {
    let folder = try Folder()
    try Folders.createAll(folder["a/b/c"])
    try Folders.createAll(folder["a/b/c"])
    #expect(Folders.isFolder(folder["a/b/c"]))
  }
}
