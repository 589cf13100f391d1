import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// The ports that a recording was made with outlive its export: pcapng says them, and of pcap it is told that it cannot.
@Suite(.real("runs telecap")) struct ExportedPortsTests {
  private let folder: Folder

  /// `a.telecap`: HELLO and a POSE at port 45000, imported as that of TELE; `a.pcapng`: its export.
  init() throws {
    folder = try Folder()
    var traffic = Traffic()
    let uplink = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 45_000))
    try traffic.add(Bytes.hello, at: 0, uplink)
    try traffic.add(Bytes.pose(1), at: 10, uplink)
    _ = try folder.write(traffic.pcap(), to: "a.pcap")
    try #require(try run("$telecap import a.pcap --port tele-udp=45000 -o a.telecap").status == 0)
    try #require(try run("$telecap export a.telecap -o a.pcapng").status == 0)
  }

  private func run(_ line: String) throws -> Finished { try Program.shell("cd '\(folder.path)' && \(line)") }

  @Test(
    "Who reads the exported file reads it by the same ports, also out of a pipe",
    arguments: sampled(
      [
        "$telecap dissect a.pcapng --summary", "$telecap info a.pcapng", "$telecap export a.pcapng --format csv",
        "$telecap plan a.pcapng", "cat a.pcapng | $telecap dissect --summary -", "cat a.pcapng | $telecap info -",
        "$telecap import a.pcapng -o b.telecap && $telecap info b.telecap",
        "cat a.pcapng | $telecap import - -o b.telecap && $telecap info b.telecap",
        "$telecap export a.pcapng -o b.pcapng && $telecap info b.pcapng",
        "$telecap export a.pcapng --where \"type = 'POSE'\" -o b.pcapng && $telecap info b.pcapng",
      ], oneIn: 3))
  func kept(_ line: String) throws {
    let end = try run(line)
    #expect(end.status == 0, "\(end)")
    #expect(["POSE", "deliver"].contains { end.output.contains($0) } && !end.errors.contains("no message"), "\(end)")
  }

  @Test(
    "What is asked for counts before what the file says",
    arguments: ["dissect --summary a.pcapng", "import a.pcapng -o b.telecap"])
  func asked(_ command: String) throws {
    let end = try run("$telecap \(command) --tele-udp 50000")
    #expect(end.status == 0 && end.errors.contains("udp 45000 (2 packets), where no protocol is expected"), "\(end)")
  }

  @Test("Of pcap, which cannot say them, the option is told that it has to be read with")
  func told() throws {
    let end = try run("$telecap export a.telecap -o b.pcap")
    let sentence = "b.pcap: a pcap file does not say which ports it was recorded with: read it with --tele-udp 45000\n"
    #expect(end.status == 0 && end.errors == sentence, "\(end)")
    #expect(try run("$telecap dissect --summary b.pcap --tele-udp 45000").output.contains("POSE"))
    try #require(
      try run("$telecap import b.pcap --tele-udp 45000 -o c.telecap && $telecap export c.telecap -o c.pcap").status == 0
    )
  }

  @Test("A file whose ports are the documents' says nothing of them")
  func silent() throws {
    _ = try folder.write(Traffic.session().pcap(), to: "d.pcap")
    let end = try run(
      "$telecap export d.pcap -o d.pcapng && $telecap export d.pcap -o e.pcap && grep -c 'telecap ports' d.pcapng")
    #expect(end.output == "0\n" && end.errors.isEmpty, "\(end)")
  }

  @Test(
    "Ports and characteristics of a protocol that is not known here are told, once, by every command that reads the file",
    arguments: sampled(
      [
        ("dissect --summary lamp.pcapng", "lamp.pcapng"), ("info lamp.pcapng", "lamp.pcapng"),
        ("export lamp.pcapng -o b.csv", "lamp.pcapng"), ("export lamp.pcapng -o b.pcapng", "lamp.pcapng"),
        ("dissect lamp.pcapng --where \"type = 'POSE'\"", "lamp.pcapng"), ("plan lamp.pcapng", "lamp.pcapng"),
        ("replay lamp.pcapng --role phone --dry-run", "lamp.pcapng"), ("report lamp.pcapng -o b.html", "lamp.pcapng"),
        ("import lamp.pcapng -o b.telecap", "lamp.pcapng"), ("import - -o b.telecap < lamp.pcapng", "standard input"),
        ("dissect - < lamp.pcapng", "standard input"), ("ahap from lamp.pcapng -o b.ahap", "lamp.pcapng"),
        ("senses --capture lamp.pcapng", "lamp.pcapng"),
      ], oneIn: 3))
  func strange(_ command: String, _ name: String) throws {
    var ports = ["tele-udp": UInt16(45_000), "lamp-udp": 7_000, "gatt:0000aaaa-0000-1000-8000-00805f9b34fb": 16]
    for number in 1...4 { ports["zz\(number)"] = 1 }
    var writer = try PcapngWriter(path: folder["lamp.pcapng"], tool: "test", ports: ports)
    var reader = try CaptureFileReader(path: folder["a.pcap"])
    try writer.add(Interface(name: "test", linkType: reader.interfaces[0].linkType))
    try reader.forEach { try writer.write($0, $1) }
    try writer.finish()
    let note =
      "\(name): it was recorded with gatt:0000aaaa-0000-1000-8000-00805f9b34fb=16, lamp-udp=7000, zz1=1, zz2=1 and 2 more, of a "
      + "protocol that is not known here, whose messages are not looked for; --protocol FILE makes it known\n"
    let end = try run("$telecap \(command)")
    #expect(end.errors.matches(of: /it was recorded with/).count == 1 && end.errors.contains(note), "\(end)")
    #expect(command.hasPrefix("ahap") || command.hasPrefix("senses") || end.status == 0, "\(end)")
  }
}
