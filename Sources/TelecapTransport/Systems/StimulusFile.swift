import CSockets
import TelecapConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The input of a device in one run, as a file below `TMPDIR` or /tmp: its standard input ends with the file, at any
/// speed of reading.
struct StimulusFile {
  let path: String

  /// Writes these lines.
  /// - Throws: `SystemError` where the file cannot be written.
  init(_ lines: [String]) throws(SystemError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/telecap-stimulus-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw SystemError(
        "cannot create a file in \(parent): \(String(cString: strerror(errno))); name another by TMPDIR")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { close(descriptor) }
    var rest = lines.joined(separator: "\n").utf8.map { $0 } + [UInt8(ascii: "\n")]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let why = String(cString: strerror(errno))
        unlink(path)
        throw SystemError("cannot write \(path): \(why)")
      }
      rest.removeFirst(written)
    }
  }

  /// Deletes the file.
  func remove() { unlink(path) }
}
