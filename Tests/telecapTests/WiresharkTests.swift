import Foundation
import TelecapTestSupport
import Testing

/// The plugin for Wireshark, in the real tshark (Debian's; `Scripts/setup test` installs it): message by message, field by
/// field and finding by finding it says what telecap says.
@Suite(.real("runs telecap")) struct WiresharkTests {
  private func compare(_ more: [String], _ captures: [String]) throws -> Finished {
    let folder = try Folder()
    let script = Project.file("Tests/Wireshark/compare.py").path
    let files = captures.map { Project.file($0).path }
    let words = ["python3", script, Program.path, folder.path, "--protocol", "dsu"] + more + files
    return try Running("/usr/bin/env", words).finish(seconds: 300)
  }

  private var captures: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: Project.file("Captures").path)
        .filter { $0.hasSuffix(".pcapng") }.map { "Captures/\($0)" }.sorted()
    }
  }

  @Test(
    "All captures, and 10,000 random and damaged messages over UDP and TCP, are dissected alike",
    .timeLimit(.minutes(6)))
  func agrees() throws {
    let end = try compare(["--random", "10000"], captures)
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    let counts = try #require(end.output.firstMatch(of: /^(\d+) messages and (\d+) findings compared, 0 differences/))
      .output
    #expect((Int(counts.1) ?? 0) > 10_000 && (Int(counts.2) ?? 0) > 9_000, "\(end.output)")
  }

  /// A plugin that is wrong in a border, a place, a code or a rule is noticed: the comparison can fail.
  @Test(
    "A wrong plugin is noticed",
    arguments: sampled(
      [
        "low = 0.0, high = 1.0=low = 0.0, high = 1.5", "math.abs(norm - 1) <= 1e-3=true",
        "abbr = \"tele.haptic.intensity\", type = \"f32\", at = 8=abbr = \"tele.haptic.intensity\", type = \"f32\", at = 7",
        "first < 0xc2=first < 0xc0", "0xedb88320=0xedb88321", "\"A=\"B",
        "pinfo.number > broken[direction]=false", "return number == destination and \"to_host\"=return \"to_host\"",
      ], oneIn: 4))
  func aWrongPluginIsNoticed(_ spoil: String) throws {
    let end = try compare(
      ["--random", "2000", "--spoil", spoil], ["Captures/malformed.pcapng", "Captures/force-ramp.pcapng"])
    #expect(end.status == 1, "\(spoil): \(end.output)\(end.errors)")
  }

  /// What was found and what was dropped goes along in pcapng, where every Wireshark shows it, without the plugin.
  @Test("An export carries findings and drops")
  func anExportCarriesFindingsAndDrops() throws {
    let folder = try Folder()
    let (capture, file) = (folder["a.telecap"], folder["a.pcapng"])
    #expect(try Program.run(["import", Project.file("Captures/malformed.pcapng").path, "-o", capture]).status == 0)
    let counts = "UPDATE capture SET dropped_kernel = 7, dropped_interface = 3"
    let found = "SELECT packet, count(*) FROM finding GROUP BY packet ORDER BY packet"
    let rows = try Running("/usr/bin/env", ["sqlite3", capture, "\(counts); \(found)"]).finish(seconds: 60).lines
    #expect(try Program.run(["export", capture, "-o", file]).status == 0)
    let fields = [
      "tshark", "-r", file, "-Y", "frame.comment", "-T", "fields", "-e", "frame.number", "-e", "frame.comment",
    ]
    let comments = try Running("/usr/bin/env", fields).finish(seconds: 60).lines
    #expect(comments.count == rows.count && rows.count > 20)
    #expect(comments.contains { $0.hasPrefix("4\terror header.version: version 2") }, "\(comments)")
    let blocks = ["tshark", "-r", file, "-X", "read_format:MIME Files Format", "-V"]
    let shown = try Running("/usr/bin/env", blocks).finish(seconds: 60).output
    #expect(shown.contains("Number of Dropped Packets = 3") && shown.contains("Number of Packets Dropped by OS = 7"))
  }

  @Test("Install puts it where Wireshark looks")
  func installPutsItWhereWiresharkLooks() throws {
    let home = try Folder()
    let end = try Program.run(["wireshark", "--install"], environment: ["HOME": home.path])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("\(home.path)/.local/lib/wireshark/plugins/telecap.lua"))
    let words = ["HOME=\(home.path)", "tshark", "-G", "fields"]
    let fields = try Running("/usr/bin/env", words).finish(seconds: 60)
    #expect(fields.output.contains("\ttele.haptic.intensity\tFT_FLOAT"))
    #expect(try Program.run(["wireshark", "--install", "-o", "x.lua"]).status == 64)
    #expect(try Program.run(["wireshark", "--install"], environment: ["HOME": home.path]).status == 0)
  }

  /// A plugin of somebody else's stays, and without a home nothing is written.
  @Test("Install replaces only its own")
  func installReplacesOnlyItsOwn() throws {
    let home = try Folder()
    try FileManager.default.createDirectory(
      atPath: home[".local/lib/wireshark/plugins"], withIntermediateDirectories: true)
    let path = try home.write(Array("-- mine\n".utf8), to: ".local/lib/wireshark/plugins/telecap.lua")
    let end = try Program.run(["wireshark", "--install"], environment: ["HOME": home.path])
    #expect(end.status == 73 && end.errors.contains("telecap did not write it"), "\(end.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "-- mine\n")
    let homeless = try Program.run(["wireshark", "--install"], environment: ["HOME": ""])
    #expect(homeless.status == 69 && homeless.errors.contains("set HOME"), "\(homeless.errors)")
  }
}
