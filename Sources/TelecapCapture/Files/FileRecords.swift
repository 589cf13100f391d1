/// The common part of the formats with a header and then records: each part must be complete, otherwise the file is
/// truncated.
extension CaptureFileReader {
  /// Brings the file header into the window.
  mutating func requireFileHeader(_ length: Int) throws(CaptureFileError) {
    guard try source.has(length) else {
      throw .truncated(path: path, offset: 0, .fileHeader, needed: length, had: source.available)
    }
  }

  /// Brings the header of the next record into the window; false if the file ends before it.
  mutating func hasRecordHeader(_ length: Int) throws(CaptureFileError) -> Bool {
    if try source.has(length) { return true }
    if source.available == 0 { return false }
    throw .truncated(path: path, offset: source.offset, .record, needed: length, had: source.available)
  }

  /// Brings the whole record into the window; its header has this length and its frame `captured` bytes.
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
