import Foundation
import TelecapConformance
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// Which file is read where a system file gives its name by a pattern.
@Suite struct NewestFileTests {
  private let folder: Folder
  private let clock = ManualClock()
  private let output = ProgramOutput(limit: 1 << 20)
  init() throws { folder = try Folder() }

  /// Appends, and sets when the file was written, in seconds since 1970: the clock of files may be coarse.
  private func append(_ text: String, to name: String, at time: Int) throws {
    let file = try #require(fopen(folder[name], "a"))
    fputs(text, file)
    fclose(file)
    let date = Date(timeIntervalSince1970: Double(time))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder[name])
  }

  /// The lines that are read, after the time for another poll.
  private func lines(_ feeds: EventFeeds) throws -> [String] {
    clock.pass(40_000_000)
    try feeds.read(into: output)
    return output.take().map { String(decoding: $0.text, as: UTF8.self) }
  }

  private func feeds(isRunning: Bool = false) throws -> EventFeeds {
    try EventFeeds([.file("log-*.txt")], directory: folder.path, isRunning: isRunning, by: clock)
  }

  @Test("A new file is read from its beginning, and older ones are not read")
  func begun() throws {
    try append("of yesterday\n", to: "log-1.txt", at: 1_000)
    let feeds = try feeds()
    #expect(try lines(feeds) == [])
    try append("first\n", to: "log-2.txt", at: 2_000)
    try append("no event\n", to: "other-2.txt", at: 3_000)
    #expect(try lines(feeds) == ["first"])
    try append("second\n", to: "log-2.txt", at: 2_001)
    #expect(try lines(feeds) == ["second"])
  }

  @Test("Of several new files the newest is read")
  func newest() throws {
    let feeds = try feeds()
    try append("older\n", to: "log-9.txt", at: 1_000)
    try append("newer\n", to: "log-10.txt", at: 2_000)
    #expect(try lines(feeds) == ["newer"])
    // An older file that was ignored and is still older stays ignored.
    try append("newer still\n", to: "log-10.txt", at: 3_000)
    #expect(try lines(feeds) == ["newer still"])
  }

  @Test("After rotation both files are read to their ends, and a renamed file is not read again")
  func rotated() throws {
    let feeds = try feeds()
    try append("a\n", to: "log-a.txt", at: 1_000)
    #expect(try lines(feeds) == ["a"])
    try append("b\n", to: "log-a.txt", at: 1_001)
    try append("c\n", to: "log-b.txt", at: 1_002)
    #expect(try lines(feeds) == ["b", "c"])
    #expect(rename(folder["log-b.txt"], folder["log-b.1.txt"]) == 0)
    #expect(try lines(feeds) == [])
  }

  @Test("A file of today that existed before is read from its old end")
  func appended() throws {
    try append("before\n", to: "log-20261125.txt", at: 1_000)
    let feeds = try feeds()
    try append("after\n", to: "log-20261125.txt", at: 1_001)
    #expect(try lines(feeds) == ["after"])
  }

  @Test("The current file of a program that keeps running is read on")
  func kept() throws {
    try append("old\n", to: "log-1.txt", at: 1_000)
    try append("of the run before\n", to: "log-2.txt", at: 2_000)
    let feeds = try feeds(isRunning: true)
    #expect(try lines(feeds) == [])
    try append("of this run\n", to: "log-2.txt", at: 2_001)
    #expect(try lines(feeds) == ["of this run"])
  }

  @Test("A growing file is known at the next start by a pattern, unless the command names it")
  func lastingNames() throws {
    try append("x\n", to: "fixed-1.log", at: 1_000)
    let files = GrowingFiles(below: folder.path, namedIn: [folder["told-7.log"]], by: clock)
    for name in ["new-1.log", "fixed-1.log", "told-7.log"] { try append("x\n", to: name, at: 2_000) }
    clock.pass(40_000_000)
    #expect(Set(files.new()).isSuperset(of: ["fixed-1.log", "new-1.log", folder["told-7.log"]]))
    #expect(files.lastingName(of: "new-1.log") == "new-*.log")
    #expect(files.lastingName(of: "fixed-1.log") == "fixed-1.log")
    #expect(files.lastingName(of: folder["told-7.log"]) == folder["told-7.log"])
  }

  @Test("An object that the end of a run cuts goes on in the program's next run; the last run prints it")
  func acrossRuns() {
    let output = ProgramOutput(limit: 1 << 20, format: .jsonBlocks)
    func add(_ lines: String...) { for line in lines { output.add(line.utf8, isShown: true) } }
    func take(_ isLast: Bool) -> [String] {
      output.take(isLast: isLast).map { String(decoding: $0.text, as: UTF8.self) }
    }
    add("up", "{", "\"a\": 1")
    #expect(output.lines.count == 1 && output.holds("\"a\": 1"))
    #expect(take(false) == ["up"])
    add("}", "{")
    #expect(take(false) == ["{ \"a\": 1 }"])
    #expect(take(true) == ["{"])
  }
}
