import TelecapWire

extension Ports {
  /// A Bluetooth attribute handle and its characteristic in the text `0x0010=UUID`; nil for other texts, or where no
  /// protocol has the characteristic.
  public static func handle(_ text: String, of protocols: [WireProtocol]) -> (String, UInt16)? {
    let (digits, uuid) = text.halves
    let number = digits.hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits)
    guard let number, let uuid, isAttribute(uuid, of: protocols) else { return nil }
    return (attributePrefix + uuid.lowercased(), number)
  }
}
