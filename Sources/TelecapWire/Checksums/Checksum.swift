/// The checksum that a field holds: its algorithm, and the bytes that it covers. The field's own bytes count as 0 among them.
public struct Checksum: Sendable {
  /// How it is computed.
  public let algorithm: ChecksumAlgorithm
  /// The offset of the first byte that it covers.
  public let from: Int
  /// The offset after the last one; nil where it covers the message to its end.
  public let to: Int?
  /// A byte that is added after the covered ones, and that is in no message, such as MAVLink's CRC_EXTRA.
  public let extra: UInt8?
  /// The rule that is broken when it is wrong.
  public let rule: Rule
  /// The edges of fields where what it covers begins and ends in a message that shows that; nil where the offsets are those of all.
  private let first: FieldEdge?
  private let last: FieldEdge?
  private let machine: ChecksumMachine

  /// A checksum of these bytes.
  public init(
    _ algorithm: ChecksumAlgorithm = .crc32, from: Int = 0, to: Int? = nil, extra: UInt8? = nil,
    _ rule: Rule = .checksum
  ) {
    (self.algorithm, self.from, self.to, self.extra, self.rule) = (algorithm, from, to, extra, rule)
    (first, last) = (nil, nil)
    machine = ChecksumMachine(algorithm)
  }

  /// A checksum of the bytes between these edges of fields; nil where it covers the message to its end.
  public init(
    _ algorithm: ChecksumAlgorithm, from: FieldEdge, to: FieldEdge?, extra: UInt8? = nil, _ rule: Rule = .checksum
  ) {
    (self.algorithm, self.from, self.to, self.extra, self.rule) = (algorithm, from.offset, to?.offset, extra, rule)
    first = from.isShifted ? from : nil
    last = to?.isShifted == true ? to : nil
    machine = ChecksumMachine(algorithm)
  }

  /// The numbers of fields before the start and the end of what it covers whose size the message shows.
  public var movableBefore: (start: Int, end: Int) { (first?.movableBefore ?? 0, last?.movableBefore ?? 0) }

  /// The checksum of a message of `count` bytes at the start of `bytes`; nil where the message ends before what is covered.
  public func value(of bytes: RawSpan, count: Int, in place: Range<Int>) -> UInt64? {
    let (from, end) = (first?.offset(in: bytes) ?? self.from, last?.offset(in: bytes) ?? to ?? count)
    guard from <= end, end <= min(count, bytes.byteCount) else { return nil }
    return machine.value(of: bytes, from..<end, zeroing: place, extra: extra)
  }
}

extension Checksum: Hashable {
  public static func == (left: Checksum, right: Checksum) -> Bool {
    left.algorithm == right.algorithm && left.from == right.from && left.to == right.to && left.extra == right.extra
      && left.rule == right.rule && left.first == right.first && left.last == right.last
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(algorithm)
    hasher.combine(from)
    hasher.combine(to)
    hasher.combine(extra)
  }
}

extension Checksum: CustomStringConvertible {
  /// Its algorithm and what it covers: `crc32 of all bytes`, `crc16-x25 of bytes 1–9, then 50`.
  public var description: String {
    let place =
      switch to {
      case nil where from == 0: "all bytes"
      case nil: "the bytes from \(from) on"
      case let to?: "bytes \(from)–\(to - 1)"
      }
    return "\(algorithm) of \(place)" + (extra.map { ", then \($0)" } ?? "")
  }
}
