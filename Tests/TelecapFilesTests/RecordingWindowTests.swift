import TelecapCapture
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

/// A part of a recording by time: what is before it still counts as context.
@Suite("A time window of a recording") struct RecordingWindowTests {
  /// A HELLO at 0 ms, its ACK at 20 ms, poses at 40, 60 and 80 ms.
  private func recording(from: Int64 = 0, until: Int64? = nil) throws -> Recording {
    var recording = RecordingFiles.standard.recording(try PacketList.session(), ports: .standard)
    recording.window = CaptureWindow(from: from * 1_000_000, until: until.map { $0 * 1_000_000 } ?? .max)
    return recording
  }

  private func packets(_ recording: Recording) throws -> [Int] {
    try recording.withCapture { reader in
      var numbers: [Int] = []
      try reader.forEachPacket { header, _ in numbers.append(header.number) }
      return numbers
    }.0
  }

  @Test("A packet at the start is inside, one at the end is outside")
  func borders() throws {
    #expect(try packets(recording(from: 40, until: 80)) == [3, 4])
    #expect(try packets(recording(from: 41, until: 81)) == [4, 5])
    #expect(try packets(recording(until: 20)) == [1])
    #expect(try packets(recording(from: 80)) == [5])
    #expect(try packets(recording(from: 81)).isEmpty)
  }

  @Test("Messages in the middle of a session belong to it, and keep their numbers and times")
  func context() throws {
    let window = try recording(from: 40, until: 80)
    let (rows, _) = try window.withCapture { reader in
      #expect(try reader.summary().findings.isEmpty)
      var rows: [[CellValue]] = []
      try reader.forEachRow(of: ["packet", "seconds", "session"], where: "seconds > 0.03") { rows.append($1) }
      return rows
    }
    #expect(
      rows == [
        [.integer(3), .real(0.04), .integer(1)], [.integer(4), .real(0.06), .integer(1)],
      ])
  }

  @Test("A summary counts the window, and shows the part of the session in it")
  func summary() throws {
    let summary = try recording(from: 40, until: 80).summary().summary
    #expect(summary.packets == 2 && summary.types.map(\.type) == ["POSE"] && summary.types[0].arrivals.count == 2)
    let session = try #require(summary.sessions.first?.session)
    #expect(session.messages == 2 && session.end == .open)
    #expect(session.opened.nanoseconds == 40_000_000 && session.lastSeen.nanoseconds == 60_000_000)
    let lines = SummaryText(summary, style: .plain).lines(of: "x")
    #expect(lines.contains("  range         from 0.040 s until 0.080 s: 2 of 5 packets"), "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("  dropped") })
  }

  @Test("A session outside the window is not in it, and an empty window is no error")
  func empty() throws {
    let summary = try recording(from: 200).summary().summary
    #expect(summary.packets == 0 && summary.sessions.isEmpty && summary.span == nil)
    #expect(summary.filter?.note == "nothing to show from 0.200 s: the last of 5 packets is at 0.080 s")
  }

  @Test("A dissection shows the messages of the window")
  func dissection() throws {
    var bytes: [UInt8] = []
    var report = DissectionReport(isJSON: false, isSummary: false, style: .plain, Protocols.builtIn) { bytes += $0 }
    report.filter = WindowFilter(CaptureWindow(from: 60_000_000))
    #expect(try RecordingFiles.standard.recording(.session(), ports: .standard).dissect(to: &report) == nil)
    try report.finish()
    let heads = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("packet") }
    #expect(heads.map { $0.prefix(20) } == ["packet 4  0.060000 s", "packet 5  0.080000 s"])
    #expect(heads.allSatisfy { $0.hasSuffix("session 1") })
    #expect(report.summary.packets == 2 && report.filter?.total == 5)
  }

  @Test("A recording of our own is read anew for a window, and stays as it is")
  func capture() throws {
    let folder = try Folder()
    let path = folder["a.telecap"]
    try RecordingFiles.standard.importing(.packets(.session()), into: path, force: false, ports: .standard)
    var recording = try RecordingFiles.standard.recording(path)
    recording.window = CaptureWindow(until: 40_000_000)
    #expect(try packets(recording) == [1, 2])
    recording.window = nil
    #expect(try packets(recording) == [1, 2, 3, 4, 5])
  }
}
