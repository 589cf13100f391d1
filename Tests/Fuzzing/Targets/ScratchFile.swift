#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file without a name, for a reader that needs a descriptor.
final class ScratchFile {
  let descriptor: Int32

  /// A file of these bytes, read from its beginning.
  init(_ bytes: [UInt8] = []) throws {
    var path = Array("/tmp/telecap-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Broken(description: "no temporary file: errno \(errno)") }
    unlink(path)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Broken(description: "cannot write a temporary file: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
    rewind()
  }

  deinit { close(descriptor) }

  func rewind() { lseek(descriptor, 0, SEEK_SET) }
}
