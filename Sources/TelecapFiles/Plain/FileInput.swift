import TelecapCapture

/// A file of text, read piece by piece.
public struct FileInput: ~Copyable {
  private let descriptor: Descriptor
  private let path: String
  private var room = [UInt8](repeating: 0, count: 65_536)

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
    do throws(ErrnoError) {
      return try room[..<descriptor.read(into: &room)]
    } catch {
      throw .brokeOff(path: path, error)
    }
  }
}
