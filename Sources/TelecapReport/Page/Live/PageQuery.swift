/// The part of an address after `?`, as forms and links write it (https://url.spec.whatwg.org/#urlencoded-parsing).
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
