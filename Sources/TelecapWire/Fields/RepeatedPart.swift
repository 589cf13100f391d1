import TelecapRecording

/// Fields that a message has again and again: entries of one table, one after the other.
///
/// To the message they are the bytes of one field, whose size a number of the message shows, or which takes all that is left; this reads
/// them. It lives as long as the process, as tables of messages do, so that the packet path copies it without counting.
public struct RepeatedPart: Sendable {
  private final class Box: Sendable {
    let entry: Layout
    /// An entry as a message by itself, for code that makes one.
    let kind: MessageKind
    init(_ entry: Layout) {
      self.entry = entry
      let row = MessageRow(entry, place: 0, SessionPart(of: entry, nil, []), nil)
      kind = MessageKind(row)
      row.templates = Message.templates(kind)
    }
  }

  private let handle: Unmanaged<Box>
  /// The size of each entry in bytes; nil where an entry shows its own.
  public let entrySize: Int?

  /// Entries of this table, whose offsets count from the start of an entry. It has at least one byte, and its end does not depend on the
  /// bytes after it.
  public init(_ entry: Layout) {
    handle = .passRetained(Box(entry))
    entrySize = entry.isFixedSize ? entry.fixedSize : nil
  }

  /// The fields of an entry.
  public var entry: Layout { handle._withUnsafeGuaranteedRef { $0.entry } }

  fileprivate var kind: MessageKind { handle._withUnsafeGuaranteedRef { $0.kind } }

  /// So many bytes of empty entries: their constants, and 0 in every other field. Entries have one size.
  func emptyBytes(_ size: Int) -> [UInt8] {
    let entry = Message(empty: kind).bytes
    return (0..<size).map { entry[$0 % entry.count] }
  }

  /// The bytes of entries with these fields by name; the others hold the smallest right values.
  ///
  /// - Throws: `WireError` when an entry has no such field, or the field cannot hold the value.
  public func bytes(of entries: [[String: FieldValue]]) throws(WireError) -> [UInt8] {
    var bytes: [UInt8] = []
    for fields in entries { bytes += try Message(.right(kind), fields: fields).bytes }
    return bytes
  }

  /// The size of the entry that begins at `start`, which may reach after the end of the bytes where these do not show it all.
  @inline(__always)
  func size(at start: Int, in bytes: RawSpan) -> Int {
    if let entrySize { return entrySize }
    return handle._withUnsafeGuaranteedRef { $0.entry.size(in: bytes.extracting(start..<bytes.byteCount)) ?? .max }
  }

  /// The entry that begins at `start` of the field's bytes; nil where none ends within them.
  @inline(__always)
  public func next(at start: Int, in content: RawSpan) -> Range<Int>? {
    guard start < content.byteCount else { return nil }
    let size = size(at: start, in: content)
    return size <= content.byteCount - start ? start..<start + size : nil
  }

  /// The number of whole entries in the field's bytes, and where the last of them ends.
  func extent(in content: RawSpan) -> (count: Int, end: Int) {
    if let entrySize { return (content.byteCount / entrySize, content.byteCount / entrySize * entrySize) }
    var (count, end) = (0, 0)
    while let range = next(at: end, in: content) { (count, end) = (count + 1, range.upperBound) }
    return (count, end)
  }

  /// The number of whole entries in the field's bytes.
  public func count(in content: RawSpan) -> Int { extent(in: content).count }

  /// The bytes that this many entries have from `start` on; of the first one that is not all there, as many as it shows.
  func size(of count: Int, from start: Int, in bytes: RawSpan) -> Int {
    var end = start
    for _ in 0..<count {
      guard end < bytes.byteCount else { return end - start + (entrySize ?? leastSize) }
      let size = size(at: end, in: bytes)
      guard size <= bytes.byteCount - end else { return min(Int(Int32.max), end - start + size) }
      end += size
    }
    return end - start
  }

  /// The size of the shortest entry.
  private var leastSize: Int { handle._withUnsafeGuaranteedRef { $0.entry.fixedSize } }
}

extension RepeatedPart: Hashable {
  public static func == (left: RepeatedPart, right: RepeatedPart) -> Bool {
    left.handle.toOpaque() == right.handle.toOpaque()
      || left.entry.name == right.entry.name && left.entry.fields == right.entry.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(entry.fields) }
}

extension FieldRow {
  /// The ranges of its whole entries in a message; none of a field that does not repeat.
  public func entries(in bytes: RawSpan) -> [Range<Int>] {
    guard let repeated else { return [] }
    let range = range(in: bytes)
    let content = bytes.extracting(range)
    var (entries, end) = ([Range<Int>](), 0)
    while let entry = repeated.next(at: end, in: content) {
      entries.append(range.lowerBound + entry.lowerBound..<range.lowerBound + entry.upperBound)
      end = entry.upperBound
    }
    return entries
  }

  /// Its type as documents write it: `uint16`, `place[]` of entries of the part `place`.
  public var typeName: String {
    guard let repeated else { return type.name }
    guard let size = repeated.entrySize, case .octets(let count) = type else { return "\(repeated.entry.name)[]" }
    return "\(repeated.entry.name)[\(count / size)]"
  }
}

extension Layout {
  /// The row that a path names: a field, or one of an entry, such as `tiles[2].width`, with the number of that entry; nil where there is
  /// no such field.
  public func row(at path: String) -> (repeating: FieldRow?, entry: Int, row: FieldRow)? {
    guard let bracket = path.firstIndex(of: "[") else { return self[path].map { (nil, 0, $0) } }
    let rest = path[path.index(after: bracket)...]
    guard let row = self[String(path[..<bracket])], let repeated = row.repeated, let end = rest.firstRange(of: "]."),
      let number = Int(rest[..<end.lowerBound]), number >= 0,
      let inner = repeated.entry[String(rest[end.upperBound...])]
    else { return nil }
    return (row, number, inner)
  }
}

extension Message {
  /// The value of a field of an entry; nil where the message has no such entry, or the entry no such field.
  func value(of inner: FieldRow, inEntry number: Int, of row: FieldRow) -> FieldValue? {
    let span = bytes.span.bytes
    let entries = row.entries(in: span)
    guard entries.indices.contains(number) else { return nil }
    return inner.value(in: span.extracting(entries[number]))
  }

  /// Writes entries whose number is fixed: their constants and, where `isRight`, the smallest right values of their other fields.
  mutating func fillEntries(isRight: Bool) {
    for row in kind.layout.fields {
      guard let repeated = row.repeated, case .octets = row.type else { continue }
      let entry = isRight ? Message.right(repeated.kind) : Message(empty: repeated.kind)
      for range in row.entries(in: bytes.span.bytes) { replace(range, with: entry.bytes) }
    }
  }
}
