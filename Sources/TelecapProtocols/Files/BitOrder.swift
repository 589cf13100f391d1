import TelecapConformance
import TelecapWire

/// Reads which bits of a byte the first of several fields of bits takes.
enum BitOrder {
  /// The words of a file: of the highest bits, and of the lowest.
  static let words = ["high-first", "low-first"]

  /// The order that a file gives, or the one that goes with its byte order.
  static func of(_ value: YAMLValue?, or byteOrder: ByteOrder) -> ByteOrder {
    value.map { $0.text == words[0] ? .big : .little } ?? byteOrder
  }

  /// The slice of `count` bits after the `taken` lowest or highest ones of a byte.
  static func slice(_ count: Int, after taken: Int, _ order: ByteOrder) -> BitSlice {
    let size = (taken + count + 7) / 8
    return BitSlice(count: count, shift: order == .little ? taken : 8 * size - taken - count)
  }
}

extension FieldRow {
  /// The bits from the start of its first byte to its own end; of a field without a fixed size none.
  private var bitEnd: Int {
    guard case .bits(let slice) = type else { return 8 * leastSize }
    return byteOrder == .little ? slice.shift + slice.count : 8 * slice.size - slice.shift
  }

  /// The offset of the byte in which the next field begins.
  var end: Int { offset + bitEnd / 8 }
  /// The bits of that byte that this field and those before it take.
  var bitsTaken: Int { bitEnd % 8 }
  /// Whether no other field has bits of its first byte that come before its own.
  var beginsByte: Bool {
    guard case .bits(let slice) = type else { return true }
    return (byteOrder == .little ? slice.shift : 8 * slice.size - slice.shift - slice.count) == 0
  }
}
