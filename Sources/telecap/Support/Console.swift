#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import ArgumentParser
import TelecapRecording
import TelecapReport
import TelecapText

/// Where results (stdout) and talk (stderr) go.
enum Console {
  /// Colour for what goes to this descriptor: on a terminal, and not with `NO_COLOR` (no-color.org) or a dumb one.
  static func style(for descriptor: Int32) -> Style {
    let refused = getenv("NO_COLOR").map { $0[0] != 0 } ?? false
    let dumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return Style(isColoured: isTerminal(descriptor) && !refused && !dumb)
  }

  /// Whether there is a file at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Talk: a line on stderr.
  static func say(_ line: String) { write(line + "\n") }

  /// Talk without an end of line. Nobody is left to be told when stderr fails; results go through `Output`.
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { writeSome(STDERR_FILENO, $0.baseAddress! + start, bytes.count - start) }
      if count <= 0 { return }
      start += count
    }
  }

  fileprivate static func writeSome(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    while true {
      #if canImport(Darwin)
        let written = Darwin.write(descriptor, start, count)
      #elseif canImport(Musl)
        let written = Musl.write(descriptor, start, count)
      #else
        let written = Glibc.write(descriptor, start, count)
      #endif
      if written >= 0 || errno != EINTR { return written }
    }
  }
}

/// Results: bytes for stdout or a file, written in large pieces. Call `flush` at the end, and after each line that
/// somebody waits for.
struct Output: ~Copyable {
  private let descriptor: Int32
  private let name: String
  private let closes: Bool
  /// What waits to be written; commands append to it.
  var buffer: [UInt8] = []
  private static let size = 65_536

  /// Standard output.
  init() { self.init(STDOUT_FILENO, name: "standard output", closes: false) }

  /// A new file at `path`; `-` is standard output.
  init(path: String, force: Bool) throws {
    if path == "-" {
      self.init()
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw Failure(.cannotCreate, "\(path): exists already", advice: "give another name, or --force to replace it")
      }
      throw Failure(.cannotCreate, "\(path): \(String(cString: strerror(errno)))")
    }
    self.init(descriptor, name: path, closes: true)
  }

  private init(_ descriptor: Int32, name: String, closes: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.closes = closes
    buffer.reserveCapacity(Output.size + 4_096)
  }

  deinit { if closes { close(descriptor) } }

  /// Adds a line.
  mutating func line(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Adds bytes.
  mutating func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    try flushIfLarge()
  }

  /// Adds what a writer holds, and empties it.
  mutating func take(_ json: inout JSONWriter) throws {
    buffer.append(contentsOf: json.bytes)
    json.removeAll()
    try flushIfLarge()
  }

  mutating func flushIfLarge() throws {
    if buffer.count >= Output.size { try flush() }
  }

  /// Writes what waits.
  mutating func flush() throws {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes {
        Console.writeSome(descriptor, $0.baseAddress! + start, buffer.count - start)
      }
      guard count > 0 else {
        // Whoever read has had enough, as `head` has: no mistake, and nothing more to do.
        if errno == EPIPE { throw ExitCode.success }
        throw Failure(.io, "cannot write to \(name): \(String(cString: strerror(errno)))")
      }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
