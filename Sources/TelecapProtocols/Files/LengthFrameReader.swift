import TelecapConformance
import TelecapWire

/// Reads `framing: {length: u32, byte-order: big, counts-itself: true}`.
enum LengthFrameReader {
  /// The types of a length; their number of bytes is the place in this list, from 1.
  static let types = ["u8", "u16", "u24", "u32"]

  /// The length before each message of a transport.
  ///
  /// - Parameters:
  ///   - framing: the value of the key.
  ///   - fileOrder: the byte order of the file.
  ///   - shortest: the size of the shortest message, in bytes.
  ///   - layouts: the messages of the transport.
  /// - Throws: `YAMLFileError` for a message whose size the length cannot contain.
  static func prefix(
    _ framing: YAMLValue, _ fileOrder: ByteOrder, shortest: Int, _ layouts: [Layout]
  ) throws(YAMLFileError) -> LengthPrefix {
    let type = framing["length"]?.text ?? ""
    if type == "u8", let order = framing["byte-order"] {
      throw order.error("\"byte-order\" has no effect: a length of u8 has one byte")
    }
    let prefix = LengthPrefix(
      size: (types.firstIndex(of: type) ?? 0) + 1,
      byteOrder: framing["byte-order"]?.text.flatMap(ByteOrder.init) ?? fileOrder,
      countsItself: framing["counts-itself"]?.flag == true, shortest: shortest)
    for layout in layouts where layout.fixedSize > prefix.longest {
      throw framing.at("length").error(
        "\(layout.name) has \(layout.fixedSize) bytes or more, and a length of \(type) can count \(prefix.longest)")
    }
    return prefix
  }
}
