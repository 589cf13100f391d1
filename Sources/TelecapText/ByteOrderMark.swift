/// The byte order mark that Windows editors write before UTF-8 (RFC 3629, 6). It must be removed, because a parser
/// would read it as part of the first word.
public enum ByteOrderMark {
  private static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

  /// The length of the mark at the start of a text: 3 or 0 bytes.
  public static func count(in text: some Collection<UInt8>) -> Int { text.starts(with: bytes) ? bytes.count : 0 }

  /// Whether more bytes are needed to decide.
  public static func isOpen(after text: some Collection<UInt8>) -> Bool {
    text.count < bytes.count && bytes.starts(with: text)
  }
}
