/// The content security policy of a page (https://www.w3.org/TR/CSP3). A browser may run the script and use the style that have these
/// fingerprints, and nothing else. Should something of a capture ever get into a page as markup, it could not run.
public enum PagePolicy {
  /// The policy of a page in one file.
  static let inFile = "default-src 'none'; img-src data:; \(own); base-uri 'none'; form-action 'none'"

  /// That of a page in one file that does nothing.
  static let still = "default-src 'none'; img-src data:; \(style); base-uri 'none'; form-action 'none'"

  /// That of the live page, which may ask its own server. Pages of others cannot frame it.
  public static let live =
    "default-src 'none'; img-src data:; \(own); connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  private static let style = "style-src '\(fingerprint(PageLook.text))'"
  private static let own = "script-src '\(fingerprint(PageScript.text))'; \(style)"

  private static func fingerprint(_ text: String) -> String {
    "sha256-\(base64(SHA256.digest(Array(text.utf8))))"
  }

  /// RFC 4648, 4.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      return (0..<4).map { $0 > group.count ? "=" : String(digits[bits >> (18 - 6 * $0) & 63]) }.joined()
    }.joined()
  }
}
