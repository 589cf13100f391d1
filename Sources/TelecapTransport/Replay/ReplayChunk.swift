import TelecapImpairment
import TelecapRecording

/// Some hundred packets with their bytes in one piece of memory, on their way from the thread that reads and plans to the
/// one that sends; and plan lines, which may concern packets of earlier chunks. Used again and again.
///
/// Packets and bytes lie in memory of its own and not in arrays, which would count their users for every packet.
///
/// `@unchecked Sendable`: one thread has it at a time; `ReplayFeed` hands it over under its lock.
final class ReplayChunk: @unchecked Sendable {
  /// A packet's address is its chunk's number, shifted by so many bits, and its place in the chunk: packets ascend.
  static let addressBits = 9
  static let capacity = 1 << addressBits
  /// A chunk that has so many bytes is full.
  static let byteLimit = 256 << 10

  private struct Entry {
    /// Its `sentAt` is known when its line has come.
    var packet: ReplayPacket
    var bytes: Range<Int>
    var pieces: Range<Int>
  }

  struct Line {
    /// With the packet's address in place of its number.
    var line: PlanLine
    var sentAt: Nanoseconds
  }

  // Nothing that changes one of these calls anything meanwhile, so that no packet needs to be looked after.
  @exclusivity(unchecked) private(set) var number = 0
  @exclusivity(unchecked) var lines: [Line] = []
  /// How many of its packets' lines have not come, and of their deliveries have not gone; one for its own lines.
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

  /// Adds a packet, whose bytes are copied; its address.
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

  /// The packet at a place.
  func packet(_ place: Int) -> ReplayPacket { entries[checked(place)].packet }

  /// Its line has come: when it would be sent over a perfect network, in ns.
  func settle(_ place: Int, sentAt: Nanoseconds) { entries[checked(place)].packet.sentAt = sentAt }

  /// Its bytes, valid until the chunk is cleared.
  func bytes(_ place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[entries[checked(place)].bytes])
  }

  /// The parts of streams that it is made of.
  func pieces(_ place: Int) -> ArraySlice<StreamPiece> { pieces[entries[checked(place)].pieces] }

  @inline(__always)
  private func checked(_ place: Int) -> Int {
    precondition(place >= 0 && place < count, "no packet at this place of the chunk")
    return place
  }
}
