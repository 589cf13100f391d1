extension Escaping {
  /// Text as a part of a URL: each byte of UTF-8 except letters, digits, `-`, `.` and `_` becomes `%` and two digits
  /// (RFC 3986, 2.1).
  ///
  /// - Parameter isPath: whether `/` stays too.
  public static func url(_ text: String, isPath: Bool = false) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": result.unicodeScalars.append(Unicode.Scalar(byte))
      case "/" where isPath: result += "/"
      case let scalar: result += "%" + hexadecimal(scalar, digits: 2).uppercased()
      }
    }
  }

  /// JSON in a `script` element of a page, which a `</script>` in one of its strings would end.
  public static func script(json: String) -> String { replacing(in: json) { $0 == "<" ? "\\u003c" : nil } }
}
