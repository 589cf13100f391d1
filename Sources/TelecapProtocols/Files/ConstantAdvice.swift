import TelecapConformance
import TelecapRecording
import TelecapWire

/// The advice for a constant that the type of its field cannot hold.
enum ConstantAdvice {
  /// The advice; nil if the intention is unknown.
  static func text(for value: YAMLValue, in type: FieldType) -> String? {
    guard let text = value.text, !text.isEmpty, let size = type.size else { return nil }
    switch type {
    case .octets: return octets(text, size)
    case .text: return letters(text, size)
    default:
      guard value.number == nil else { return nil }
      if let advice = value.advice(for: type.isWhole ? .integer : .number) { return advice }
      return type.isWhole && text.utf8.count == size ? "write \"type: text \(size)\"" : nil
    }
  }

  /// Bytes have no value of their own: a number has it, whose bytes are written in their order where it is big-endian.
  private static func octets(_ text: String, _ size: Int) -> String? {
    let numbers = [1: "u8", 2: "u16", 3: "u24", 4: "u32", 8: "u64"]
    if let bytes = Hex.bytes(text), bytes.count == size, let number = numbers[size] {
      let order = size == 1 ? "" : "\"byte-order: big\", "
      return "write \"type: \(number)\", \(order)\"equals: 0x\(Hex.text(bytes))\""
    }
    return text.utf8.count == size && size <= 8 ? "write \"type: text \(size)\"" : nil
  }

  private static func letters(_ text: String, _ size: Int) -> String? {
    if let bytes = Hex.bytes(text), bytes.count == size, bytes.allSatisfy({ (0x21...0x7e).contains($0) }) {
      return "write \(String(decoding: bytes, as: UTF8.self))"
    }
    let count = text.utf8.count
    return count <= 8 && count != size ? "it has \(count) bytes: write \"type: text \(count)\"" : nil
  }
}
