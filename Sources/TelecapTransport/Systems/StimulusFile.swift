import CSockets
import TelecapConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a device is told in one run, as a file of its own below `TMPDIR` or /tmp: its standard input, which ends where the
/// file does, however slowly it is read.
struct StimulusFile {
  let path: String

  /// Writes these lines.
  /// - Throws: `SystemError` where there is no room for them.
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

  /// The file is needed no longer.
  func remove() { unlink(path) }
}
