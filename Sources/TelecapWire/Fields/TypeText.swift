/// The text at the start of a message that shows its type, in a protocol whose types are texts and not numbers. In OSC it is
/// the address, which the type tags follow (OpenSound Control 1.0, OSC Messages).
public struct TypeText: Hashable, Sendable {
  /// The offset of its first byte.
  public let offset: Int
  /// The bytes of the type itself, with its padding.
  public let type: [UInt8]
  /// The same and the constants that follow it without a gap: of two messages with one type, these show which one it is.
  public let whole: [UInt8]
  /// The texts in `whole`, each up to its first 0, and where they begin: receivers pass over the zeros that pad a text.
  public let texts: [(start: Int, bytes: [UInt8])]

  /// The offset after `whole`.
  var end: Int { offset + whole.count }

  /// Whether one of two texts begins the other, so that nothing discriminates their messages.
  public func isAmbiguous(with other: TypeText) -> Bool {
    other.whole.starts(with: whole) || whole.starts(with: other.whole)
  }

  /// The type text of a message with these fields; nil where the field of that name is not a constant text.
  init?(_ name: String, _ fields: [FieldRow]) {
    guard let index = fields.firstIndex(where: { $0.name == name }), let type = fields[index].constantText else {
      return nil
    }
    var (whole, texts): ([UInt8], [(start: Int, bytes: [UInt8])]) = ([], [])
    for row in fields[index...] {
      guard let text = row.constantText, !row.isVariable else { break }
      texts.append((whole.count, Array(text.prefix((text.firstIndex(of: 0) ?? text.count - 1) + 1))))
      whole += text
    }
    (offset, self.type, self.whole, self.texts) = (fields[index].offset, type, whole, texts)
  }

  /// Whether the bytes of a payload may begin a message of this type: those that are there are right.
  func mayBegin(_ bytes: RawSpan) -> Bool {
    texts.allSatisfy { text in
      let start = min(offset + text.start, bytes.byteCount)
      let there = min(text.bytes.count, bytes.byteCount - start)
      return bytes.extracting(start..<start + there).begins(with: text.bytes.prefix(there))
    }
  }

  public static func == (left: TypeText, right: TypeText) -> Bool {
    (left.offset, left.type, left.whole) == (right.offset, right.type, right.whole)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(offset)
    hasher.combine(whole)
  }
}

extension FieldRow {
  /// Whether it has the same value in every message.
  public var isConstant: Bool {
    if case .equal = rule { true } else { constantText != nil }
  }

  /// The text that it always is, with its padding; nil where it may be another.
  public var constantText: [UInt8]? {
    guard case .text(let size) = type else { return nil }
    switch rule {
    case .equal(let bits): return (0..<size).map { UInt8(truncatingIfNeeded: $0 < 8 ? bits >> UInt64(8 * $0) : 0) }
    case .form(let form): if case .constant(let bytes) = form.pattern { return bytes }
    default: break
    }
    return nil
  }
}

extension RawSpan {
  /// Whether its first bytes are these.
  func begins(with bytes: some RandomAccessCollection<UInt8>) -> Bool {
    guard byteCount >= bytes.count else { return false }
    return withUnsafeBytes { $0.starts(with: bytes) }
  }
}

/// The groups of messages by their type texts. Nothing in it is counted, so that finding a group costs no more than it compares.
struct TypeTexts: Sendable {
  /// A text of a message: its bytes in `pool`, and where they are in a payload.
  private struct Text: Sendable {
    var place: Int
    var bytes: Range<Int>
  }

  private struct Row: Sendable {
    var group: Int
    /// The bytes up to the end of its texts, with their padding.
    var size: Int
    var texts: Range<Int>
  }

  /// The longest first.
  private var rows: [Row] = []
  private var texts: [Text] = []
  private var pool: [UInt8] = []

  /// - Parameter all: the type texts of the groups, in their order.
  init(_ all: [TypeText]) {
    for (group, text) in all.enumerated() {
      let first = texts.count
      for (start, bytes) in text.texts {
        texts.append(Text(place: text.offset + start, bytes: pool.count..<pool.count + bytes.count))
        pool += bytes
      }
      rows.append(Row(group: group, size: text.offset + text.whole.count, texts: first..<texts.count))
    }
    rows.sort { $0.size > $1.size }
  }

  /// The group of a payload; nil where no message has its text.
  @inline(never)
  func group(of bytes: RawSpan) -> Int? {
    for row in rows where bytes.byteCount >= row.size && row.texts.allSatisfy({ isThere(texts[$0], bytes) }) {
      return row.group
    }
    return nil
  }

  @inline(__always)
  private func isThere(_ text: Text, _ bytes: RawSpan) -> Bool {
    for index in text.bytes
    where UInt8.read(bytes, at: text.place + index - text.bytes.lowerBound) != pool[index] {
      return false
    }
    return true
  }
}
