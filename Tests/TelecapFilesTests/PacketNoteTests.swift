import TelecapCapture
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

/// Comments and directions of packets, and descriptions of interfaces, from a pcapng file into a capture and back.
@Suite("Notes of packets and interfaces") struct PacketNoteTests {
  private static let notes: [PacketNote?] = [
    PacketNote(comments: ["grüße", "second"], flags: 0x0000_0001), nil, PacketNote(flags: 0xffff_fff2),
    PacketNote(comments: ["two\nlines, \"quoted\""]),
  ]

  private static func file(_ path: String) throws {
    var list = PacketList(interface: "test")
    for place in notes.indices {
      let flow = Flow(.udp, from: PacketList.phone, to: PacketList.host)
      try list.add(Bytes.pose(UInt16(place)), flow, at: Timestamp(nanoseconds: Int64(place)))
    }
    var writer = try PcapngWriter(path: path, tool: "t")
    try writer.add(Interface(name: "lo", linkType: 101, comment: "here", description: "Loopback adapter"))
    var rest = notes[...]
    try list.forEach { try writer.write($0, $1, note: rest.removeFirst()) }
    try writer.finish()
  }

  private func read(_ path: String) throws -> (notes: [PacketNote?], interfaces: [Interface]) {
    var reader = try CaptureFileReader(path: path)
    var notes: [PacketNote?] = []
    while try reader.nextNoted({ _, _, note in notes.append(note) }) {}
    return (notes, reader.interfaces)
  }

  @Test("Notes are kept by import, printed by info, and exported again, any number of times")
  func roundTrip() throws {
    let folder = try Folder()
    try Self.file(folder["0.pcapng"])
    for round in 0..<3 {
      let capture = folder["\(round).telecap"]
      let recording = try RecordingFiles.standard.recording(folder["\(round).pcapng"])
      _ = try RecordingFiles.standard.importing(recording, into: capture, force: false)
      let reader = try RecordingFiles.standard.reader(capture)
      var stored: [PacketNote?] = []
      try reader.forEachNotedPacket { _, _, note in stored.append(note) }
      #expect(stored == Self.notes, "round \(round)")
      let summary = try RecordingFiles.standard.recording(capture).summary().summary
      let lines = SummaryText(summary, style: .plain).lines(of: "a")
      #expect(lines.contains("  comments      3, of packets") && lines.contains("  direction     1 received, 1 sent"))
      #expect(lines.contains { $0.contains("Loopback adapter") } && lines.contains { $0.contains("here") })
      try PacketExport(reader, nil).writePcapng(to: folder["\(round + 1).pcapng"], force: false, tool: "t")
      let (notes, interfaces) = try read(folder["\(round + 1).pcapng"])
      #expect(notes == Self.notes, "round \(round)")
      #expect(interfaces.map(\.description) == ["Loopback adapter"] && interfaces.map(\.comment) == ["here"])
    }
  }

  @Test("Findings come after the comments of a file, once")
  func findings() throws {
    let folder = try Folder()
    var list = PacketList(interface: "test")
    // Only a host sends it.
    let flow = Flow(.udp, from: PacketList.phone, to: PacketList.host)
    try list.add(hex("54454c4507010000003f0000"), flow, at: .zero)
    var writer = try PcapngWriter(path: folder["0.pcapng"], tool: "t")
    try writer.add(Interface(name: "lo", linkType: 101))
    try list.forEach { try writer.write($0, $1, note: PacketNote(comments: ["mine"])) }
    try writer.finish()
    for round in 0..<3 {
      _ = try RecordingFiles.standard.recording(folder["\(round).pcapng"]).withCapture { reader in
        try PacketExport(reader, nil).writePcapng(to: folder["\(round + 1).pcapng"], force: false, tool: "t")
      }
      let comments = try read(folder["\(round + 1).pcapng"]).notes.map { $0?.comments ?? [] }
      #expect(comments.count == 1 && comments[0].first == "mine" && comments[0].count == 2, "\(comments)")
    }
  }

  @Test("A capture without notes has no table of them")
  func none() throws {
    let folder = try Folder()
    _ = try RecordingFiles.standard.importing(
      .packets(PacketList.session()), into: folder["a.telecap"], force: false, ports: .standard)
    let reader = try RecordingFiles.standard.reader(folder["a.telecap"])
    #expect(try reader.noteCounts() == PacketNoteCounts())
    var notes: [PacketNote?] = []
    try reader.forEachNotedPacket { _, _, note in notes.append(note) }
    #expect(notes == [nil, nil, nil, nil, nil])
  }
}
