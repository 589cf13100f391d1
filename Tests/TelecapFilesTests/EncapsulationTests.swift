import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// Packets of link types that are known, in which others are carried: some are looked into, some are not.
@Suite("Packets that carry others") struct EncapsulationTests {
  /// Ethernet with this EtherType, and so many bytes.
  private static func ethernet(_ type: UInt16) -> [UInt8] {
    [UInt8](repeating: 2, count: 12) + [UInt8(type >> 8), UInt8(type & 255)] + [UInt8](repeating: 0, count: 40)
  }

  /// IPv4 over Ethernet with this protocol and these bytes.
  private static func ip(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let header: [UInt8] =
      [0x45, 0, 0, UInt8(20 + payload.count), 0, 1, 0, 0, 64, number, 0, 0] + [192, 0, 2, 1] + [192, 0, 2, 2]
    return [UInt8](repeating: 2, count: 12) + [8, 0] + header + payload
  }

  private static func udp(to port: UInt16, _ payload: [UInt8]) -> [UInt8] {
    ip(17, [0x9c, 0x40, UInt8(port >> 8), UInt8(port & 255), 0, UInt8(8 + payload.count), 0, 0] + payload)
  }

  private static let haptic = hex("54454c4507010000003f0000")
  private static let notes = [
    "2 packets cannot be read: ESP, which carries other packets, is not decapsulated",
    "1 packet cannot be read: MACsec, which carries other packets, is not decapsulated",
    "1 packet cannot be read: VXLAN, which carries other packets, is not decapsulated",
  ]

  /// A pcapng file of a message where wanted, ESP twice, MACsec, a port of VXLAN without its header, and ARP and ICMP, which carry
  /// nothing.
  private static func file(_ folder: Folder, hasMessage: Bool) throws -> String {
    var writer = try PcapngWriter(path: folder["in.pcapng"], tool: "t")
    try writer.add(Interface(name: "lo", linkType: LinkType.ethernet))
    let esp = ip(50, [UInt8](repeating: 0, count: 24))
    let frames =
      (hasMessage ? [udp(to: 50_000, haptic)] : []) + [esp, ethernet(0x88e5), esp, udp(to: 4_789, haptic)]
      + [ethernet(0x0806), ip(1, [8, 0, 0, 0])]
    for (index, frame) in frames.enumerated() {
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: Int64(index)), originalLength: frame.count, linkType: 1)
      try writer.write(header, frame.span.bytes)
    }
    try writer.finish()
    return folder["in.pcapng"]
  }

  @Test(
    "dissect, import, info and report name encapsulations, with and without messages",
    arguments: [true, false])
  func named(hasMessage: Bool) throws {
    let folder = try Folder()
    let path = try Self.file(folder, hasMessage: hasMessage)
    let recording = try RecordingFiles.standard.recording(path)
    var report = DissectionReport(isJSON: false, isSummary: false, style: .plain, recording.protocols) { _ in }
    _ = try recording.dissect(to: &report)
    #expect(report.summary.notes.suffix(3) == Self.notes[...])
    #expect(report.summary.notes.count == (hasMessage ? 3 : 4))
    let imported = try RecordingFiles.standard.importing(recording, into: folder["a.telecap"], force: false)
    #expect(imported.summary.notes == report.summary.notes)
    for name in ["in.pcapng", "a.telecap"] {
      let recording = try RecordingFiles.standard.recording(folder[name])
      let (summary, _, _) = try recording.summary()
      #expect(summary.notes == report.summary.notes, "\(name)")
      let told = try recording.withCapture { try recording.notes(on: $0) }.0
      #expect(told == summary.notes)
    }
  }

  @Test("A protocol that was moved to a tunnel's port takes precedence")
  func movedPort() throws {
    let folder = try Folder()
    let recording = try RecordingFiles.standard.recording(
      Self.file(folder, hasMessage: true), ports: ["tele-udp": 4_789])
    #expect(try recording.summary().summary.notes == Array(Self.notes.prefix(2)))
  }

  @Test("Messages inside GRE, VXLAN and fragments are decoded, and the outputs name these layers")
  func entered() throws {
    let folder = try Folder()
    let message = Array(Self.udp(to: 50_000, Self.haptic)[14...])
    let gre = Self.ip(47, [0, 0, 8, 0] + message)
    let vxlan = Self.udp(to: 4_789, [8, 0, 0, 0, 0, 0, 1, 0] + Self.ethernetOf(message))
    var writer = try PcapngWriter(path: folder["in.pcapng"], tool: "t")
    try writer.add(Interface(name: "lo", linkType: LinkType.ethernet))
    for (index, frame) in [gre, vxlan, gre].enumerated() {
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: Int64(index)), originalLength: frame.count, linkType: 1)
      try writer.write(header, frame.span.bytes)
    }
    try writer.finish()
    let recording = try RecordingFiles.standard.recording(folder["in.pcapng"])
    var lines: [String] = []
    var report = DissectionReport(isJSON: false, isSummary: true, style: .plain, recording.protocols) {
      lines.append(String(decoding: $0, as: UTF8.self))
    }
    _ = try recording.dissect(to: &report)
    try report.finish()
    #expect(report.summary.total == 3 && report.summary.notes.isEmpty)
    #expect(lines.joined().contains("found inside GRE (2 packets), VXLAN (1 packet)\n"))
    let summary = try recording.summary().summary
    let text = SummaryText(summary, style: .plain).lines(of: "in.pcapng")
    #expect(text.contains { $0.hasSuffix("found inside  GRE (2 packets), VXLAN (1 packet)") }, "\(text)")
    var json = JSONWriter()
    SummaryJSON.write(summary, to: &json)
    let encapsulations = #"[{"name":"GRE","packets":2},{"name":"VXLAN","packets":1}]"#
    #expect(String(decoding: json.bytes, as: UTF8.self).contains(#""encapsulations":"# + encapsulations))
  }

  private static func ethernetOf(_ packet: [UInt8]) -> [UInt8] { [UInt8](repeating: 2, count: 12) + [8, 0] + packet }
}
