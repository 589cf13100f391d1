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

  @Test("Every packet comes, in order, as it does on one thread", arguments: [0, 1, 8_190, 8_191, 9_000, 10_238])
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

  @Test(
    "Numbers that are left out are no packets, and a large one at the end is read soon", arguments: [10_000, 1 << 40])
  func gaps(_ last: Int) throws {
    let folder = try Folder()
    _ = try capture(9_000, in: folder)
    try Database(folder["a.telecap"]).run(
      """
      DELETE FROM packet WHERE id BETWEEN 1000 AND 4000 OR id BETWEEN 5120 AND 6144;
      UPDATE packet SET id = \(last) WHERE id = (SELECT max(id) FROM packet)
      """)
    let reader = try RecordingFiles.builtIn.reader(folder["a.telecap"])
    var numbers: [Int] = []
    try reader.forEachPacketAhead { header, _ in numbers.append(header.number) }
    #expect(numbers == Array(1...999) + Array(4001...5119) + Array(6145...9001) + [last])
  }

  @Test("Of two readers each reads every second range, and the first and the last are open")
  func ranges() {
    let ranges = PacketRanges(last: 8_193)
    let both = (0..<2).map { reader in ranges.of(reader: reader).map { [$0.after, $0.upTo] } }
    #expect(both[0] == [[.min, 1_024], [2_048, 3_072], [4_096, 5_120], [6_144, 7_168], [8_192, .max]])
    #expect(both[1] == [[1_024, 2_048], [3_072, 4_096], [5_120, 6_144], [7_168, 8_192]])
    for short in [PacketRanges(last: nil), PacketRanges(last: 8_192)] {
      #expect(short.readers == 1 && short.of(reader: 0).map { [$0.after, $0.upTo] } == [[.min, .max]])
    }
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
