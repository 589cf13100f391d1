/// A number that stands on the wire in little-endian order, at any alignment.
public protocol WireValue: Sendable, Equatable {
  /// Its form on the wire.
  static var fieldType: FieldType { get }
  /// Reads the value at `offset`, or nil where the bytes end before it does.
  static func read(_ bytes: RawSpan, at offset: Int) -> Self?
  /// The value's bytes in wire order, in the low bits: the first byte is the least significant.
  var wireBits: UInt64 { get }
}

extension WireValue where Self: FixedWidthInteger & BitwiseCopyable {
  @inlinable
  public static func read(_ bytes: RawSpan, at offset: Int) -> Self? {
    guard offset >= 0, bytes.byteCount &- offset >= MemoryLayout<Self>.size else { return nil }
    return Self(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Self.self))
  }

  @inlinable
  public var wireBits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt8: WireValue {
  public static var fieldType: FieldType { .u8 }
}
extension UInt16: WireValue {
  public static var fieldType: FieldType { .u16 }
}
extension UInt32: WireValue {
  public static var fieldType: FieldType { .u32 }
}
extension UInt64: WireValue {
  public static var fieldType: FieldType { .u64 }
}
extension Int8: WireValue {
  public static var fieldType: FieldType { .i8 }
}
extension Int16: WireValue {
  public static var fieldType: FieldType { .i16 }
}

extension Float: WireValue {
  public static var fieldType: FieldType { .f32 }

  @inlinable
  public static func read(_ bytes: RawSpan, at offset: Int) -> Float? {
    UInt32.read(bytes, at: offset).map(Float.init(bitPattern:))
  }

  @inlinable
  public var wireBits: UInt64 { UInt64(bitPattern) }
}
