import TelecapCapture
import TelecapText

/// Small files of text that a person gives on the command line.
public enum TextFile {
  /// Larger files are no such text.
  private static let limit = 64 << 20

  /// The text in the file at `path`; bytes that are not UTF-8 are repaired, so that a parser names their line.
  ///
  /// - Throws: `FileError`: `noInput`, `isOutput`, `unreadable`, `tooLarge`.
  public static func read(_ path: String) throws(FileError) -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The bytes in the file at `path`, as they stand but for a byte order mark.
  ///
  /// - Throws: `FileError`, as `read` does.
  public static func bytes(_ path: String) throws(FileError) -> [UInt8] {
    // A file whose name is a dash, and not standard input.
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
