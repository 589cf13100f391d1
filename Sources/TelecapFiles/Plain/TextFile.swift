import TelecapCapture
import TelecapText

/// Reads small text files from the command line.
public enum TextFile {
  /// The maximum size.
  private static let limit = 64 << 20

  /// The text in the file at `path`. Invalid UTF-8 is replaced, so that a parser reports its line.
  ///
  /// - Throws: `FileError`: `noInput`, `isOutput`, `unreadable`, `tooLarge`.
  public static func read(_ path: String) throws(FileError) -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The bytes in the file at `path`, without a byte order mark.
  ///
  /// - Throws: `FileError`, as `read` does.
  public static func bytes(_ path: String) throws(FileError) -> [UInt8] {
    // A file with the name `-`, not standard input.
    let place = path == "-" ? "./-" : path
    try FileError.refuseOutput(place)
    var isOpen = false
    do throws(ErrnoError) {
      let descriptor = try Descriptor.reading(place)
      isOpen = true
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while bytes.count <= limit {
        let count = try descriptor.read(into: &piece)
        if count == 0 {
          bytes.removeFirst(ByteOrderMark.count(in: bytes))
          return bytes
        }
        bytes.append(contentsOf: piece[..<count])
      }
    } catch {
      throw isOpen ? .unreadable(path: path, error) : .noInput(path: path, error)
    }
    throw .tooLarge(path: path, mebibytes: limit >> 20)
  }
}
