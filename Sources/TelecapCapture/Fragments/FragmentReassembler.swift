import TelecapRecording
import TelecapWire

/// Reassembles fragmented IP datagrams in bounded memory: at most `maxDatagrams` incomplete ones of at most 65,535 bytes, each for
/// at most 60 s of the capture's time (RFC 791 §3.2, RFC 8200 §4.5, RFC 1122 §3.3.2).
struct FragmentReassembler: Sendable {
  /// Something that was found: of the packet at hand, or of the one that brought a datagram's first fragment.
  struct Found: Sendable {
    var finding: Finding
    var packet: PacketHeader
  }

  /// How many datagrams are incomplete at a time.
  static let maxDatagrams = 64
  /// The longest payload of a datagram, in bytes.
  static let maxLength = 65_535
  /// How long fragments are waited for after the first.
  static let timeout: Nanoseconds = 60_000_000_000

  /// In the order in which their first fragments came.
  private var datagrams: [IncompleteDatagram] = []
  /// The newest complete ones, the oldest first: a capture of several interfaces or of a mirror port has each fragment twice, and the
  /// second copy of the last one would begin a datagram of its own.
  private var complete: [IncompleteDatagram] = []

  /// Takes the next fragment.
  ///
  /// - Parameters:
  ///   - bytes: the frame in which the fragment's range is.
  ///   - found: gets what was found.
  /// - Returns: the bytes after the IP header of the datagram that is whole now, with its first fragment, whose headers are those of the
  ///   datagram (RFC 8200 §4.5); nil where none is.
  mutating func receive(
    _ fragment: Fragment, _ header: PacketHeader, _ bytes: RawSpan, _ found: inout [Found]
  ) -> (bytes: [UInt8], first: Fragment)? {
    expire(at: header.time, &found)
    let count = fragment.range.count
    // One that is cut, or is no fragment by its length (RFC 8200 §4.5: a multiple of eight, unless it is the last).
    guard fragment.missing == 0, count > 0, count % 8 == 0 || !fragment.moreFollow,
      fragment.offset + count <= Self.maxLength
    else {
      let detail: Finding.Detail =
        fragment.missing > 0
        ? .lengths(needed: count + fragment.missing, had: count)
        : .range(fragment.offset..<fragment.offset + count)
      found.append(Found(finding: Finding(.packetDamaged, 0..<0, detail), packet: header))
      return nil
    }
    let key = IncompleteDatagram.Key(fragment, interface: header.interface)
    let index = datagrams.firstIndex { $0.key == key } ?? begin(key, header, &found)
    switch datagrams[index].add(fragment, bytes.extracting(fragment.range), header) {
    case .waiting: return nil
    case .overlap:
      found.append(Found(finding: Finding(.fragmentOverlap, 0..<0), packet: header))
      return nil
    case .whole(let first):
      let datagram = datagrams.remove(at: index)
      remember(datagram)
      return (datagram.bytes, first)
    }
  }

  private mutating func remember(_ datagram: IncompleteDatagram) {
    complete.removeAll { $0.key == datagram.key }
    if complete.count == Self.maxDatagrams { complete.removeFirst() }
    complete.append(datagram)
  }

  /// The capture has ended: the datagrams that are incomplete will stay so.
  mutating func finish(_ found: inout [Found]) {
    datagrams.forEach { found += Self.lost($0, .fragment) }
    datagrams.removeAll()
  }

  private mutating func begin(
    _ key: IncompleteDatagram.Key, _ header: PacketHeader, _ found: inout [Found]
  ) -> Int {
    if datagrams.count == Self.maxDatagrams { found += Self.lost(datagrams.removeFirst(), .fragmentLimit) }
    let former = complete.last { $0.key == key }?.bytes
    datagrams.append(IncompleteDatagram(key, first: header, former: former))
    return datagrams.count - 1
  }

  private mutating func expire(at now: Timestamp, _ found: inout [Found]) {
    if complete.contains(where: { Self.isExpired($0, at: now) }) { complete.removeAll { Self.isExpired($0, at: now) } }
    guard datagrams.contains(where: { Self.isExpired($0, at: now) }) else { return }
    for datagram in datagrams where Self.isExpired(datagram, at: now) { found += Self.lost(datagram, .fragment) }
    datagrams.removeAll { Self.isExpired($0, at: now) }
  }

  private static func isExpired(_ datagram: IncompleteDatagram, at now: Timestamp) -> Bool {
    now.nanoseconds(since: datagram.first.time) > timeout
  }

  /// The finding for a datagram that stays incomplete; empty for a rejected one, which has its finding already, and for one that only
  /// repeats fragments of a complete one.
  private static func lost(_ datagram: IncompleteDatagram, _ rule: Rule) -> [Found] {
    if datagram.isRejected || datagram.isRepeat { return [] }
    let had = datagram.received
    let detail: Finding.Detail = datagram.length.map { .lengths(needed: $0, had: had) } ?? .count(had)
    return [Found(finding: Finding(rule, 0..<0, detail), packet: datagram.first)]
  }
}
