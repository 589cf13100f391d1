import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// Captures that were compressed with gzip or zstd.
@Suite("Compressed captures") struct CompressionTests {
  /// `smallPcap()` as `gzip -n` and `zstd --single-thread` compressed it.
  static let gzip = hex(
    "1f8b0800000000000003bb7278d3422606160618f8ff9f8181910182998098158a199998595899810c7b277e24c5ffffb303699038270873b0"
      + "03001f80a25550000000")
  static let zstd = hex(
    "28b52ffd2450e50100c402d4c3b2a102000400ffff0000010002000000050102030405030000003f420fffff07000000090000000908070500"
      + "3b4381ca2490f56e140270015126e0df")

  private static func compressed(_ compression: Compression) -> [UInt8] { compression == .gzip ? gzip : zstd }

  @Test("A compressed capture gives the same packets as the plain one", arguments: Compression.allCases)
  func whole(compression: Compression) throws {
    let (result, plain) = (try read(Self.compressed(compression)), try read(smallPcap()))
    #expect(result.error == nil)
    #expect(result.packets == plain.packets && result.packets.count == 3)
    #expect(result.interfaces == plain.interfaces)
    try withTemporaryPath { path in
      try Self.compressed(compression).write(to: path)
      let reader = try CaptureFileReader(path: path)
      #expect(reader.compression == compression)
      #expect(reader.format == .pcap)
    }
  }

  @Test("Pieces that were compressed one by one are one file, and a truncation between them is found")
  func members() throws {
    let gzip = [
      "1f8b0800000000000003bb7278d3422606160618f8ff9f8181910182998098158a199998595899810c7b0098b2dbca32000000",
      "1f8b080000000000000373e2678081ff40c00ea4998198138439d8018ffc5ed71e000000",
    ]
    let zstd = [
      "28b52ffd00583d0100e8d4c3b2a102000400ffff0000010002000000050102030405030000003f030020ebdd2804e002",
      "28b52ffd0058f10000420f000000000000000000ffffffff070000000300000009000000090807",
    ]
    for pieces in [gzip, zstd] {
      let result = try read(hex(pieces.joined()))
      #expect(result.error == nil)
      #expect(try result.packets == read(smallPcap()).packets)
      // The first piece is whole, and the capture ends in a record.
      let first = try read(hex(pieces[0]))
      #expect(first.packets.count == 1)
      #expect(first.error == .truncated(path: "file", offset: 45, .record, needed: 16, had: 5))
    }
  }

  @Test("A skippable frame before a zstd frame is skipped: pzstd writes one")
  func skippable() throws {
    for magic in ["50", "5f"] {
      let result = try read(hex("\(magic)2a4d1804000000a1000000") + Self.zstd)
      #expect(result.error == nil)
      #expect(try result.packets == read(smallPcap()).packets)
    }
  }

  @Test("Every truncation is an error, after the packets before it", arguments: Compression.allCases)
  func everyTruncation(compression: Compression) throws {
    let whole = Self.compressed(compression)
    for count in 4..<whole.count {
      let result = try read(Array(whole.prefix(count)))
      let words = "file: \(compression.rawValue) decompression failed after byte "
      #expect(result.error?.description.hasPrefix(words) == true, "\(count): \(String(describing: result.error))")
      #expect(result.error?.description.contains("its end is missing") == true, "\(count)")
      #expect(result.packets.count <= 3)
    }
    // In gzip the bytes come before their checksum; in zstd a block is there whole or not at all.
    #expect(try read(Array(Self.gzip.dropLast(8))).packets.count == 3)
  }

  @Test("A byte that was changed is found by the checksum", arguments: Compression.allCases)
  func damage(compression: Compression) throws {
    var bytes = Self.compressed(compression)
    bytes[bytes.count - (compression == .gzip ? 5 : 1)] ^= 1
    let result = try read(bytes)
    guard case .cannotDecompress("file", let offset, compression, let reason) = result.error else {
      Issue.record("\(String(describing: result.error))")
      return
    }
    #expect(offset <= 80 && !reason.isEmpty)
    #expect(result.error?.description.contains("; the packets before it were read") == (offset > 0))
  }

