import TelecapPlatform
import TelecapTestSupport
import Testing

@Suite("The entries of a folder") struct FolderEntriesTests {
  @Test("Every name is given once, hidden and long ones too, and neither the folder itself nor the one above")
  func names() throws {
    let folder = try Folder()
    let names = ["a", ".hidden", String(repeating: "é", count: 127)]
    for name in names { _ = try folder.write([], to: name) }
    #expect(FolderEntries.names(in: folder.path).sorted() == names.sorted())
  }

  @Test("The names end when no more are wanted, and a folder that is not there is an error")
  func ends() throws {
    let folder = try Folder()
    for name in ["a", "b", "c"] { _ = try folder.write([], to: name) }
    var count = 0
    let error = FolderEntries.forEach(in: folder.path) { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2 && error == 0)
    #expect(FolderEntries.forEach(in: folder["none"]) { _ in true } == 2, "ENOENT")
    #expect(FolderEntries.names(in: folder["none"]) == [])
  }

  @Test(
    "The folder of a path is what is before its last part",
    arguments: [("a", "."), ("/a", "/"), ("b/a", "b"), ("/b/a", "/b"), ("./a", "."), ("b/", "b")])
  func folder(path: String, folder: String) { #expect(FolderEntries.folder(of: path) == folder) }
}
