/// When a field is there: certain bits of an earlier number have this value.
public struct FieldCondition: Hashable, Sendable {
  /// The name of the number.
  public let field: String
  /// The bits of it that count.
  public let mask: UInt64
  /// Their value if the field is there.
  public let value: UInt64
  let place: FieldPlace

  /// The field is there where the number in `row` has these bits, all others of `mask` being 0.
  public init(_ row: FieldRow, mask: UInt64, value: UInt64) {
    (field, self.mask, self.value, place) = (row.name, mask, value, FieldPlace(row))
  }
}

extension FieldCondition: CustomStringConvertible {
  /// `flags & 0x10`, or `kind = 3` where all bits count.
  public var description: String {
    mask == place.largest
      ? "\(field) = \(value)" : "\(field) & 0x\(String(mask, radix: 16)) = 0x\(String(value, radix: 16))"
  }
}

/// The size of text or bytes, as a number before them counts it.
public struct FieldLength: Hashable, Sendable {
  /// The name of the number.
  public let field: String
  /// The bytes that one of it counts.
  public let step: Int
  /// The bytes that it counts and that are not of the text.
  public let less: Int
  let place: FieldPlace

  /// As many times `step` bytes as `row` says, without `less` of them.
  public init(_ row: FieldRow, step: Int = 1, less: Int = 0) {
    (field, self.step, self.less, place) = (row.name, step, less, FieldPlace(row))
  }

  /// The number that counts so many bytes; nil where none does.
  func number(ofBytes count: Int) -> UInt64? {
    (count + less).isMultiple(of: step) ? UInt64((count + less) / step) : nil
  }
}

extension FieldRow {
  /// The number that counts these bytes of the field: bytes, words or entries; nil where none does.
  func number(ofContent content: [UInt8], _ length: FieldLength) -> UInt64? {
    guard let repeated, repeated.entrySize == nil else { return length.number(ofBytes: content.count) }
    let extent = repeated.extent(in: content.span.bytes)
    return extent.end == content.count ? UInt64(extent.count) : nil
  }
}
