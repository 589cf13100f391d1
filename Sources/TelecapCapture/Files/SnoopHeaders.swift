// The headers of the snoop format (RFC 1761, "File Format"), which btsnoop adopted: 16 bytes at the start of a file, 24
// before each packet, most significant byte first.
import TelecapRecording

/// The lengths of these headers, in bytes.
enum SnoopHeader {
  static let ofFile = 16
  static let ofRecord = 24
}

extension CaptureFileReader {
  /// Reads the header of a file and, by its datalink and `form`, the single interface of the file.
  ///
  /// - Parameters:
  ///   - known: the supported version.
  ///   - datalinks: the datalinks that `form` knows, for the error.
  ///   - form: the form and the LINKTYPE_ number of a datalink; nil for an unknown one.
  mutating func readSnoopHeader<Form>(
    version known: UInt32, datalinks: String, _ form: (UInt32) -> (form: Form, linkType: UInt16)?
  ) throws(CaptureFileError) -> Form {
    try requireFileHeader(SnoopHeader.ofFile)
    let (version, datalink) = (source.number(8), source.number(12))
    guard version == known else {
      throw .damaged(
        path: path, offset: 0, .fileHeader, reason: "its version is \(version), and only \(known) is known")
    }
    guard let (form, linkType) = form(datalink) else {
      throw .damaged(
        path: path, offset: 0, .fileHeader, reason: "its datalink is \(datalink); known are \(datalinks)")
    }
    interfaces = [Interface(name: "", linkType: linkType, snapLength: 0, ticksPerSecond: 1_000_000)]
    statistics = [Statistics()]
    source.advance(SnoopHeader.ofFile)
    return form
  }

  /// Stores the drop count of the next record: the number of packets lost since the start of the file.
  mutating func keepSnoopDrops() {
    let drops = UInt64(source.number(12))
    if drops > 0 { statistics[0].droppedByInterface = drops }
  }
}

extension ByteSource {
  /// The four bytes at `at` of the window as a number, most significant first.
  func number(_ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }
}
