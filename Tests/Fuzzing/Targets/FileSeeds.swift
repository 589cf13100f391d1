import TelecapRecording
import TelecapWire

/// Small files of the formats that the project's own captures are not in.
enum FileSeeds {
  static let all = [snoop, packetLogger, kuznetzov, before23, gzip, zstd]

  private static let snoop: [UInt8] =
    Array("snoop\0\0\0".utf8) + [0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 32, 0, 0, 0, 1]
    + [0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4, 5, 0, 0, 0]

  private static let packetLogger: [UInt8] =
    [0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 2, 2, 1, 2, 3] + [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0xfc]

  private static let pcapHeader: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 1, 0, 0, 0]

  private static let kuznetzov: [UInt8] =
    [0x34, 0xcd, 0xb2, 0xa1, 2, 0, 4, 0] + pcapHeader
    + [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 8, 0, 0, 7, 8, 9]

  private static let before23: [UInt8] =
    [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 2, 0] + pcapHeader + [1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 7, 8, 9]

  /// A pcap file of three packets, as `gzip -n` and `zstd` compress it.
  private static let gzip =
    Hex.bytes(
      "1f8b0800000000000003bb7278d3422606160618f8ff9f8181910182998098158a199998595899810c7b277e24c5ffffb303699038270873b0"
        + "03001f80a25550000000") ?? []
  private static let zstd =
    Hex.bytes(
      "28b52ffd2450e50100c402d4c3b2a102000400ffff0000010002000000050102030405030000003f420fffff07000000090000000908070500"
        + "3b4381ca2490f56e140270015126e0df") ?? []
}
