import Foundation
import TelecapRecording
import TelecapTestSupport
import TelecapText
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
    "All captures, and thousands of random and damaged messages over UDP and TCP, are dissected alike",
    .timeLimit(.minutes(6)))
  func agrees() throws {
    let random = Tier.isDeep ? 10_000 : 2_500
    let end = try compare(["--random", "\(random)"], captures)
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    let counts = try #require(end.output.firstMatch(of: /^(\d+) messages and (\d+) findings compared, 0 differences/))
      .output
    #expect((Int(counts.1) ?? 0) > random && (Int(counts.2) ?? 0) > random * 9 / 10, "\(end.output)")
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

  /// Lua's own parser: it runs what ended a comment or a string.
  @Test("Hostile texts of protocol files reach Wireshark as they are, and nothing of them runs")
  func hostileTextsReachWiresharkAsTheyAreAndNothingOfThemRuns() throws {
    let folder = try Folder()
    let texts = HostileText.visible
    func protocolFile(_ name: String, _ port: Int, title: String, _ messages: String) throws -> [String] {
      let yaml = """
        protocol: \(name)
        title: \(Escaping.yamlQuoted(title))
        source: \(Escaping.yamlQuoted(title))
        carriers: [{name: udp, over: udp, port: \(port)}]
        \(messages)
        """
      return ["--protocol", try folder.write(Array(yaml.utf8), to: "\(name).yaml")]
    }
    let messages = texts.enumerated().map { number, text in
      let field = "name: x, type: u8, unit: @@, meaning: @@, codes: {1: @@}"
      let message =
        "  - {name: M\(number), type: \(number), from: client, meaning: @@, source: @@, fields: [{\(field)}]}"
      return message.replacing("@@", with: Escaping.yamlQuoted(text))
    }
    var words = ["wireshark", "-o", folder["hostile.lua"]]
    words += try protocolFile(
      "hostile", 40_000, title: texts.joined(separator: " "),
      "header: [{name: kind, type: u8, is: type}]\nmessages:\n" + messages.joined(separator: "\n"))
    // A title that another protocol has, none, and the name of one of Wireshark's own: the others are there all the same.
    let titles = [
      "second": texts.joined(separator: " "), "udpish": "User Datagram Protocol", "untitled": "", "dns": "Mine",
      "all": "Mine",
    ]
    for (number, (name, title)) in titles.sorted(by: { $0.key < $1.key }).enumerated() {
      words += try protocolFile(
        name, 41_000 + number, title: title, "messages: [{name: A, from: client, fields: [{name: x, type: u8}]}]")
    }
    let written = try Program.run(words)
    #expect(written.status == 0, "\(written.errors)")
    let script = "cd '\(folder.path)'; exec tshark -G fields -X lua_script:hostile.lua"
    let shown = try Running("/bin/sh", ["-c", script]).finish(seconds: 60)
    let rows = shown.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let meanings = Dictionary(rows.filter { $0.count > 7 }.map { (String($0[2]), String($0[7])) }) { first, _ in first }
    for (number, text) in texts.enumerated() { #expect(meanings["hostile.m\(number).x"] == text) }
    for name in ["second", "udpish", "untitled"] { #expect(meanings["\(name).a.x"] != nil, "\(name): \(shown.errors)") }
    #expect(shown.errors.contains("telecap: dns is left out: ") && shown.errors.contains("telecap: all is left out: "))
    #expect(!FileManager.default.fileExists(atPath: folder["x"]))
  }

  @Test("A type of the header is shown with its message's name, and a plugin that is read twice is no error")
  func aTypeOfTheHeaderIsShownWithItsName() throws {
    let folder = try Folder()
    let yaml = """
      protocol: toy
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: type, type: u32, is: type}]
      messages:
        - {name: VERSION, type: 0x100000, from: client}
        - {name: PAD, type: 0x100002, from: client}
      """
    let file = try folder.write(Array(yaml.utf8), to: "toy.yaml")
    let plugins = ["a.lua", "b.lua"].map { folder[$0] }
    for plugin in plugins { #expect(try Program.run(["wireshark", "-o", plugin, "--protocol", file]).status == 0) }
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(IPAddress(v4: 0xc000_0201), port: 7_000))
    var traffic = Traffic()
    for code: UInt8 in [2, 0, 9] { try traffic.add([code, 0, 0x10, 0], at: Int(code), flow) }
    let capture = try folder.write(traffic.pcap(), to: "a.pcap")
    let words = ["tshark"] + plugins.flatMap { ["-X", "lua_script:\($0)"] } + ["-r", capture, "-O", "toy"]
    let end = try Running("/usr/bin/env", words).finish(seconds: 60)
    #expect(
      end.output.contains("Type: PAD (0x00100002)") && end.output.contains("Type: VERSION (0x00100000)"),
      "\(end.output)")
    #expect(end.output.contains("Type: Unknown (0x00100009)"), "\(end.output)")
    #expect(end.status == 0 && !end.errors.contains("Lua") && !end.errors.contains("toy"), "\(end.errors)")
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
    // Twice is no error: neither to install, nor to Wireshark, which reads an installed plugin beside one of the command line.
    #expect(try Program.run(["wireshark", "--install"], environment: ["HOME": home.path]).status == 0)
    let plugin = "\(home.path)/.local/lib/wireshark/plugins/telecap.lua"
    let again = try Running("/usr/bin/env", words + ["-X", "lua_script:\(plugin)"]).finish(seconds: 60)
    #expect(
      again.output.contains("\ttele.haptic.intensity\tFT_FLOAT") && !again.errors.contains("Lua"), "\(again.errors)")
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
