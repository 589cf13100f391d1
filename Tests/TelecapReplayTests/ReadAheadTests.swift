import TelecapCapture
import TelecapFiles
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapStore
import TelecapTestSupport
import Testing

@testable import TelecapReplay

/// A capture that one thread reads while another makes something of it.
@Suite struct ReadAheadTests {
  private struct Enough: Error {}

  /// A capture of so many poses: each takes more than 70 bytes, and a batch is handed over with 128 KiB.
  private func capture(_ poses: Int, in folder: Folder) throws -> CaptureReader {
    let path = folder["a.telecap"]
    try RecordingFiles.builtIn.importing(.packets(.poses(poses)), into: path, force: true, ports: .standard)
    return try RecordingFiles.builtIn.reader(path)
  }

  @Test("Every packet comes, in order, as it does on one thread", arguments: [0, 1, 9_000])
  func same(_ poses: Int) throws {
    let folder = try Folder()
    let reader = try capture(poses, in: folder)
    var (ahead, plain): ([PacketHeader], [PacketHeader]) = ([], [])
    var (aheadDigest, plainDigest) = (CaptureDigest(), CaptureDigest())
    try reader.forEachPacketAhead {
      ahead.append($0)
      aheadDigest.add($1)
    }
    try reader.forEachPacket {
      plain.append($0)
      plainDigest.add($1)
    }
    #expect(ahead == plain && ahead.count == poses + 2 && aheadDigest == plainDigest)
  }

  @Test("Who has had enough ends it, however much was read", arguments: [1, 5_000])
  func enough(_ packets: Int) throws {
    let folder = try Folder()
    let reader = try capture(9_000, in: folder)
    var seen = 0
    #expect(throws: Enough.self) {
      try reader.forEachPacketAhead { _, _ in
        seen += 1
        if seen == packets { throw Enough() }
      }
    }
    #expect(seen == packets)
  }

  @Test("What breaks the capture is told behind all that came before")
  func damage() throws {
    let folder = try Folder()
    _ = try capture(9_000, in: folder)
    var bytes = try [UInt8](file: folder["a.telecap"])
    for place in bytes.count / 8..<bytes.count / 6 { bytes[place] = 0xff }
    try bytes.write(to: folder["a.telecap"])
    let reader = try RecordingFiles.builtIn.reader(folder["a.telecap"])
    var (ahead, plain) = (0, 0)
    let error = try #require(throws: StoreError.self) { try reader.forEachPacket { _, _ in plain += 1 } }
    #expect(throws: error) { try reader.forEachPacketAhead { _, _ in ahead += 1 } }
    #expect(ahead == plain && (1..<9_000).contains(plain))
  }
}
