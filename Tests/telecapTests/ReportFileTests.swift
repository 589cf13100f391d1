import Foundation
import TelecapTestSupport
import Testing

/// The files that a suite leaves behind: whole, or not at all, and over nothing that is somebody else's.
@Suite(.real("runs telecap")) struct ReportFileTests {
  private let folder: Folder
  private static let failing = "model:host+order-of-arrival --only tele.pose.latest-value-wins"

  init() throws { folder = try Folder() }

  private func shell(_ script: String) throws -> Finished {
    try Program.shell("cd '\(folder.path)' || exit 99; \(script)")
  }

  /// A system whose program ends as soon as it is started.
  private func ending() throws {
    let text = """
      role: host
      command: [/bin/sh, -c, "exit 3", $UDP, $CODE]
      addresses: { udp: free }
      ready: { line: never }

      """
    _ = try folder.write(Array(text.utf8), to: "s.yaml")
  }

  private static let reports = "--junit r.xml --tap r.tap --json r.json --markdown r.md --html r.html"

  @Test("A program that ends at once leaves no report, and no old one to be taken for its own")
  func endsAtOnce() throws {
    try ending()
    _ = try folder.write(Array("of yesterday".utf8), to: "r.json")
    let end = try shell("\"$telecap\" conform --sut s.yaml --only tele.bye.closes \(Self.reports)")
    #expect(end.status == 69, "\(end)")
    #expect(folder.names == ["s.yaml"])
  }

  @Test("A report that cannot be made costs no other: nothing is taken away before all are begun")
  func cannotBegin() throws {
    _ = try folder.write(Array("of yesterday".utf8), to: "r.json")
    let end = try shell("\"$telecap\" conform --sut model:touch --json r.json --html none/r.html")
    #expect(end.status == 73 && end.errors.contains("none/r.html: No such file or directory"), "\(end)")
    #expect(try [UInt8](file: folder["r.json"]) == Array("of yesterday".utf8))
  }

  #if os(Linux)
    @Test(
      "On a full disk each report is whole or not there, and each that is not is told",
      .enabled(if: canMount, "mounting needs a namespace"))
    func full() throws {
      try FileManager.default.createDirectory(atPath: folder["small"], withIntermediateDirectories: true)
      let script = """
        mount -t tmpfs -o size=16k tmpfs '\(folder["small"])' || exit 99
        cd '\(folder["small"])'
        "$telecap" conform --sut \(Self.failing) \(Self.reports); echo "status $?"; ls -A
        """
      let end = try Running(
        "/usr/bin/env", namespace + ["/bin/sh", "-c", script], environment: ["telecap": Program.path]
      ).finish()
      let rows = end.lines.drop { $0 != "status 74" }.dropFirst()
      #expect(end.output.contains("status 74\n"), "\(end)")
      let names = ["r.xml", "r.tap", "r.json", "r.md", "r.html"]
      #expect(rows.allSatisfy(names.contains), "\(end)")
      for name in names {
        let isTold = end.errors.contains("cannot write to \(name): No space left on device")
        #expect(isTold != rows.contains(name), "\(name) \(end)")
      }
      #expect(rows.count < names.count)
    }
  #endif

  @Test("An artifact over what the command reads is refused before anything is run")
  func overInputs() throws {
    let capture = Project.file("Captures/teleoperation.pcapng").path
    for command in [
      "replay a/tele.x/traffic.pcapng --to s.yaml --artifacts a", "replay link --to s.yaml --artifacts a",
      "conform --sut s.yaml --case-network a/tele.x/output.txt --artifacts ./a",
    ] {
      try ending()
      let end = try shell(
        """
        rm -rf a link; mkdir -p a/tele.x; cp '\(capture)' a/tele.x/traffic.pcapng; echo n >a/tele.x/output.txt
        ln a/tele.x/traffic.pcapng link; "$telecap" \(command)
        """)
      #expect(end.status == 64 && end.errors.contains(" and --artifacts are the same file, "), "\(end)")
      #expect(try [UInt8](file: folder["a/tele.x/traffic.pcapng"]) == [UInt8](file: capture))
    }
  }

  @Test("What telecap did not write is no artifact of its: nothing is run, and nothing replaced")
  func others() throws {
    let run = "\"$telecap\" conform --sut \(Self.failing) --artifacts a >first; echo $?; ls a | head -1"
    let first = try shell(run)
    let names = first.lines
    #expect(names.count == 2 && names[0] == "1", "\(first)")
    let failed = try #require(names.last)
    // Ours are replaced.
    #expect(try shell("echo old >a/\(failed)/output.txt; \(run)").lines == names)
    #expect(try shell("cat a/\(failed)/output.txt").output != "old\n")
    let end = try shell("rm -r a; mkdir -p a/\(failed); echo mine >a/\(failed)/output.txt; \(run); cat first a/*/*")
    #expect(end.lines == ["73", failed, "mine"], "\(end)")
    #expect(
      end.errors
        == "telecap: a/\(failed)/output.txt: exists, and telecap did not write it\n"
        + "  move it away, or give another directory\n")
  }

  @Test("An artifact takes the place of the former when it is whole, and what else bears that one's name stays")
  func wholeArtifacts() throws {
    let run = "\"$telecap\" conform --sut \(Self.failing) --artifacts a >first"
    let end = try shell(
      """
      \(run); for f in a/*/*; do ln $f $(basename $f); done
      \(run); for f in a/*/*; do [ $f -ef $(basename $f) ] && echo "$f is written where it was"; done; find a -name '*.new*'
      """)
    #expect(end.output == "", "\(end)")
    #expect(["observations.jsonl", "plan.jsonl", "traffic.pcapng"].allSatisfy(folder.names.contains))
  }
}
