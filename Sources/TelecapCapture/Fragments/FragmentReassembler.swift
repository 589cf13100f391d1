import TelecapRecording
import TelecapWire

/// Reassembles fragmented IP datagrams in bounded memory: at most `maxDatagrams` incomplete ones of at most 65,535
/// bytes, each for at most 60 s of the capture's time (RFC 791 §3.2, RFC 8200 §4.5, RFC 1122 §3.3.2).
struct FragmentReassembler: Sendable {
  /// A finding about the current packet, or about the one with the first fragment of a datagram.
  struct Found: Sendable {
    var finding: Finding
    var packet: PacketHeader
  }

  /// The maximum number of incomplete datagrams.
  static let maxDatagrams = 64
  /// The maximum length of a datagram's payload, in bytes.
  static let maxLength = 65_535
  /// The reassembly timeout after the first fragment.
  static let timeout: Nanoseconds = 60_000_000_000

  /// The incomplete datagrams, in the order of their first fragments.
  private var datagrams: [IncompleteDatagram] = []
  /// The newest complete datagrams, oldest first. A capture of several interfaces or of a mirror port contains each
  /// fragment twice, and the second copy of the last one would otherwise start a new datagram.
  private var complete: [IncompleteDatagram] = []

  /// Handles the next fragment.
  ///
  /// - Parameters:
  ///   - bytes: the frame that contains the fragment's range.
  ///   - found: receives the findings.
  /// - Returns: the bytes after the IP header of the completed datagram, with its first fragment, whose headers are
  ///   those of the datagram (RFC 8200 §4.5); nil if none is complete.
  mutating func receive(
    _ fragment: Fragment, _ header: PacketHeader, _ bytes: RawSpan, _ found: inout [Found]
  ) -> (bytes: [UInt8], first: Fragment)? {
    expire(at: header.time, &found)
    let count = fragment.range.count
    // Reject a truncated fragment, or one with an invalid length (RFC 8200 §4.5: a multiple of eight, except for the
    // last).
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

  /// Ends the capture: datagrams that are incomplete stay so.
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

  /// The findings for a datagram that stays incomplete; none for a rejected one, which already has a finding, and none
  /// for one that only repeats fragments of a complete one.
  private static func lost(_ datagram: IncompleteDatagram, _ rule: Rule) -> [Found] {
    if datagram.isRejected || datagram.isRepeat { return [] }
    let had = datagram.received
    let detail: Finding.Detail = datagram.length.map { .lengths(needed: $0, had: had) } ?? .count(had)
    return [Found(finding: Finding(rule, 0..<0, detail), packet: datagram.first)]
  }
}
