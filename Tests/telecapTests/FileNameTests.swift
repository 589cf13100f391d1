import Foundation
import TelecapTestSupport
import Testing

/// Names of files as a user types them.
@Suite("Names of files on command lines", .real("runs telecap")) struct FileNameTests {
  private let folder: Folder
  private let input = Project.file("Captures/busy.pcapng").path

  init() throws { folder = try Folder() }

  private func run(_ line: String) throws -> Finished {
    try Program.shell(
      "cd '\(folder.path)' && \(line.replacing("telecap ", with: "\"$telecap\" ").replacing("INPUT", with: "'\(input)'"))"
    )
  }

  @Test(
    "A capture can be called as a URI of SQLite's is", arguments: ["file:x.telecap", ":memory:", "file:y?mode=memory"])
  func uris(_ name: String) throws {
    let end = try run(
      "telecap import INPUT -o '\(name)' && telecap info '\(name)' && telecap export '\(name)' -o out.pcapng")
    #expect(end.status == 0 && end.output.contains("packets       25 in"), "\(end)")
    #expect(folder.names == [name, "out.pcapng"].sorted())
    #expect(try run("telecap import INPUT -o '\(name)'").status == 73)
  }

  @Test("/dev/stdout is standard output, also where a shell sent that into a file")
  func standardOutput() throws {
    let end = try run(
      "telecap export INPUT -o - --format csv > a && telecap export INPUT -o /dev/stdout --format csv > b && cmp a b")
    #expect(end.status == 0, "\(end)")
    let packets = try run(
      "telecap export INPUT -o - --format pcapng > a && telecap export INPUT -o /dev/stdout --format pcapng > b && cmp a b"
    )
    #expect(packets.status == 0, "\(packets)")
    #expect(try run("telecap import INPUT -o /dev/stdout > c").status == 64)
  }

  @Test("A path that names a descriptor is that descriptor, wherever a shell sent it")
  func descriptors() throws {
    for path in ["/dev/fd/7", "/proc/self/fd/7"] {
      for format in ["csv", "pcapng"] {
        let output = "telecap export INPUT --format \(format) -o"
        let end = try run("\(output) - > a; printf x > b; \(output) \(path) 7>> b; printf x | cat - a | cmp - b")
        #expect(end.status == 0, "\(path) \(format): \(end)")
      }
    }
    // Talk goes to standard error too: a file that both would be written to is refused, and stays.
    for path in ["/dev/stderr", "/dev/fd/2"] {
      let end = try run("echo first > b; telecap export INPUT --force --format csv -o \(path) 2>> b")
      #expect(end.status == 64, "\(path): \(end)")
      #expect(try run("head -n 1 b | grep -qx first && grep -q 'are the same file' b").status == 0)
    }
    // One that nobody passed on, though telecap may have opened it, and one that is there to read.
    #expect(try run("telecap export INPUT -o /dev/fd/9 --format csv").errors.contains("/dev/fd/9"))
    #expect(try run("telecap export INPUT -o /dev/fd/7 --format csv 7< INPUT").status != 0)
    #expect(try run("telecap import INPUT -o /dev/stderr").status == 64)
  }

  @Test("Endings in capitals tell the format")
  func capitals() throws {
    #expect(
      try run("telecap export INPUT -o X.PCAP && telecap info X.PCAP && telecap export INPUT -o X.Csv").status == 0)
    #expect(try run("telecap import INPUT -o X.PCAPNG").status == 64)
    #expect(folder.names == ["X.Csv", "X.PCAP"])
  }

  @Test(
    "A folder as input is status 66",
    arguments: [
      "import . -o a.telecap", "import --input-format mouse . -o a.telecap", "info .", "dissect .", "report .",
      "export .",
    ])
  func folders(_ command: String) throws {
    let end = try run("telecap \(command)")
    #expect(end.status == 66 && end.errors.contains("Is a directory"), "\(end)")
    #expect(folder.names == [])
  }
}
