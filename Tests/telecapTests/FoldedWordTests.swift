import Foundation
import TelecapTestSupport
import Testing

/// A word with an end of line in it, as a file's name may have: at the beginning of a line `::error::` is a command to GitHub's runner,
/// and other words are lines that telecap never said.
@Suite(.real("runs telecap")) struct FoldedWordTests {
  private static let word = "a\n::error::b"

  @Test(
    "No word of the command line begins a line of what is said",
    arguments: [
      ["info", word], ["info", "--format=\(word)"],
      ["dissect", Project.file("Captures/busy.pcapng").path, "--where", word],
      ["conform", "--only", word], ["conform", "--sut", word], ["conform", "--sut", "/\(word).yaml"],
      ["record", "-o", "/nowhere/a.telecap", "-i", word], ["simulate", "host", "--code", word],
      ["replay", Project.file("Captures/busy.pcapng").path, "--to", word], ["relay", "udp:50001=\(word):5"],
      ["learn", "--role", "host", "--", "/nowhere/\(word)"], [word], ["plan", word, "more", word],
    ])
  func said(_ words: [String]) throws {
    let end = try Program.run(words)
    #expect(end.status != 0)
    let lines = (end.output + end.errors).split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("::error::") }, "\(end.output)\(end.errors)")
  }

  @Test("Nor does the name of a file that is written, or of a system that is judged")
  func written() throws {
    let folder = try Folder()
    let system = try folder.write(
      Array("role: host\ncommand: [none]\naddresses: {udp: free}\nx: 1\n".utf8), to: "\(Self.word).yaml")
    let capture = Project.file("Captures/busy.pcapng").path
    for words in [
      ["report", capture, "-o", folder["\(Self.word).html"]],
      ["import", capture, "-o", folder["\(Self.word).telecap"]],
      ["info", folder["\(Self.word).telecap"]], ["conform", "--sut", system],
    ] {
      let end = try Program.run(words)
      let lines = (end.output + end.errors).split(separator: "\n")
      #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("::error::") }, "\(end.output)\(end.errors)")
    }
  }
}
