/// The options at the end of a pcapng block (draft-ietf-opsawg-pcapng §3.5): code, length, value, padded to 32 bits.
struct PcapngOptions {
  static let end: UInt16 = 0
  static let comment: UInt16 = 1
  /// epb_flags (§4.3), and pack_flags of the obsolete block.
  static let packetFlags: UInt16 = 2

  let bytes: UnsafeRawBufferPointer
  let isSwapped: Bool

  /// Passes each option to `body`. False if an option is longer than the rest of the block. Fewer bytes than an option
  /// needs are padding.
  func forEach(_ body: (UInt16, UnsafeRawBufferPointer) -> Void) -> Bool {
    var at = 0
    while at + 4 <= bytes.count, let base = bytes.baseAddress {
      let code: UInt16 = base.integer(at, swapped: isSwapped)
      let length = Int(base.integer(at + 2, as: UInt16.self, swapped: isSwapped))
      if code == Self.end { return true }
      guard at + 4 + length <= bytes.count else { return false }
      body(code, UnsafeRawBufferPointer(start: base + at + 4, count: length))
      at += 4 + length.paddedTo4
    }
    return true
  }

  /// A value as text; invalid UTF-8 is replaced.
  static func text(_ value: UnsafeRawBufferPointer) -> String { String(decoding: value, as: UTF8.self) }

  /// A value of eight bytes as a number; nil for other lengths.
  func number(_ value: UnsafeRawBufferPointer) -> UInt64? {
    guard value.count == 8, let base = value.baseAddress else { return nil }
    return base.integer(0, swapped: isSwapped)
  }
}

extension Int {
  /// The next multiple of four.
  @inline(__always)
  var paddedTo4: Int { (self + 3) & ~3 }
}
