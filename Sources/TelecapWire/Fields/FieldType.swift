import TelecapRecording

/// The type of a field on the wire.
public enum FieldType: Hashable, Sendable {
  /// Unsigned, one byte.
  case u8
  /// Unsigned, two bytes.
  case u16
  /// Unsigned, three bytes.
  case u24
  /// Unsigned, four bytes.
  case u32
  /// Unsigned, eight bytes.
  case u64
  /// Two's complement, one byte.
  case i8
  /// Two's complement, two bytes.
  case i16
  /// Two's complement, three bytes.
  case i24
  /// Two's complement, four bytes.
  case i32
  /// Two's complement, eight bytes.
  case i64
  /// IEEE 754 binary32.
  case f32
  /// IEEE 754 binary64.
  case f64
  /// Unsigned, some bits of bytes that it shares with its neighbours.
  case bits(BitSlice)
  /// So many bytes of text, NUL-padded.
  case text(Int)
  /// Text whose length in bytes is in an earlier field.
  case variableText
  /// So many bytes that are no number, such as an address.
  case octets(Int)
  /// Bytes whose count is in an earlier field.
  case variableOctets
  /// A number that is written as decimal digits, so many of them after the point: a whole number of 32 bits in steps of the last digit.
  case decimal(places: Int)
  /// All that is left, not understood.
  case rest

  /// The size in bytes; nil where the message decides. Of a slice the bytes of which it has bits.
  public var size: Int? {
    switch self {
    case .u8, .i8: 1
    case .u16, .i16: 2
    case .u24, .i24: 3
    case .u32, .i32, .f32: 4
    case .u64, .i64, .f64: 8
    case .bits(let slice): slice.size
    case .text(let count), .octets(let count): count
    case .variableText, .variableOctets, .decimal, .rest: nil
    }
  }

  /// The name that the documents use: `uint16`, `float32`, `bits 11`, `char[6]`.
  public var name: String {
    switch self {
    case .u8: "uint8"
    case .u16: "uint16"
    case .u24: "uint24"
    case .u32: "uint32"
    case .u64: "uint64"
    case .i8: "int8"
    case .i16: "int16"
    case .i24: "int24"
    case .i32: "int32"
    case .i64: "int64"
    case .f32: "float32"
    case .f64: "float64"
    case .bits(let slice): "bits \(slice.count)"
    case .octets(let count): "uint8[\(count)]"
    case .variableOctets: "uint8[]"
    case .text(let count): "char[\(count)]"
    case .variableText: "char[]"
    case .decimal: "decimal"
    case .rest: "bytes"
    }
  }
}

/// A field's value, whatever its type.
public enum FieldValue: Hashable, Sendable {
  /// u8, u16, u24, u32, u64, bits.
  case unsigned(UInt64)
  /// i8, i16, i24, i32, i64.
  case signed(Int64)
  /// f32, bit for bit: NaN payloads and −0 are kept.
  case float(Float)
  /// f64, bit for bit; and what a scaled number of the wire stands for.
  case double(Double)
  /// Text as it was, without its NUL padding; bytes that are not UTF-8 are repaired for display.
  case text(String)
  /// Bytes that nobody understood.
  case bytes([UInt8])
}

extension FieldValue: CustomStringConvertible {
  /// The value as a person reads it; floats in the shortest form that reads back the same.
  public var description: String {
    switch self {
    case .unsigned(let value): "\(value)"
    case .signed(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .text(let value): value
    case .bytes(let value): Hex.text(value)
    }
  }
}
