import CSockets
import Foundation
import TelecapConformance
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// The path of `from: {file: PATH}` in a system file may be of any file type.
@Suite("Files with a program's events", .real("FIFOs and devices, which a mistake waits for"))
struct ShownFileTests {
  private static func lines(_ path: String, _ folder: Folder, then: () throws -> Any) throws -> [String] {
    let feeds = try EventFeeds([.file(path)], directory: folder.path)
    _ = try then()
    let output = ProgramOutput(limit: 1 << 20)
    try feeds.read(into: output)
    return output.take().map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test(
    "A FIFO in place of a file of events does not block the run", .timeLimit(.minutes(10)), arguments: [true, false])
  func fifo(_ isThereBefore: Bool) throws {
    let folder = try Folder()
    if isThereBefore { _ = mkfifo(folder["events"], 0o600) }
    let lines = try Self.lines("events", folder) { isThereBefore ? 0 : mkfifo(folder["events"], 0o600) }
    #expect(lines == [])
  }

  @Test(
    "A link to a device that never ends is not read", .timeLimit(.minutes(10)),
    arguments: ["/dev/zero", "/dev/urandom"])
  func device(_ name: String) throws {
    let folder = try Folder()
    let lines = try Self.lines("events", folder) { symlink(name, folder["events"]) }
    #expect(lines == [])
  }

  @Test("A file without a line end is read in parts", .timeLimit(.minutes(10)))
  func sparse() throws {
    let folder = try Folder()
    let lines = try Self.lines("events", folder) {
      let file = open(folder["events"], O_CREAT | O_WRONLY, 0o600)
      _ = ftruncate(file, 1 << 40)
      return close(file)
    }
    #expect(lines == [])
  }

  @Test("A regular file is read, also by a link")
  func regular() throws {
    let folder = try Folder()
    let lines = try Self.lines("events", folder) {
      try Data("one\ntwo\n".utf8).write(to: URL(fileURLWithPath: folder["own"]))
      return symlink(folder["own"], folder["events"])
    }
    #expect(lines == ["one", "two"])
  }
}
