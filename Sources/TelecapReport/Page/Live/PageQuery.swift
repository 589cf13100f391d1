/// The part of an address behind `?`, as forms and links write it (https://url.spec.whatwg.org/#urlencoded-parsing).
public enum PageQuery {
  /// The names and values; of two of one name the first.
  public static func values(in text: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    for part in text.split(separator: "&").prefix(200) {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decoded(halves[0])
      if values[name] == nil { values[name] = halves.count > 1 ? decoded(halves[1]) : "" }
    }
    return values
  }

  /// Text as a value of a query.
  public static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        result += "%" + (hex.count < 2 ? "0" : "") + hex
      }
    }
    return result
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        place += 3
      } else {
        result.append(bytes[place] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
