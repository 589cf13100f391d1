import Foundation
import TelecapTestSupport
import Testing

/// `--protocol FILE`, on every command that has it.
@Suite(.real("runs telecap")) struct ProtocolOptionTests {
  private static let toy = """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 4000}]
    header: [{name: kind, type: u8, is: type}]
    messages: [{name: STATE, type: 1, from: host, fields: [{name: number, type: u16}]}]
    """

  /// Every command that takes it, so far that it would read something.
  static let commands = [
    "record -o a.telecap --count 0", "import a.pcap -o a.telecap", "export a.pcap", "info a.pcap", "dissect a.pcap",
    "dissect --hex 00", "plan a.pcap", "replay a.pcap --to 127.0.0.1:9", "conform --list", "conform --sut model:phone",
  ]

  private static func folder(_ text: String, _ name: String = "toy.yaml") throws -> Folder {
    let folder = try Folder()
    try text.write(toFile: folder[name], atomically: true, encoding: .utf8)
    return folder
  }

  private static func run(_ line: String, in folder: Folder) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && $telecap \(line)")
  }

  @Test("A file that is wrong is the same error on each", arguments: commands)
  func wrong(_ command: String) throws {
    let folder = try Self.folder(Self.toy.replacing("u16", with: "u17"))
    let end = try Self.run("\(command) --protocol ./toy.yaml", in: folder)
    #expect(end.status == 65)
    #expect(end.errors == "telecap: ./toy.yaml:4:77: there is no type \"u17\"; write \"bits 17\"\n")
    #expect(end.output.isEmpty)
  }

  @Test("A field that could be no column too", arguments: sampled(commands, oneIn: 3))
  func column(_ command: String) throws {
    let folder = try Self.folder(Self.toy.replacing("number", with: "order"))
    let end = try Self.run("\(command) --protocol ./toy.yaml", in: folder)
    #expect(end.status == 65)
    #expect(
      end.errors
        == "telecap: ./toy.yaml:4:63: a field cannot be called \"order\": it is a keyword of SQL, which conditions "
        + "cannot name\n")
  }

  @Test(
    "Where it would have no effect it is refused",
    arguments: [
      "simulate host", "simulate phone", "simulate mouse", "simulate mouse-host", "ahap from a.pcap -o a.ahap",
      "ahap play a.ahap --to 127.0.0.1:9", "ahap lint a.ahap", "sync",
    ])
  func without(_ command: String) throws {
    let end = try Self.run("\(command) --protocol ./toy.yaml", in: try Self.folder(Self.toy))
    #expect(end.status == 64)
    #expect(end.errors.contains("Unknown option '--protocol'"), "\(end.errors)")
  }

  @Test("Two of one name are refused where they differ, and one where they do not")
  func twice() throws {
    let folder = try Self.folder(Self.toy)
    try Self.toy.write(toFile: folder["same.yaml"], atomically: true, encoding: .utf8)
    try Self.toy.replacing("4000", with: "4001").write(toFile: folder["other.yaml"], atomically: true, encoding: .utf8)
    let end = try Self.run("conform --list --protocol ./toy.yaml --protocol ./other.yaml", in: folder)
    #expect(end.status == 65)
    #expect(
      end.errors
        == "telecap: ./other.yaml:1:11: there is a protocol \"toy\" already, and this is another: port toy-udp is "
        + "\"udp 4001 of udp, the host's\" here and \"udp 4000 of udp, the host's\" there; give it another name\n")
    #expect(try Self.run("conform --list --protocol ./toy.yaml --protocol ./same.yaml", in: folder).status == 0)
  }

  @Test("A file of a built-in protocol is that protocol")
  func builtIn() throws {
    let tele = Project.file("Scenarios/protocols/tele.yaml").path
    let folder = try Folder()
    let end = try Self.run("dissect --protocol \(tele) --hex 414243313233", in: folder)
    #expect(end.lines.first == "TELE AUTH, 6 bytes, ble: the pairing code over Bluetooth", "\(end)")
    let list = try Self.run("conform --list --only-protocol --protocol \(tele)", in: folder)
    #expect(list.lines.contains { $0.hasPrefix("tele.hello.busy ") }, "\(list.errors)")
    #expect(!list.lines.contains { $0.hasPrefix("mouse.") })
  }

  @Test(
    "Two at one port are refused until one is moved",
    arguments: ["dissect nothing.pcap", "import nothing.pcap -o a.telecap", "record -o a.telecap --count 1"])
  func clash(_ command: String) throws {
    let folder = try Self.folder(Self.toy.replacing("4000", with: "50000"))
    let refused = try Self.run("\(command) --protocol ./toy.yaml", in: folder)
    #expect(folder.names == ["toy.yaml"])
    #expect(refused.status == 64)
    #expect(
      refused.errors
        == "telecap: UDP port 50000 is that of tele and of toy\n  move one with --port toy-udp=NUMBER\n")
  }

  @Test("Two at one port: what is moved, or not read by ports, is not refused")
  func ports() throws {
    let folder = try Self.folder(Self.toy.replacing("4000", with: "50000"))
    #expect(try Self.run("dissect nothing.pcap --protocol ./toy.yaml --toy-udp 4000", in: folder).status == 66)
    #expect(try Self.run("dissect --hex 010500 --protocol ./toy.yaml", in: folder).status == 0)
    #expect(try Self.run("conform --list --protocol ./toy.yaml", in: folder).status == 0)
  }

  @Test("A port's own option that is one of the command's already is not guessed at")
  func option() throws {
    let folder = try Self.folder(Self.toy.replacing("port: 4000", with: "port: 4000, id: max-gap"))
    let end = try Self.run("plan nothing.pcap --max-gap 2s --protocol ./toy.yaml", in: folder)
    #expect(end.status == 65)
    #expect(
      end.errors
        == "telecap: the port \"max-gap\" has the name of the option --max-gap\n  give the port another \"id\"\n")
    #expect(try Self.run("plan nothing.pcap --port max-gap=1 --protocol ./toy.yaml", in: folder).status == 66)
  }

  @Test("A protocol that is known without is refused, also beside a file", arguments: sampled(commands, oneIn: 3))
  func known(_ command: String) throws {
    let end = try Self.run("\(command) --protocol mouse", in: try Self.folder(Self.toy))
    if command.contains("--hex") { return #expect(end.status == 0) }
    #expect(end.status == 64)
    #expect(
      end.errors
        == "telecap: --protocol mouse: built in, and needed only with --hex, to select the protocol of the digits\n")
  }

  @Test("Digits hold one protocol") func digits() throws {
    let end = try Self.run("dissect --hex 01 --protocol ./toy.yaml --protocol mouse", in: try Self.folder(Self.toy))
    #expect(end.status == 64)
    #expect(end.errors.contains("--hex is decoded as one protocol: give --protocol once"))
  }

  @Test("Findings of a file's protocol are told in its own words, and its artifacts are at its own port")
  func words() throws {
    let dsu = try String(contentsOf: Project.file("Scenarios/protocols/dsu.yaml"), encoding: .utf8)
    let folder = try Self.folder(dsu, "dsu.yaml")
    let end = try Self.run(
      "conform --protocol ./dsu.yaml --sut model:dsu-client+wrap-is-old --artifacts out "
        + "--only 'dsu.pad.latest-value-wins*'", in: folder)
    #expect(end.status == 1)
    let summary = try Self.run(
      "dissect --protocol ./dsu.yaml --summary out/*/traffic.pcapng", in: folder)
    #expect(summary.lines.contains { $0.hasPrefix("  dsu  PAD          7 ") }, "\(summary.output)")
    #expect(summary.output.contains("seq.duplicate  v1993/cemuhook-protocol"))
    #expect(!summary.output.contains("TELE") && !summary.output.contains("tele."))
  }

  /// A folder with a capture of one PAD_REQUEST and seven PADs of DSU, one of them late: `a.telecap`.
  private static func pads() throws -> Folder {
    let dsu = Project.file("Scenarios/protocols/dsu.yaml").path
    let folder = try Folder()
    let made = try run(
      "conform --protocol \(dsu) --sut model:dsu-client+wrap-is-old --artifacts out "
        + "--only 'dsu.pad.latest-value-wins*'; "
        + "$telecap import --protocol \(dsu) out/*/traffic.pcapng -o a.telecap", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    return folder
  }

  @Test("A program is judged on a capture of its protocol, without the protocol's file")
  func program() throws {
    let folder = try Self.pads()
    let client = Project.file("Scenarios/systems/dsu-client.yaml").path
    let end = try Self.run(
      "replay a.telecap --role dsu-host --to \(client) --duplicate 100% --seed 1 --artifacts kept", in: folder)
    #expect(end.status == 1, "\(end)")
    #expect(end.lines.contains { $0.hasPrefix("FAIL  dsu.pad.latest-value-wins ") })
    #expect(end.lines.contains { $0.hasPrefix("FAIL  dsu.pad.duplicate ") })
    #expect(end.lines.contains { $0.hasPrefix("  measured  messages: sent 7, delivered 14, applied 14") })
    let dsu = Project.file("Scenarios/protocols/dsu.yaml").path
    let traffic = try Self.run("dissect --protocol \(dsu) --summary kept/dsu.pad.duplicate/traffic.pcapng", in: folder)
    #expect(traffic.lines.contains { $0.hasPrefix("  dsu  PAD          14 ") }, "\(traffic)")
  }

  @Test("A capture is enough, without the file that it was made with")
  func alone() throws {
    let folder = try Self.pads()
    for (command, line) in [
      ("dissect a.telecap --summary", "  dsu  PAD          7 "), ("info a.telecap", "  dsu  PAD"),
      ("plan a.telecap --role dsu-host", "{\"packet\":2,"),
      ("replay a.telecap --role dsu-host --to 127.0.0.1:9 --dry-run", "0.000000 s  packet 2  PAD, 100 bytes"),
      ("replay a.telecap --role dsu-host --to model:dsu-client", "PAD 7 7 6 1"),
      ("replay a.telecap --role dsu-host --to simulate:dsu-client", "PAD 7 7 6 1"),
      ("replay a.telecap --to model:dsu-host", "replay    dsu-client of a.telecap to our dsu-host in virtual time"),
      ("export a.telecap --columns type,dsu_length --where \"type = 'PAD'\"", "PAD,84"),
    ] {
      let end = try Self.run(command, in: folder)
      #expect(
        end.status == 0 && end.lines.contains { Self.narrow($0).hasPrefix(Self.narrow(line)) }, "\(command): \(end)")
    }
  }

  /// A line without the widths of its columns.
  private static func narrow(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }

  @Test(
    "A side of a file's protocol is chosen by its name, and what it sends is for the other side",
    arguments: [
      ("--role dsu-host --to model:dsu-host", "what a dsu-host sends is for a dsu-client, not for a dsu-host"),
      ("--role dsu-host --to model:phone", "what a dsu-host sends is for a dsu-client, not for a phone"),
      (
        "--role dsu-host --to simulate:dsu-clint",
        "there is no role \"dsu-clint\"; there are phone, mouse, dsu-client, host,"
      ),
      ("--role dsu", "there is no role \"dsu\"; there are phone, mouse, dsu-client, host,"),
      (
        "--role dsu-host --to model:dsu-client --restamp",
        "--restamp requires packets of a phone: a dsu-host sends no poses"
      ),
    ])
  func sides(_ options: String, _ reason: String) throws {
    let end = try Self.run("replay a.telecap \(options)", in: try Self.pads())
    #expect(end.status == 64 && end.errors.contains(reason), "\(end)")
  }

  @Test("A suite's name is taken") func suites() throws {
    let folder = try Self.folder(Self.toy.replacing("protocol: toy", with: "protocol: ahap"))
    #expect(
      try Self.run("conform --list --protocol ./toy.yaml", in: folder).errors
        == "telecap: ./toy.yaml:1:11: there is a protocol \"ahap\" already\n")
  }
}
