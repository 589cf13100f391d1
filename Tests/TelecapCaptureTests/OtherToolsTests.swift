import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapCapture

/// Wireshark's programs read and write the same formats and layers.
@Suite("Formats and layers as Wireshark has them", .real("runs tshark and editcap")) struct OtherToolsTests {
  /// Stacks that Wireshark 4.0 does not read: link types without a dissector, or with other rules; version 2 of PKTAP;
  /// and link types that are wrong, which telecap detects.
  private static func isLeftOut(_ stack: EncapsulationLayerTests.Stack) -> Bool {
    stack.inside.contains(.rawIP) || [LinkType.user2, LinkType.mpls, LinkType.pppDaemon].contains(stack.linkType)
      || stack.name.hasPrefix("pktap of version 2")
      || ["pktap with four bytes before raw IP", "decrypted by the driver"].contains(stack.name)
  }

  /// Those of each encapsulation that are left, tunnels over UDP, and two fragments.
  private static let frames: [(linkType: UInt16, frame: [UInt8])] = {
    let stacks = EncapsulationLayerTests.stacks.filter { !isLeftOut($0) }
    let tunnels = [
      Encapsulated.udp(to: 4_789, Encapsulated.vxlan(TunnelTests.ethernet)),
      Encapsulated.udp(to: 6_081, Encapsulated.geneve(TunnelTests.ethernet, words: 0)),
    ]
    let datagram = Sample.udp()
    let fragments = [
      Sample.ipv4(Array(datagram[8...]), fragment: 1), Sample.ipv4(Array(datagram[..<8]), fragment: 0x2000),
    ]
    return stacks.map { ($0.linkType, $0.frame) } + (tunnels + fragments).map { (101, $0) }
  }()

  @Test("The payload of each frame is the same as in tshark")
  func layers() throws {
    let folder = try Folder()
    let frames = Self.frames
    let types = Array(Set(frames.map(\.linkType))).sorted()
    var writer = try PcapngWriter(path: folder["all.pcapng"], tool: "test")
    for type in types { try writer.add(Interface(name: "type \(type)", linkType: type)) }
    var reader = FrameReader(ports: .standard)
    var ours: [String] = []
    for (index, (linkType, frame)) in frames.enumerated() {
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: Int64(index)), interface: types.firstIndex(of: linkType) ?? 0,
        originalLength: frame.count, linkType: linkType)
      try writer.write(header, frame.span.bytes)
      let reading = reader.read(frame.span.bytes, header)
      guard case .payload(let payload) = reading.content else {
        ours.append("\(index + 1)\t\t")
        continue
      }
      let bytes = Array((reading.whole ?? frame)[payload.range])
      ours.append("\(index + 1)\t\(payload.flow.destination.port)\t\(Self.digits(bytes))")
    }
    try writer.finish()
    let words =
      ["tshark", "-r", folder["all.pcapng"], "-T", "fields", "-E", "occurrence=l"]
      + ["frame.number", "udp.dstport", "udp.payload"].flatMap { ["-e", $0] }
    let end = try Running("/usr/bin/env", words).finish(seconds: 60)
    let theirs = end.output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    #expect(theirs == ours, "\(end.errors)")
    #expect(ours.count > 40 && ours.count { $0.contains("deadbeef01") } == ours.count - 1)
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("A file that editcap wrote as snoop or modpcap is read like the original", arguments: ["snoop", "modpcap"])
  func formats(form: String) throws {
    let folder = try Folder()
    let (plain, other) = (try folder.write(smallPcap(), to: "in.pcap"), folder["out"])
    let end = try Running("/usr/bin/env", ["editcap", "-F", form, plain, other]).finish(seconds: 60)
    #expect(end.status == 0, "\(end.errors)")
    let (found, expected) = (try readFile(other, as: "file"), try readFile(plain, as: "file"))
    #expect(found.error == nil)
    #expect(found.packets == expected.packets && found.packets.count == 3)
  }

  @Test("The types of PacketLogger records are the same as in tshark")
  func packetLogger() throws {
    let folder = try Folder()
    let records: [(type: UInt8?, bytes: [UInt8])] = [
      (0, [3, 0x0c, 0]), (1, [0x0e, 4, 1, 3, 0x0c, 0]), (2, [0x40, 0, 1, 0, 9]), (3, [0x40, 0x20, 1, 0, 9]),
    ]
    for isBig in [true, false] {
      let path = try folder.write(PacketLoggerTests.file(records, isBig: isBig), to: "log.pklg")
      let words = ["tshark", "-r", path, "-T", "fields", "-e", "packetlogger.type", "-e", "frame.time_epoch"]
      let lines = try Running("/usr/bin/env", words).finish(seconds: 60).lines
      let types: [[UInt8]: String] = [[0, 1]: "0x00", [1, 4]: "0x01", [0, 2]: "0x02", [1, 2]: "0x03"]
      let ours = try readFile(path, as: "file").packets.map {
        "\(types[Array($0.frame[3...4])] ?? "?")\t\($0.header.time.nanoseconds / 1_000_000_000).250000000"
      }
      #expect(lines == ours)
    }
  }
}
