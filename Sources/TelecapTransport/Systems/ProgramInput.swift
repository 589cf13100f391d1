import CSockets
import TelecapConformance

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The standard input of a program that reads actions, a line each. Closed with the last reference.
final class ProgramInput: Sendable {
  private let descriptor: FileDescriptor
  /// The program's end, which is closed here once it has started.
  let end: FileDescriptor

  /// - Throws: `SystemError` when there is no descriptor left.
  init() throws(SystemError) {
    var ends: [Int32] = [0, 0]
    let code = telecap_input_pair(&ends)
    guard code == 0 else {
      throw SystemError("cannot open a standard input for a program: \(Errno(rawValue: -code))")
    }
    (end, descriptor) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  deinit { try? descriptor.close() }

  /// Writes a line; returns the error message, or nil.
  func write(_ line: String) -> String? {
    let bytes = Array((line + "\n").utf8)
    let sent = bytes.withUnsafeBytes { telecap_stream_send(descriptor.rawValue, $0.baseAddress, $0.count) }
    if sent == bytes.count { return nil }
    if sent < 0, Errno(rawValue: Int32(-sent)) == .brokenPipe { return "it has closed its standard input" }
    return "it does not read its standard input"
  }
}
