import Foundation
import TelecapConformance
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// Which files of a folder a program writes to, and from where on they are read.
@Suite struct GrowingFilesTests {
  private let folder: Folder
  private let clock = ManualClock()
  init() throws { folder = try Folder() }

  private func write(_ text: String, to name: String) throws {
    // In place: the file stays the one that it is.
    let file = try #require(fopen(folder[name], "w"))
    fputs(text, file)
    fclose(file)
  }

  private func append(_ text: String, to name: String) throws {
    let file = try #require(fopen(folder[name], "a"))
    fputs(text, file)
    fclose(file)
  }

  /// The new files, after the time for another poll.
  private func told(_ files: GrowingFiles) -> [String] {
    clock.pass(40_000_000)
    return files.new()
  }

  @Test("A file that grew is read from its old end, a replaced one from its start, each reported once")
  func starts() throws {
    for name in ["grown", "emptied", "replaced", "still"] { try write("before\n", to: name) }
    let files = GrowingFiles(below: folder.path, namedIn: [], by: clock)
    try append("after\n", to: "grown")
    try write("a\n", to: "emptied")
    try write("another, of the same name\n", to: "new")
    #expect(rename(folder["new"], folder["replaced"]) == 0)
    try write("made\n", to: "made")
    #expect(told(files) == ["emptied", "grown", "made", "replaced"])
    #expect(["emptied", "grown", "made", "replaced"].map(files.start) == [0, 7, 0, 0])
    try append("more\n", to: "grown")
    #expect(told(files) == [])
  }

  @Test("A folder is polled every 20 ms at most")
  func pauses() throws {
    let files = GrowingFiles(below: folder.path, namedIn: [], by: clock)
    clock.tick = 0
    try write("a\n", to: "first")
    #expect(files.new() == ["first"])
    try write("b\n", to: "second")
    clock.pass(20_000_000)
    #expect(files.new() == [])
    clock.pass(1)
    #expect(files.new() == ["second"])
  }

  @Test("A file that replaces a file of events is read from its beginning")
  func rotated() throws {
    try write("old\n", to: "log")
    let feeds = try EventFeeds([.file("log")], directory: folder.path)
    let output = ProgramOutput(limit: 1 << 20)
    try append("first\n", to: "log")
    try feeds.read(into: output)
    // Longer than what was read: its size does not show that it is another.
    try write("of another file\n", to: "log.new")
    #expect(rename(folder["log.new"], folder["log"]) == 0)
    try feeds.read(into: output)
    #expect(output.take().map { String(decoding: $0.text, as: UTF8.self) } == ["first", "of another file"])
  }
}
