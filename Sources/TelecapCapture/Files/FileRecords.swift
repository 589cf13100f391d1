/// What the formats whose files are a header and then records have in common: each part is there whole, or the file ends too
/// early in it.
extension CaptureFileReader {
  /// The file's header is in the window.
  mutating func requireFileHeader(_ length: Int) throws(CaptureFileError) {
    guard try source.has(length) else {
      throw .truncated(path: path, offset: 0, .fileHeader, needed: length, had: source.available)
    }
  }

  /// The header of the next record is in the window; false where the file ends before it.
  mutating func hasRecordHeader(_ length: Int) throws(CaptureFileError) -> Bool {
    if try source.has(length) { return true }
    if source.available == 0 { return false }
    throw .truncated(path: path, offset: source.offset, .record, needed: length, had: source.available)
  }

  /// All of the record is in the window, whose header of so many bytes says that its frame has `captured`.
  mutating func requireRecord(_ header: Int, _ captured: Int) throws(CaptureFileError) {
    guard captured <= Self.largestFrame else {
      throw .damaged(
        path: path, offset: source.offset, .record,
        reason: "its length is \(captured) bytes, and no frame is longer than \(Self.largestFrame)")
    }
    guard try source.has(header + captured) else {
      throw .truncated(path: path, offset: source.offset, .record, needed: header + captured, had: source.available)
    }
  }
}
