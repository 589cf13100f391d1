/// The byte order mark that editors of Windows put before UTF-8 (RFC 3629, 6). It is no part of the text: a parser would read it as
/// the beginning of the first word.
public enum ByteOrderMark {
  private static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

  /// How many bytes of a text's beginning are the mark: 3 or 0.
  public static func count(in text: some Collection<UInt8>) -> Int { text.starts(with: bytes) ? bytes.count : 0 }

  /// Whether more of a text is needed to tell.
  public static func isOpen(after text: some Collection<UInt8>) -> Bool {
    text.count < bytes.count && bytes.starts(with: text)
  }
}
