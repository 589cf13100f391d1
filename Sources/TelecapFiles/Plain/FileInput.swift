import TelecapCapture
import TelecapText

/// Reads a text file in chunks, without its byte order mark.
public struct FileInput: ~Copyable {
  private let descriptor: Descriptor
  private let path: String
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var isBegun = false

  /// Opens `path`; `-` is standard input.
  ///
  /// - Throws: `FileError.noInput`, `isOutput`
  public init(path: String) throws(FileError) {
    self.path = path
    try FileError.refuseOutput(path)
    do throws(ErrnoError) {
      descriptor = try .reading(path)
    } catch {
      throw .noInput(path: path, error)
    }
  }

  /// The next bytes; none at the end.
  ///
  /// - Throws: `FileError.brokeOff`
  public mutating func readPiece() throws(FileError) -> ArraySlice<UInt8> {
    let piece = try read()
    if isBegun { return piece }
    isBegun = true
    // A pipe may return less than the mark in one read.
    var begun = piece
    while ByteOrderMark.isOpen(after: begun) {
      let more = try read()
      if more.isEmpty { break }
      begun += more
    }
    return begun.dropFirst(ByteOrderMark.count(in: begun))
  }

  private mutating func read() throws(FileError) -> ArraySlice<UInt8> {
    do throws(ErrnoError) {
      return try room[..<descriptor.read(into: &room)]
    } catch {
      throw .brokeOff(path: path, error)
    }
  }
}
