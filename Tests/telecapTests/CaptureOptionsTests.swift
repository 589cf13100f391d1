import Foundation
import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// `--protocol` and `--port` for a capture, which has its own: obeyed by every command that reads, or refused by all.
@Suite(.real("runs telecap")) struct CaptureOptionsTests {
  private static let toy = """
    protocol: toy
    carriers: [{name: udp, over: udp, port: 41000}]
    header: [{name: kind, type: u8, is: type}]
    messages: [{name: STATE, type: 1, from: host, fields: [{name: number, type: u16}]}]
    """

  private let folder: Folder

  /// `a.telecap`: STATE 1, 2 and 3 from port 41000 and STATE 9 from 41001, made with toy.yaml, which is gone.
  init() throws {
    folder = try Folder()
    var traffic = Traffic()
    for (index, value) in [1, 2, 3, 9].enumerated() {
      let host = Endpoint(Traffic.host.address, port: value == 9 ? 41_001 : 41_000)
      try traffic.add([1, UInt8(value), 0], at: index * 10, Flow(.udp, from: host, to: Traffic.phone))
    }
    _ = try folder.write(traffic.pcap(), to: "a.pcap")
    try write(Self.toy, to: "toy.yaml")
    #expect(try run("import a.pcap -o a.telecap --protocol ./toy.yaml").status == 0)
    try FileManager.default.removeItem(atPath: folder["toy.yaml"])
    try write(Self.toy.replacing("name: number", with: "name: count"), to: "edited.yaml")
    try write(
      Self.toy.replacing("protocol: toy", with: "protocol: third").replacing("name: number", with: "name: third"),
      to: "third.yaml")
  }

  private func write(_ text: String, to name: String) throws {
    _ = try folder.write(Array(text.utf8), to: name)
  }

  private func run(_ line: String) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && $telecap \(line)")
  }

  /// Every command that reads a capture, with how its results begin where it read just so many STATEs.
  static let reading: [(command: String, begin: @Sendable (Int) -> String)] = [
    ("dissect a.telecap --summary", { "  toy  STATE  \($0)" }),
    ("dissect a.telecap --where \"type = 'STATE'\" --summary", { "  toy  STATE  \($0)" }),
    ("info a.telecap", { "  toy  STATE  server-to-client  \($0) " }),
    ("export a.telecap --columns type --format csv | wc -l", { "\($0 + 1)" }),
    ("plan a.telecap --role toy-host | wc -l", { "\($0 + 1)" }),
    ("replay a.telecap --role toy-host --to 127.0.0.1:9 --dry-run | wc -l", { "\($0)" }),
  ]

  /// The commands with options before the pipe.
  private func run(_ command: String, _ options: String) throws -> Finished {
    let parts = command.split(separator: "|", maxSplits: 1)
    return try run("\(parts[0]) \(options)" + (parts.count > 1 ? " |\(parts[1])" : ""))
  }

  @Test(
    "Ports are moved, also those of a protocol that only the capture knows",
    arguments: sampled(Array(reading.indices), oneIn: 3))
  func ports(_ index: Int) throws {
    let (command, begin) = Self.reading[index]
    let before = try [UInt8](file: folder["a.telecap"])
    for (options, count) in [("", 3), ("--port toy-udp=41001", 1), ("", 3)] {
      let end = try run(command, options)
      #expect(end.status == 0 && end.lines.contains { $0.hasPrefix(begin(count)) }, "\(command) \(options): \(end)")
    }
    #expect(try [UInt8](file: folder["a.telecap"]) == before)
  }

  @Test(
    "A port that there is not, and one of two protocols, are refused",
    arguments: sampled(reading.map(\.command) + ["ahap from a.telecap -o a.ahap"], oneIn: 3))
  func refused(_ command: String) throws {
    let command = String(command.split(separator: "|")[0])
    let unknown = try run(command, "--port tou-udp=1")
    #expect(unknown.status == 64 && unknown.output.isEmpty)
    #expect(
      unknown.errors.hasPrefix("telecap: a.telecap: there is no port \"tou-udp\"; there are tele-beacon (50001), "))
    #expect(unknown.errors.hasSuffix(", toy-udp (41000)\n"))
    let shared = try run(command, "--port toy-udp=50000")
    #expect(shared.status == 64)
    #expect(
      shared.errors
        == "telecap: a.telecap: UDP port 50000 is that of tele and of toy\n  move one with --port toy-udp=NUMBER\n")
    if command.hasPrefix("ahap") { return }
    let other = try run(command, "--protocol ./third.yaml")
    #expect(other.status == 64)
    #expect(
      other.errors
        == "telecap: a.telecap: UDP port 41000 is that of toy and of third\n  move one with --port third-udp=NUMBER\n")
  }

  @Test("Another declaration is read in the place of the stored one, which stays")
  func declaration() throws {
    let before = try [UInt8](file: folder["a.telecap"])
    let columns = "export a.telecap --columns type,count --where 'count > 1'"
    #expect(try run(columns, "--protocol ./edited.yaml").lines == ["type,count", "STATE,2", "STATE,3"])
    for command in ["info a.telecap", "dissect a.telecap --where 'count > 1'"] {
      #expect(try run(command, "--protocol ./edited.yaml").status == 0)
    }
    #expect(try [UInt8](file: folder["a.telecap"]) == before)
    #expect(
      try run("export a.telecap --columns type,number").lines == ["type,number", "STATE,1", "STATE,2", "STATE,3"])
    #expect(try sql(folder["a.telecap"], "SELECT declaration FROM protocol WHERE name = 'toy'") == [[Self.toy]])
  }

  @Test("A protocol that it was not made with is read beside its own", arguments: ["info", "dissect --summary"])
  func beside(_ command: String) throws {
    let end = try run("\(command) a.telecap --protocol ./third.yaml --third-udp 41001")
    #expect(
      end.lines.contains { $0.hasPrefix("  toy    STATE  ") } && end.lines.contains { $0.hasPrefix("  third  STATE  ") }
    )
  }

  @Test("Ports of what is built in are moved for a capture too")
  func builtIn() throws {
    try Traffic.session().writePcapng(to: folder["s.pcapng"])
    #expect(try run("import s.pcapng -o s.telecap").status == 0)
    for (command, begin) in [
      ("info s.telecap", "  tele  POSE"), ("export s.telecap --columns type", "POSE"),
      ("dissect s.telecap --where \"type = 'POSE'\" --summary", "  tele  POSE"),
    ] {
      #expect(try run(command).lines.contains { $0.hasPrefix(begin) })
      let moved = try run(command, "--tele-udp 50010")
      #expect(moved.status == 0 && !moved.lines.contains { $0.hasPrefix(begin) }, "\(command): \(moved)")
    }
    #expect(try run("ahap from s.telecap --where \"type = 'HAPTIC'\" --tele-udp 50010 -o s.ahap").status == 64)
    // TELE stands before the mouse: at its port the mouse would never be looked for.
    let lost = try run("info s.telecap --mouse-udp 50000")
    #expect(lost.status == 64 && lost.errors.contains("UDP port 50000 is that of tele and of mouse"))
  }

  @Test("A capture of format 1 stays one, whatever is loaded")
  func firstFormat() throws {
    try Traffic.session().writePcapng(to: folder["s.pcapng"])
    #expect(try run("import s.pcapng -o s.telecap").status == 0)
    let first = try #require(Schema.first.split(separator: ";\n").first { $0.contains("CREATE TABLE capture") })
    for statement in [
      "ALTER TABLE capture RENAME TO kept", String(first),
      """
      INSERT INTO capture SELECT tool, version, host, clock, source, filter, command_line, 50000, 50000, 50001, 8888, 8889,
        started_ns, ended_ns, dropped_kernel, dropped_interface, dropped_queue, damage, dissection_complete FROM kept
      """, "DROP TABLE kept", "DROP TABLE port", "DROP TABLE protocol", "PRAGMA user_version = 1",
    ] { _ = try sql(folder["s.telecap"], statement) }
    for options in ["", "--protocol ./third.yaml", "--tele-udp 50010"] {
      let end = try run("info s.telecap \(options)")
      #expect(end.status == 0 && end.lines.contains { $0.hasPrefix("  tele  POSE") } == !options.contains("50010"))
    }
    #expect(try sql(folder["s.telecap"], "PRAGMA user_version") == [["1"]])
  }
}
