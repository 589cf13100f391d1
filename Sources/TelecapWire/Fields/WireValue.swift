/// A number that is on the wire in little-endian order, at any alignment.
public protocol WireValue: Sendable, Equatable {
  /// Its form on the wire.
  static var fieldType: FieldType { get }
  /// Reads the value at `offset`, or nil where the bytes end before it does.
  static func read(_ bytes: RawSpan, at offset: Int) -> Self?
  /// The value's bytes in wire order, in the low bits: the first byte is the least significant.
  var wireBits: UInt64 { get }
}

extension WireValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Reads the integer at `offset`, at any alignment, or nil where the bytes end before it does.
  @inlinable
  public static func read(_ bytes: RawSpan, at offset: Int) -> Self? {
    guard offset >= 0, bytes.byteCount &- offset >= MemoryLayout<Self>.size else { return nil }
    return Self(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Self.self))
  }

  /// The integer, sign-extended.
  @inlinable
  public var wireBits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt8: WireValue {
  /// One byte.
  public static var fieldType: FieldType { .u8 }
}
extension UInt16: WireValue {
  /// Two bytes.
  public static var fieldType: FieldType { .u16 }
}
extension UInt32: WireValue {
  /// Four bytes.
  public static var fieldType: FieldType { .u32 }
}
extension UInt64: WireValue {
  /// Eight bytes.
  public static var fieldType: FieldType { .u64 }
}
extension Int8: WireValue {
  /// One byte, two's complement.
  public static var fieldType: FieldType { .i8 }
}
extension Int16: WireValue {
  /// Two bytes, two's complement.
  public static var fieldType: FieldType { .i16 }
}

extension Float: WireValue {
  /// Four bytes, IEEE 754 binary32.
  public static var fieldType: FieldType { .f32 }

  /// Reads the float at `offset` bit for bit, at any alignment, or nil where the bytes end before it does.
  @inlinable
  public static func read(_ bytes: RawSpan, at offset: Int) -> Float? {
    UInt32.read(bytes, at: offset).map(Float.init(bitPattern:))
  }

  /// The float's bit pattern.
  @inlinable
  public var wireBits: UInt64 { UInt64(bitPattern) }
}
extension Int32: WireValue {
  /// Four bytes, two's complement.
  public static var fieldType: FieldType { .i32 }
}

extension Int64: WireValue {
  /// Eight bytes, two's complement.
  public static var fieldType: FieldType { .i64 }
}

extension Double: WireValue {
  /// Eight bytes, IEEE 754 binary64.
  public static var fieldType: FieldType { .f64 }

  /// Reads the number at `offset` bit for bit, at any alignment, or nil where the bytes end before it does.
  @inlinable
  public static func read(_ bytes: RawSpan, at offset: Int) -> Double? {
    UInt64.read(bytes, at: offset).map(Double.init(bitPattern:))
  }

  /// The number's bit pattern.
  @inlinable
  public var wireBits: UInt64 { bitPattern }
}
