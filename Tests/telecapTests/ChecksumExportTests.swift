import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// The checksums of a protocol file in dissections and in Wireshark.
@Suite(.real("runs telecap")) struct ChecksumExportTests {
  private static let algorithms: [(type: String, check: String)] = [
    ("u8", "crc8"), ("u8", "crc8-maxim"), ("u16", "crc16-x25"), ("u16", "crc16-umts"), ("u24", "crc24"),
    ("u32", "crc32c"), ("u32", "crc32-mpeg-2"), ("u8", "xor"), ("u16", "sum"), ("u8", "difference"),
    ("u16", "fletcher16"),
    ("u16", "{algorithm: crc16-mcrf4xx, from: text, extra: 50}"), ("u32", "{algorithm: crc32, to: end}"),
  ]

  private static let text = """
    protocol: sums
    byte-order: big
    carriers: [{name: udp, over: udp, port: 40500}]
    header: [{name: kind, type: u8, is: type}]
    messages:
    \(algorithms.enumerated().map { index, one in
      """
        - {name: M\(index), type: \(index), from: client, fields: [{name: text, type: bytes 4}, {name: crc, type: \(one.type), check: \(one.check)}]}
      """
    }.joined(separator: "\n"))
    """

  @Test("Wireshark and telecap find the same wrong checksums, of each algorithm")
  func checksums() throws {
    let owner = try ProtocolFile.read(Self.text, file: "sums.yaml")
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_500))
    var traffic = Traffic()
    for index in Self.algorithms.indices {
      let kind = try #require(owner["M\(index)"])
      let right = try Message(kind, fields: ["text": .bytes([0x80, 0, 0xff, UInt8(index)])]).bytes
      var wrong = right
      wrong[2] ^= 0x40
      try traffic.add(right, at: 2 * index, flow)
      try traffic.add(wrong, at: 2 * index + 1, flow)
    }
    let folder = try Folder()
    try Self.text.write(toFile: folder["sums.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    _ = try run("$telecap wireshark --protocol ./sums.yaml -o a.lua")
    let shown = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e sums.finding").output
    let expected = Self.algorithms.map { _ in "\nheader.crc\n" }.joined()
    #expect(shown == expected, "\(shown)")
    let words = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e _ws.expert.message").output
    let own = try run("$telecap dissect a.pcap --protocol ./sums.yaml").output
    let found = own.split(separator: "\n").compactMap { line -> String? in
      guard let start = line.range(of: "the checksum is ") else { return nil }
      return String(line[start.lowerBound...].prefix { $0 != "[" }).trimmingCharacters(in: .whitespaces)
    }
    #expect(found.count == Self.algorithms.count)
    for one in found { #expect(words.contains(one), "\(one): \(words)") }
  }
}
