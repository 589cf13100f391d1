import Foundation
import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// A recording in which nothing is understood says so, and what there is instead.
@Suite(.real("runs telecap")) struct UnreadTrafficTests {
  private let folder: Folder
  private static let known =
    "no message was understood: there is traffic at udp 50900 (4 packets), udp 40000 (3 packets) and udp 40001 (1 packet), "
    + "where no protocol is expected; --port ID=NUMBER sets the port of a protocol"

  /// `other.pcap`: HELLO, POSEs and a HAPTIC at port 50900; `odd.pcap`: the same with a link type that is not known.
  init() throws {
    folder = try Folder()
    var traffic = Traffic()
    let host = Endpoint(Traffic.host.address, port: 50_900)
    let uplink = Flow(.udp, from: Traffic.phone, to: host)
    try traffic.add(Bytes.hello, at: 0, uplink)
    try traffic.add(Bytes.pose(1), at: 10, uplink)
    try traffic.add(Bytes.haptic, at: 20, uplink.reversed)
    try traffic.add(Bytes.pose(2), at: 30, Flow(.udp, from: Endpoint(Traffic.phone.address, port: 40_001), to: host))
    var file = traffic.pcap()
    _ = try folder.write(file, to: "other.pcap")
    file[20] = 147
    _ = try folder.write(file, to: "odd.pcap")
    _ = try folder.write(Traffic.session().pcap(), to: "known.pcap")
    for name in ["other", "odd"] {
      #expect(try run("import \(name).pcap -o \(name).telecap").status == 0)
    }
  }

  private func run(_ line: String) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && $telecap \(line)")
  }

  @Test(
    "Every command that reads it says where the traffic is",
    arguments: sampled(
      [
        ("import %@.pcap -o new.telecap", 0), ("dissect %@.pcap", 0), ("dissect %@.telecap --summary", 0),
        ("info %@.telecap", 0), ("info %@.pcap", 0), ("plan %@.telecap", 65), ("plan %@.pcap --role phone", 65),
        ("replay %@.pcap --dry-run", 65), ("replay %@.telecap --role host --to 127.0.0.1:9", 65),
        ("ahap from %@.telecap", 65), ("export %@.pcap --format csv", 0), ("export %@.telecap --format jsonl", 0),
        ("export %@.telecap -o new.pcapng", 0), ("export %@.pcap -o new.pcap", 0), ("report %@.pcap -o new.html", 0),
        ("report %@.telecap -o new.html", 0), ("dissect %@.pcap --where 'length > 1'", 0),
        ("senses --capture %@.telecap", 65),
      ] as [(String, Int32)], oneIn: 3))
  func told(_ command: String, _ status: Int32) throws {
    let end = try run(command.replacing("%@", with: "other"))
    #expect(end.status == status)
    #expect((end.errors + end.output).contains(Self.known), "\(command): \(end)")
    let odd = try run(command.replacing("%@", with: "odd").replacing("new.", with: "odd-new."))
    #expect(odd.status == status)
    #expect(
      (odd.errors + odd.output).contains("4 packets cannot be read: link type 147 is not known"),
      "\(command): \(odd)")
  }

  @Test(
    "With the port it is understood, and nothing is said",
    arguments: ["dissect other.pcap --summary", "info other.telecap"])
  func understood(_ command: String) throws {
    let end = try run("\(command) --tele-udp 50900")
    #expect(end.status == 0 && end.errors.isEmpty)
    #expect(end.output.contains("POSE") && !end.output.contains("no message was understood"))
  }

  @Test("A page to look at says it on the terminal, too")
  func viewed() throws {
    let program = try Program.start(["view", folder["other.pcap"], "--no-open"])
    try program.wait(for: "other.pcap: \(Self.known)", seconds: 300)
    program.signal(SIGINT)
    #expect(try program.finish(seconds: 20).status == 0)
  }

  @Test(
    "Beside messages, a link type that is not known is told of", arguments: ["info", "export --format csv", "dissect"])
  func oddBeside(_ command: String) throws {
    var writer = try PcapngWriter(path: folder["mixed.pcapng"], tool: "test")
    try writer.add(Interface(name: "a", linkType: 1))
    try writer.add(Interface(name: "b", linkType: 147))
    var reader = try CaptureFileReader(path: folder["known.pcap"])
    try reader.forEach { header, frame in
      for interface in 0..<2 {
        var header = header
        header.interface = interface
        try writer.write(header, frame)
      }
    }
    try writer.finish()
    let end = try run("\(command) mixed.pcapng")
    let told = "packets cannot be read: link type 147 is not known"
    #expect(end.status == 0 && (end.errors + end.output).contains(told), "\(end)")
  }

  @Test("Where there are messages, what is at other ports is others'")
  func beside() throws {
    var traffic = try Traffic.session()
    try traffic.add([1, 2, 3], at: 100, Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 53)))
    _ = try folder.write(traffic.pcap(), to: "both.pcap")
    let end = try run("dissect both.pcap --summary --format json")
    #expect(end.errors.isEmpty)
    let unread = try #require(try end.json()[0]["unread"] as? [String: Any])
    #expect(unread["packets"] as? Int == 1)
    #expect((unread["ports"] as? [[String: Any]])?.map { $0["port"] as? Int } == [53, 40_000])
  }
}
