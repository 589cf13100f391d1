/// Writes JSON (RFC 8259) to a buffer that is reused for every line, without allocations once it has grown. The writer
/// adds the commas; the caller balances the brackets.
public struct JSONWriter: Sendable {
  /// The bytes since the last `removeAll`.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty buffer.
  public init() {}

  /// Removes the bytes and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// `{`, as a value in the enclosing object or array.
  public mutating func beginObject(_ key: StaticString? = nil) { open(key, UInt8(ascii: "{")) }
  /// `}`.
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// `[`.
  public mutating func beginArray(_ key: StaticString? = nil) { open(key, UInt8(ascii: "[")) }
  /// `]`.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Ends a line of JSON Lines.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// The key of the next value, if it is not known at compile time.
  public mutating func key(_ key: String) {
    comma()
    quote(key.utf8)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member of an object, or without a key an element of an array.
  public mutating func put(_ key: StaticString? = nil, _ value: some FixedWidthInteger) {
    begin(key)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(UInt64(truncatingIfNeeded: value.magnitude))
    needsComma = true
  }

  /// A number; values that JSON cannot represent become the strings `NaN`, `Infinity` or `-Infinity`.
  public mutating func put(_ key: StaticString? = nil, _ value: some BinaryFloatingPoint & CustomStringConvertible) {
    begin(key)
    if value.isFinite {
      bytes.append(contentsOf: value.description.utf8)
    } else {
      quote((value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity").utf8)
    }
    needsComma = true
  }

  /// A string.
  public mutating func put(_ key: StaticString? = nil, _ value: some StringProtocol) {
    begin(key)
    quote(value.utf8)
    needsComma = true
  }

  /// `true` or `false`.
  public mutating func put(_ key: StaticString? = nil, _ value: Bool) {
    begin(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  /// An array of strings.
  public mutating func put(_ key: StaticString? = nil, texts: some Sequence<String>) {
    beginArray(key)
    for text in texts { put(nil, text) }
    endArray()
  }

  /// `null`.
  public mutating func putNull(_ key: StaticString? = nil) {
    begin(key)
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  private mutating func open(_ key: StaticString?, _ bracket: UInt8) {
    begin(key)
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func begin(_ key: StaticString?) {
    comma()
    guard let key else { return }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func digits(_ value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(48 + value / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func quote(_ text: some Sequence<UInt8>) { JSONWriter.quote(text, to: &bytes) }

  /// Appends text in quotes and escaped, the only function that makes JSON strings.
  public static func quote(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
      case ..<32, 127:
        bytes.append(contentsOf: "\\u00".utf8)
        for nibble in [byte >> 4, byte & 15] { bytes.append(nibble < 10 ? 48 + nibble : 87 + nibble) }
      case ..<128: bytes.append(byte)
      default:
        bytes.append(byte)
        if let scalar = obeyed(bytes) { escape(scalar, in: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The scalar at the end of these bytes if a terminal or a browser interprets it, although JSON allows it unescaped:
  /// C1 controls, line separators, and those that change the direction of text (Unicode, Bidi_Control).
  private static func obeyed(_ bytes: [UInt8]) -> UInt16? {
    let (last, before) = (UInt16(bytes[bytes.count - 1]), bytes[bytes.count - 2])
    switch (before, last) {
    case (0xc2, 0x80...0x9f): return last
    case (0xd8, 0x9c): return 0x61c
    case (0x80, 0x8e...0x8f), (0x80, 0xa8...0xae), (0x81, 0xa6...0xa9):
      return bytes[bytes.count - 3] == 0xe2 ? 0x2000 | UInt16(before & 1) << 6 | last & 0x3f : nil
    default: return nil
    }
  }

  /// Replaces the UTF-8 of a scalar with its escape.
  private static func escape(_ scalar: UInt16, in bytes: inout [UInt8]) {
    bytes.removeLast(scalar < 0x800 ? 2 : 3)
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] {
      let nibble = UInt8(scalar >> shift & 15)
      bytes.append(nibble < 10 ? 48 + nibble : 87 + nibble)
    }
  }
}
