import Foundation
import TelecapTestSupport
import Testing

/// Two files of one command line that are the same one are refused: one would be written over the other.
@Suite(.real("runs telecap")) struct SameFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ line: String) throws -> Finished {
    // A copy of a protocol file, so that a failure of these tests costs nothing.
    let dsu = Project.file("Scenarios/protocols/dsu.yaml").path
    return try Program.shell(
      "cd '\(folder.path)' && ln -s a.pcapng link && mkdir b && cp '\(dsu)' . && \"$telecap\" \(line)"
    )
  }

  @Test(
    "Two results into one file, also by another spelling of its path",
    arguments: [
      ("conform --junit x --html x", "--junit and --html are the same file, x; give another one"),
      ("conform --tap x --json ./x", "--tap and --json are the same file, ./x"),
      ("conform --markdown x --html b/../x", "--markdown and --html are the same file, b/../x"),
      ("conform --junit x --html \"$PWD/x\"", "--junit and --html are the same file, "),
      ("replay a.pcapng --to s.yaml --junit x --tap x", "--junit and --tap are the same file"),
      ("touch a.jsonl --views v --store x --write-plan ./x", "--store and --write-plan are the same file"),
    ])
  func results(_ line: String, _ words: String) throws { try expectRefusal(line, words) }

  @Test(
    "A result over what it is made from, --force or not",
    arguments: sampled(
      [
        (
          "plan a.pcapng -o a.pcapng --force",
          "the recording and --output are the same file, a.pcapng; give another one"
        ),
        ("plan a.pcapng -o link --force", "the recording and --output are the same file, link"),
        ("export a.pcapng -o b/../a.pcapng --force", "the recording and --output are the same file"),
        ("import link -o a.pcapng --force", "the recording and --output are the same file"),
        ("replay a.pcapng --record a.pcapng --force", "the recording and --record are the same file"),
        ("replay a.pcapng --plan p --record p --force", "--plan and --record are the same file"),
        ("ahap from a.pcapng -o a.pcapng --force", "the recording and --output are the same file"),
        ("ahap render a.pcapng -o a.pcapng --force", "the pattern and --output are the same file"),
        ("ahap play a.pcapng --to a:1 --record a.pcapng --force", "the pattern and --record are the same file"),
        ("touch a.pcapng --store a.pcapng --force", "the trace and --store are the same file"),
        ("touch t --views a.pcapng --write-plan a.pcapng --force", "--views and --write-plan are the same file"),
        ("replay a.pcapng --to s.yaml --junit a.pcapng", "the recording and --junit are the same file"),
        ("replay a.pcapng --to s.yaml --html ./s.yaml", "--to and --html are the same file"),
        ("replay a.pcapng --to s.yaml --plan p --json p", "--plan and --json are the same file"),
        ("conform --sut s.yaml --tap s.yaml", "--sut and --tap are the same file"),
        ("conform --protocol dsu.yaml --markdown dsu.yaml", "--protocol and --markdown are the same file"),
        ("import a.pcapng --protocol dsu.yaml -o dsu.yaml --force", "--protocol and --output are the same file"),
        ("record --protocol dsu.yaml -o dsu.yaml --force", "--protocol and --output are the same file"),
        (
          "learn --role host --protocol dsu.yaml -o dsu.yaml --force -- true",
          "--protocol and --output are the same file"
        ),
        ("wireshark --protocol dsu.yaml -o ./dsu.yaml --force", "--protocol and --output are the same file"),
        ("plan a.pcapng --network ./n.yaml -o n.yaml --force", "--network and --output are the same file"),
        ("replay a.pcapng --network ./n.yaml --record n.yaml --force", "--network and --record are the same file"),
        ("conform --case-network=n.yaml --json ./n.yaml", "--case-network and --json are the same file"),
        ("relay udp:1=127.0.0.1:2 --network n.yaml --record n.yaml", "--network and --record are the same file"),
        ("senses --capture a.pcapng --network n.yaml --svg n.yaml --force", "--network and --svg are the same file"),
        ("touch t --views v --network n.yaml --write-plan n.yaml", "--network and --write-plan are the same file"),
      ], oneIn: 4))
  func inputs(_ line: String, _ words: String) throws {
    _ = try folder.write(Array("kept".utf8), to: "a.pcapng")
    try expectRefusal(line, words)
    #expect(try Program.shell("cat '\(folder["a.pcapng"])'").output == "kept")
  }

  private func expectRefusal(_ line: String, _ words: String) throws {
    let end = try run(line)
    #expect(end.status == 64 && end.output.isEmpty)
    #expect(end.errors.hasPrefix("Error: \(words)"), "\(end.errors)")
  }

  @Test("A result over a scenario of one's own folder")
  func scenario() throws {
    let busy = Project.file("Scenarios/tele/hello/busy.yaml").path
    _ = try Program.shell("cd '\(folder.path)' && mkdir -p own/tele/hello && cp '\(busy)' own/tele/hello")
    try expectRefusal(
      "conform --scenarios own --json own/tele/./hello/busy.yaml",
      "a scenario and --json are the same file, own/tele/./hello/busy.yaml")
  }

  @Test("A result over the file of a protocol that is named without a path")
  func library() throws {
    let dsu = Project.file("Scenarios/protocols/dsu.yaml").path
    _ = try Program.shell("cd '\(folder.path)' && mkdir -p Scenarios/protocols && cp '\(dsu)' Scenarios/protocols")
    try expectRefusal(
      "import a.pcapng --protocol dsu -o Scenarios/protocols/dsu.yaml --force",
      "--protocol and --output are the same file")
  }

  @Test("A system file over the program that it is to describe")
  func learnt() throws {
    _ = try folder.write(Array("#!/bin/sh\n".utf8), to: "host.sh")
    let end = try run("learn --role host -o b/../host.sh --force -- sh host.sh")
    #expect(end.status == 64)
    let words = "telecap: the program's and --output are the same file, b/../host.sh"
    #expect(end.errors.hasPrefix(words), "\(end.errors)")
    #expect(try [UInt8](file: folder["host.sh"]) == Array("#!/bin/sh\n".utf8))
  }

  @Test("A folder for artifacts that is a file is refused before anything is run")
  func artifacts() throws {
    _ = try folder.write([1], to: "a")
    let end = try run("conform --sut model:touch --artifacts a")
    #expect(end.status == 73)
    #expect(end.errors == "telecap: a: File exists\n  give a directory whose parent exists and can be written\n")
  }

  @Test("What is no file takes two reports, and so do two files")
  func apart() throws {
    let end = try run("conform --sut model:touch --junit /dev/null --html /dev/null --tap x --json b/x")
    #expect(end.status == 0, "\(end.errors)")
  }
}
