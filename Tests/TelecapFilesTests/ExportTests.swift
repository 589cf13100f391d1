import TelecapCapture
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTele
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

@Suite("Info and export") struct InfoAndExportTests {
  /// A phone, a host that asks for too much, and a name with a comma; as pcap, imported.
  private func withCapture(_ body: (_ pcap: String, _ capture: String) throws -> Void) throws {
    try TemporaryFile.with(suffix: ".pcap") { pcap in
      try TemporaryFile.with(suffix: ".telecap") { capture in
        try makePcap(pcap)
        try RecordingFiles.standard.importing(.path(pcap), into: capture, force: false, ports: .standard)
        try body(pcap, capture)
      }
    }
  }

  private func makePcap(_ path: String) throws {
    let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
    let host = Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000)
    let up = Flow(.udp, from: phone, to: host)
    var haptic = Typed<Haptic>()
    haptic[Haptic.fields.intensity] = 1.1
    let messages: [(Flow, Message)] = [
      (up, try .hello(sessionID: 7, code: "AB12CD")), (up.reversed, .ack(.ok)), (up.reversed, haptic.message),
      (up, .cmd(Cmd.recording, true)), (up, .bye(sessionID: 7)),
    ]
    var writer = try PcapWriter(path: path, linkType: 1)
    for (index, (flow, message)) in messages.enumerated() {
      let frame = ethernet(flow, message.bytes)
      let time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 250_000_000)
      try writer.write(
        PacketHeader(number: index + 1, time: time, originalLength: frame.count, linkType: 1), frame.span.bytes)
    }
    try writer.finish()
  }

  private func ethernet(_ flow: Flow, _ payload: [UInt8]) -> [UInt8] {
    let bytes = { (value: Int) in [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    let link = [UInt8](repeating: 2, count: 12) + [8, 0]
    let internet =
      [0x45, 0] + bytes(28 + payload.count) + [0, 0, 0x40, 0, 64, 17, 0, 0] + flow.source.address.bytes
      + flow.destination.address.bytes
    let ports = bytes(Int(flow.source.port)) + bytes(Int(flow.destination.port))
    return link + internet + ports + bytes(8 + payload.count) + [0, 0] + payload
  }

  private func text(_ path: String) throws -> String { try TextFile.read(path) }

  @Test("A summary prints sessions, types and findings")
  func aSummaryTellsSessionsTypesAndFindings() throws {
    try withCapture { _, capture in
      let (summary, damage, underived) = try RecordingFiles.standard.recording(capture).summary()
      let lines = SummaryText(summary, style: .plain).lines(of: "x.telecap")
      #expect(damage == nil && underived == nil)
      #expect(lines.contains("  packets       5 in 1.000 s, 266 bytes"))
      #expect(lines.contains("  first packet  2023-11-14 22:13:20.000000 UTC"))
      #expect(
        lines.contains {
          $0.hasPrefix("  1  tele udp, phone 192.0.2.2:40001, host 192.0.2.1:50000, session_id 7, ")
            && $0.hasSuffix("ended by BYE")
        })
      #expect(lines.contains("  warning  1  value.out-of-range  first in packet 3"))
      #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }
  }

  @Test("CSV has a line for each message, and JSON Lines an object")
  func cSVHasALineAMessageAndJSONLinesAnObject() throws {
    try withCapture { _, capture in
      let reader = try RecordingFiles.standard.reader(capture)
      let rows = RowExport(reader, where: "type != 'ACK'", columns: ["packet", "type", "intensity", "code"])
      try TemporaryFile.with(suffix: ".csv") { csv in
        try rows.writeCSV(to: csv, force: false)
        #expect(try text(csv) == "packet,type,intensity,code\n1,HELLO,,AB12CD\n3,HAPTIC,1.1,\n4,CMD,,\n5,BYE,,\n")
        #expect(throws: FileError.exists(path: csv)) { try rows.writeCSV(to: csv, force: false) }
      }
      try TemporaryFile.with(suffix: ".jsonl") { json in
        try rows.writeJSON(to: json, force: false)
        #expect(try text(json).hasPrefix("{\"packet\":1,\"type\":\"HELLO\",\"code\":\"AB12CD\"}\n{\"packet\":3,"))
      }
    }
  }

  @Test("Pcap is exported unchanged, and pcapng with the findings")
  func pcapComesOutAsItWentInAndPcapngWithWhatWasFound() throws {
    try withCapture { pcap, capture in
      let reader = try RecordingFiles.standard.reader(capture)
      try TemporaryFile.with(suffix: ".pcap") { out in
        try PacketExport(reader, nil).writePcap(to: out, force: false)
        #expect(try frames(out) == frames(pcap))
      }
      try TemporaryFile.with(suffix: ".pcapng") { out in
        let selection = try reader.select(where: "severity = 'warning'")
        try PacketExport(reader, selection).writePcapng(to: out, force: false, tool: "test")
        #expect(try frames(out) == [try frames(pcap)[2]])
      }
      var comments: [String] = []
      try reader.forEachCommentedPacket { _, _, note in comments.append(note?.comments.joined() ?? "") }
      #expect(comments == ["", "", "warning value.out-of-range: intensity is 1.1; it must be in 0…1", "", ""])
    }
  }

  private func frames(_ path: String) throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var reader = try CaptureFileReader(path: path)
    try reader.forEach { frames.append("\($0.time.nanoseconds) ".utf8 + $1.array) }
    return frames
  }
}
