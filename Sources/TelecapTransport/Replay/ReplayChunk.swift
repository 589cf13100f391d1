import TelecapImpairment
import TelecapRecording

/// Some hundred packets with their bytes in one piece of memory, on their way from the thread that reads and plans to the
/// one that sends; and plan lines, which may concern packets of earlier chunks. Used again and again.
///
/// `@unchecked Sendable`: one thread has it at a time; `ReplayFeed` hands it over under its lock.
final class ReplayChunk: @unchecked Sendable {
  /// A packet's address is its chunk's number, shifted by so many bits, and its place in the chunk: packets ascend.
  static let addressBits = 9
  static let capacity = 1 << addressBits
  /// A chunk that has so many bytes is full.
  static let byteLimit = 256 << 10

  struct Entry {
    /// Its `sentAt` is known when its line has come.
    var packet: ReplayPacket
    var bytes: Range<Int>
    var pieces: Range<Int>
  }

  struct Line {
    /// With the packet's address in place of its number.
    var line: PlanLine
    var sentAt: Int64
  }

  // Nothing that changes one of these calls anything meanwhile, so that no packet needs to be looked after.
  @exclusivity(unchecked) var number = 0
  @exclusivity(unchecked) var entries: [Entry] = []
  @exclusivity(unchecked) var pieces: [StreamPiece] = []
  @exclusivity(unchecked) var bytes: [UInt8] = []
  @exclusivity(unchecked) var lines: [Line] = []
  /// How many of its packets' lines have not come, and of their deliveries have not gone; one for its own lines.
  @exclusivity(unchecked) var open = 0

  var isFull: Bool { entries.count == Self.capacity || bytes.count >= Self.byteLimit }

  func clear(number: Int) {
    self.number = number
    entries.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    open = 0
  }
}
