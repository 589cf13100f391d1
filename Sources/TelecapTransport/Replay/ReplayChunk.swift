import TelecapImpairment
import TelecapRecording

/// Some hundred packets with their bytes in one block of memory, for the thread that sends. The thread that reads and
/// plans also adds plan lines, which may be about packets of earlier chunks. Chunks are reused.
///
/// Packets and bytes are in its own memory instead of arrays, which would count references for every packet.
///
/// `@unchecked Sendable`: one thread has it at a time; `ReplayFeed` passes it on under its lock.
final class ReplayChunk: @unchecked Sendable {
  /// A packet's address is its chunk's number, shifted by this many bits, and its index in the chunk, so that packets
  /// ascend.
  static let addressBits = 9
  static let capacity = 1 << addressBits
  /// The number of bytes at which a chunk is full.
  static let byteLimit = 256 << 10

  private struct Entry {
    /// Its `sentAt` is set with its line.
    var packet: ReplayPacket
    var bytes: Range<Int>
    var pieces: Range<Int>
  }

  struct Line {
    /// A plan line with the packet's address in place of its number.
    var line: PlanLine
    var sentAt: Nanoseconds
  }

  // Code that changes one of these calls no other code meanwhile, so exclusivity needs no check for each packet.
  @exclusivity(unchecked) private(set) var number = 0
  @exclusivity(unchecked) var lines: [Line] = []
  /// The number of its packets without a line and of deliveries that have not been sent; plus one for its own lines.
  @exclusivity(unchecked) var open = 0
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var pieces: [StreamPiece] = []
  @exclusivity(unchecked) private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
  @exclusivity(unchecked) private var filled = 0
  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: ReplayChunk.capacity)

  deinit {
    memory.deallocate()
    entries.deallocate()
  }

  var isFull: Bool { count == Self.capacity || filled >= Self.byteLimit }

  func clear(number: Int) {
    self.number = number
    pieces.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    (open, count, filled) = (0, 0, 0)
  }

  /// Adds a packet with a copy of its bytes; returns its address.
  ///
  /// - Precondition: the chunk is not full.
  func add(_ packet: ReplayPacket, pieces more: [StreamPiece], _ bytes: RawSpan) -> Int {
    precondition(count < Self.capacity, "a packet is added to a full chunk")
    let end = filled + bytes.byteCount
    if end > memory.count { grow(to: end) }
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[filled..<end]).copyMemory(from: $0) }
    let first = pieces.count
    if !more.isEmpty { pieces.append(contentsOf: more) }
    (entries + count).initialize(to: Entry(packet: packet, bytes: filled..<end, pieces: first..<pieces.count))
    filled = end
    count += 1
    return number << Self.addressBits | (count - 1)
  }

  private func grow(to size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 2 * memory.count), alignment: 8)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<filled]))
    memory.deallocate()
    memory = larger
  }

  // MARK: A packet, by its place in the chunk

  /// The packet at an index.
  func packet(_ place: Int) -> ReplayPacket { entries[checked(place)].packet }

  /// Sets the time at which a packet would be sent over a perfect network, in ns, from its line.
  func settle(_ place: Int, sentAt: Nanoseconds) { entries[checked(place)].packet.sentAt = sentAt }

  /// Its bytes, valid until the chunk is cleared.
  func bytes(_ place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[entries[checked(place)].bytes])
  }

  /// The byte stream pieces in it.
  func pieces(_ place: Int) -> ArraySlice<StreamPiece> { pieces[entries[checked(place)].pieces] }

  @inline(__always)
  private func checked(_ place: Int) -> Int {
    precondition(place >= 0 && place < count, "no packet at this place of the chunk")
    return place
  }
}
