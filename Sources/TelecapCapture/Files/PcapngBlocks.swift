// The pcapng format (draft-ietf-opsawg-pcapng): sections of blocks, each with its type, its length, and its length again.
import TelecapRecording

/// The state that the blocks of the current section need.
struct PcapngSection {
  /// Whether the section's byte order differs from this machine's.
  var isSwapped = false
  /// The index in the reader's `interfaces` of the section's interface 0.
  var firstInterface = 0
  /// The clocks of the section's interfaces, in order.
  var clocks: [PcapngClock] = []
  /// The time of the last packet, which a simple packet block gets because it has none of its own.
  var lastTime = Timestamp.zero
  /// Statistics of interfaces whose description follows later, by the interfaces' numbers.
  var earlyStatistics: [Int: CaptureFileReader.Statistics] = [:]
}

/// The head of a block: its type and total length.
struct BlockHead {
  var type: UInt32
  var length: Int
}

enum BlockType {
  static let sectionHeader: UInt32 = 0x0a0d_0d0a
  static let interfaceDescription: UInt32 = 1
  static let obsoletePacket: UInt32 = 2
  static let simplePacket: UInt32 = 3
  static let interfaceStatistics: UInt32 = 5
  static let enhancedPacket: UInt32 = 6
}

extension CaptureFileReader {
  /// The maximum length of a block in memory, for the longest frame and a megabyte of options. Longer ones are skipped.
  static var largestBlock: Int { largestFrame + 1_048_576 }

  /// Reads on to the next packet; nil at the end of the file.
  mutating func nextPacketBlock() throws(CaptureFileError) -> FoundPacket? {
    while let head = try nextHead() {
      switch head.type {
      case BlockType.enhancedPacket:
        try readWhole(head)
        return try enhancedPacket(head)
      case BlockType.sectionHeader:
        try readSectionHeader()
      case BlockType.interfaceDescription:
        try readWhole(head)
        try readInterface(head)
      case BlockType.simplePacket:
        try readWhole(head)
        return try simplePacket(head)
      case BlockType.obsoletePacket:
        try readWhole(head)
        return try obsoletePacket(head)
      case BlockType.interfaceStatistics:
        try readWhole(head)
        try readStatistics(head)
      default:
        try skip(head)
      }
    }
    return nil
  }

  /// The head of the next block, still in the window; nil at the end of the file. The length of a section header is not
  /// checked here, because its byte order is not known yet.
  private mutating func nextHead() throws(CaptureFileError) -> BlockHead? {
    guard try source.has(8) else {
      if source.available == 0 { return nil }
      throw truncated(needed: 12)
    }
    let type: UInt32 = source.bytes.integer(0, swapped: section.isSwapped)
    let length = Int(source.bytes.integer(4, as: UInt32.self, swapped: section.isSwapped))
    if type != BlockType.sectionHeader { try check(length: length) }
    return BlockHead(type: type, length: length)
  }

  /// Checks that a block has a head and a trailer, and a length that is a multiple of four bytes (§3.1).
  func check(length: Int, _ part: CaptureFileError.Part = .block) throws(CaptureFileError) {
    guard length >= 12, length % 4 == 0 else {
      throw damaged("its length is \(length), and a block's is a multiple of 4 and at least 12", part)
    }
  }

  /// Brings the whole block into the window and compares its two lengths.
  mutating func readWhole(
    _ head: BlockHead, _ part: CaptureFileError.Part = .block
  ) throws(CaptureFileError) {
    guard head.length <= Self.largestBlock else {
      throw damaged("its length is \(head.length), and \(Self.largestBlock) is the most that is believed", part)
    }
    guard try source.has(head.length) else { throw truncated(part, needed: head.length) }
    let trailer = Int(source.bytes.integer(head.length - 4, as: UInt32.self, swapped: section.isSwapped))
    guard trailer == head.length else {
      throw damaged("it says \(head.length) bytes at its start and \(trailer) at its end", part)
    }
  }

  /// Skips a block of an unknown type without storing it.
  private mutating func skip(_ head: BlockHead) throws(CaptureFileError) {
    let start = source.offset
    let body = head.length - 4
    let skipped = try source.skip(body)
    guard skipped == body, try source.has(4) else {
      let had = skipped + source.available
      throw .truncated(path: path, offset: start, .block, needed: head.length, had: had)
    }
    let trailer = Int(source.bytes.integer(0, as: UInt32.self, swapped: section.isSwapped))
    guard trailer == head.length else {
      let reason = "it says \(head.length) bytes at its start and \(trailer) at its end"
      throw .damaged(path: path, offset: start, .block, reason: reason)
    }
    source.advance(4)
  }

  /// The options of the whole block in the window, from byte `start` of it.
  func options(_ head: BlockHead, from start: Int) -> PcapngOptions {
    PcapngOptions(
      bytes: UnsafeRawBufferPointer(start: source.bytes + start, count: head.length - 4 - start),
      isSwapped: section.isSwapped)
  }

  /// Checks that the block in the window has at least this many bytes.
  func check(
    _ head: BlockHead, atLeast needed: Int, _ part: CaptureFileError.Part = .block
  ) throws(CaptureFileError) {
    guard head.length >= needed else {
      throw damaged("its length is \(head.length), and its type needs at least \(needed)", part)
    }
  }

  func truncated(_ part: CaptureFileError.Part = .block, needed: Int) -> CaptureFileError {
    .truncated(path: path, offset: source.offset, part, needed: needed, had: source.available)
  }

  func damaged(_ reason: String, _ part: CaptureFileError.Part = .block) -> CaptureFileError {
    .damaged(path: path, offset: source.offset, part, reason: reason)
  }
}