  @Test("Random damage never traps, and an error always has a text", arguments: Compression.allCases)
  func randomDamage(compression: Compression) throws {
    var random = SplitMix64(seed: 11)
    let whole = Self.compressed(compression)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      let result = try read(bytes)
      #expect(result.error.map { !$0.description.isEmpty } ?? true)
    }
  }

  @Test("Zeros after the end of gzip are padding, and other bytes are an error")
  func trailer() throws {
    #expect(try read(Self.gzip + [0, 0, 0, 0]).error == nil)
    let result = try read(Self.gzip + [0, 0, 7, 7])
    #expect(result.packets.count == 3)
    #expect(result.error?.description.contains("after byte 80 of the decompressed capture") == true)
  }

  @Test("An error on a system without libzstd names what to install")
  func noLibrary() {
    let error = CaptureFileError.noDecompressor(path: "a.zst", .zstd, reason: ZstdDecompressor.missing.reason)
    #expect(
      error.description
        == "a.zst: it is compressed with zstd, and this system has no libzstd; install it (apt install libzstd1, brew install "
        + "zstd), or decompress the file first: zstd -d FILE")
    #expect(SharedLibrary("libtelecap-has-no-such.so") == nil)
  }

  @Test("An error for a compressed file without a capture names its content")
  func noCapture() throws {
    for (bytes, words) in [
      ("1f8b08000000000000032bc9cc4dd5a9d0a9e4020078507fb309000000", "it looks like text"),
      (
        "1f8b080000000000000393efe6600003e6dd4515979dd4d8c4d8247efc9fdfd83891b16966c30cd12ec9993322236636f254abd7a91cfdff7f3373e6040b758ee20dcc0cf20d8b4203809a01c96a188943000000",
        "it is compressed with gzip twice"
      ),
      ("1f8b080000000000000303000000000000000000", "it is empty"),
    ] {
      #expect(
        try read(hex(bytes)).error
          == .notCapture(path: "file", looksLike: "it is compressed with gzip, and in it: \(words)"))
    }
  }

  @Test(
    "A capture that expands a thousandfold is streamed, from a file and from a pipe", .real("runs gzip and zstd"),
    arguments: Compression.allCases, [false, true])
  func expansion(compression: Compression, isPipe: Bool) throws {
    var file = ByteList()
    file.add(UInt32(0xa1b2_c3d4))
    file.add(UInt16(2), UInt16(4))
    file.add(UInt32(0), 0, 65_535, 1)
    for number in 0..<400 {
      file.add(UInt32(number), 2, 65_000, 65_000)
      file.add([UInt8](repeating: 0, count: 65_000))
    }
    let folder = try Folder()
    let path = try folder.write(file.bytes, to: "large.pcap")
    let end = try Running("/usr/bin/env", [compression.rawValue, "-k", path]).finish(seconds: 60)
    #expect(end.status == 0, "\(end.errors)")
    let packed = path + (compression == .gzip ? ".gz" : ".zst")
    #expect(try [UInt8](file: packed).count < file.bytes.count / 500)
    let cat = Process()
    let pipe = Pipe()
    if isPipe {
      cat.executableURL = URL(filePath: "/bin/cat")
      (cat.arguments, cat.standardOutput) = ([packed], pipe)
      try cat.run()
    }
    var reader =
      isPipe
      ? try CaptureFileReader(descriptor: pipe.fileHandleForReading.fileDescriptor, path: "-")
      : try CaptureFileReader(path: packed)
    var packets = 0
    while try reader.next({ _, frame in packets += frame.byteCount == 65_000 ? 1 : 0 }) {}
    #expect(packets == 400)
    #expect(reader.offset == Int64(file.bytes.count))
    if isPipe { cat.waitUntilExit() }
  }
}
