// The parts of the C library that this module uses: descriptors, errno, polling, dynamic libraries. The only file here
// with a platform switch.
import CPcap

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Free functions, because inside a type with methods of these names `read` and `write` are not those of the C library.
private func readOnce(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}

private func writeOnce(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}

/// An open file. If it was opened here, it is closed with its last owner.
public struct Descriptor: ~Copyable, Sendable {
  public let number: Int32
  private let isOwned: Bool

  /// A descriptor that the caller opened and closes.
  init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  private init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  deinit {
    if isOwned { _ = close(number) }
  }

  /// Standard output.
  public static var output: Descriptor { Descriptor(borrowing: STDOUT_FILENO) }
  /// Standard error.
  public static var errors: Descriptor { Descriptor(borrowing: STDERR_FILENO) }

  /// Opens `path` for reading; `-` is standard input.
  public static func reading(_ path: String) throws(ErrnoError) -> Descriptor {
    if path == "-" { return Descriptor(borrowing: STDIN_FILENO) }
    let descriptor = try opened { open(path, O_RDONLY | O_CLOEXEC) }
    // A directory can be opened but not read, so report it as a missing file.
    var status = stat()
    if fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw ErrnoError(number: EISDIR) }
    return descriptor
  }

  /// The number of the descriptor that a path names, such as `/dev/stderr` or `/dev/fd/3`; nil for other paths.
  public static func number(namedBy path: String) -> Int32? {
    if path == "-" || path == "/dev/stdout" { return STDOUT_FILENO }
    if path == "/dev/stderr" { return STDERR_FILENO }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      let digits = path.dropFirst(folder.count)
      if let number = Int32(digits), String(number) == digits, number >= 0 { return number }
    }
    return nil
  }

  /// The inherited descriptor with this number, for writing. The shell decides what it refers to.
  ///
  /// - Throws: `EBADF` if the process did not inherit it. Descriptors that telecap opens itself are closed on exec and
  ///   cannot be named.
  public static func inherited(_ number: Int32) throws(ErrnoError) -> Descriptor {
    let flags = fcntl(number, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0, fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY else {
      throw ErrnoError(number: EBADF)
    }
    return Descriptor(borrowing: number)
  }

  /// Creates or truncates `path` for writing; `-` is standard output, and a path that names a descriptor is that
  /// descriptor. A pipe is opened as soon as it has a reader. If `isStopped` becomes true before, the error is
  /// `ErrnoError.isInterrupted`.
  public static func writing(_ path: String) throws(ErrnoError) -> Descriptor {
    if path == "-" { return .output }
    if let number = number(namedBy: path) { return try inherited(number) }
    if isPipe(path) { return try writing(pipe: path) }
    return try opened { open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666) }
  }

  /// Whether the command was asked to exit, for operations that wait. Set once, at the start of the program.
  nonisolated(unsafe) public static var isStopped: @Sendable () -> Bool = { false }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Polls 50 times a second, because opening a pipe waits for its reader, and a signal need not reach the waiting
  /// thread.
  private static func writing(pipe path: String) throws(ErrnoError) -> Descriptor {
    while true {
      do throws(ErrnoError) {
        let descriptor = try opened { open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK) }
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags & ~O_NONBLOCK)
        return descriptor
      } catch {
        guard error.number == ENXIO else { throw error }
        if isStopped() { throw ErrnoError(number: EINTR) }
        usleep(20_000)
      }
    }
  }

  /// The directory of temporary files.
  public static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Creates an unnamed file in `TMPDIR` or /tmp, which is deleted with its last owner.
  static func temporary() throws(ErrnoError) -> Descriptor {
    var template = Array("\(temporaryFolder)/telecap-XXXXXX".utf8CString)
    let descriptor = try opened { mkstemp(&template) }
    _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return descriptor
  }

  private static func opened(_ open: () -> Int32) throws(ErrnoError) -> Descriptor {
    while true {
      let number = open()
      if number >= 0 { return Descriptor(owning: number) }
      if errno != EINTR { throw ErrnoError(number: errno) }
    }
  }

  /// Reads at most `buffer.count` bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ErrnoError) -> Int {
    while true {
      let count = readOnce(number, buffer)
      if count >= 0 { return count }
      if errno != EINTR { throw ErrnoError(number: errno) }
    }
  }

  /// Reads at most `buffer.count` bytes of a file from `offset` on; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ErrnoError) -> Int {
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { throw ErrnoError(number: errno) }
    }
  }

  /// Reads at most `bytes.count` bytes, overwriting `bytes` from its start; 0 at the end.
  public func read(into bytes: inout [UInt8]) throws(ErrnoError) -> Int {
    try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(ErrnoError) in try read(into: buffer) }
    }.get()
  }

  /// Whether it is a terminal.
  public var isTerminal: Bool { isatty(number) == 1 }

  /// Writes all of `bytes`.
  public func write(_ bytes: [UInt8]) throws(ErrnoError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(ErrnoError) in try write(buffer) } }.get()
  }

  /// Writes all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ErrnoError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = writeOnce(number, part)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno != EINTR {
        throw ErrnoError(number: errno)
      }
    }
  }

  /// Truncates a regular file to this length.
  func cut(to length: Int64) {
    _ = ftruncate(number, off_t(length))
    _ = lseek(number, off_t(length), SEEK_SET)
  }

  /// Waits until there is something to read, at most this long. A signal ends the wait early.
  static func waitUntilReadable(_ number: Int32, milliseconds: Int32) {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, milliseconds)
  }
}

/// An error of a system call.
public struct ErrnoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  public var number: Int32

  /// The error of this `errno`.
  public init(number: Int32) { self.number = number }

  /// The system's message, such as `No space left on device`.
  public var description: String { String(cString: strerror(number)) }

  /// An I/O error (EIO).
  static let brokenOff = ErrnoError(number: EIO)

  /// Whether a signal interrupted the call (EINTR).
  public var isInterrupted: Bool { number == EINTR }

  /// Whether the pipe has no reader any more (EPIPE).
  public var isBrokenPipe: Bool { number == EPIPE }

  /// Whether the disk is full (ENOSPC, EDQUOT).
  public var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}

/// A dynamic library of the system, loaded on demand and never unloaded.
struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// The names of libzstd. For a bare name macOS also searches the working directory, so use the paths of Homebrew and
  /// MacPorts there.
  #if canImport(Darwin)
    static let zstd = ["opt/homebrew", "usr/local", "opt/local"].map { "/\($0)/lib/libzstd.1.dylib" }
  #else
    static let zstd = ["libzstd.so.1"]
  #endif

  /// nil if the system has no library of this name.
  init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// The function of this name as a C function type; nil if there is none.
  func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}

/// The network interfaces of the machine.
enum NetworkInterface {
  /// The index of the interface with this name; 0 if there is none.
  static func index(of name: String) -> Int { Int(if_nametoindex(name)) }

  /// The state of the interface with this name; nil if there is none.
  static func state(of name: String) -> InterfaceState? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next?.pointee {
      // IFF_UP is 1 and IFF_RUNNING 0x40 on all platforms, but their Swift types differ.
      if String(cString: entry.ifa_name) == name {
        return InterfaceState(isUp: entry.ifa_flags & 1 != 0, hasCarrier: entry.ifa_flags & 0x40 != 0)
      }
      next = entry.ifa_next
    }
    return nil
  }
}

/// Receives the system's notifications of interface changes.
final class InterfaceNews {
  #if os(Linux)
    private let socket = telecap_links_open()

    deinit { if socket >= 0 { _ = close(socket) } }

    /// The notifications since the last call, in order, for the interface with this index, or for all with 0; nil if
    /// the system has none. With `isAsked` the current state is requested and included too.
    func take(_ index: Int, isAsked: Bool) -> [InterfaceReport]? {
      guard socket >= 0 else { return nil }
      if isAsked { telecap_links_ask(socket, Int32(index)) }
      var links = [telecap_link](repeating: telecap_link(), count: 256)
      var reports: [InterfaceReport] = []
      while true {
        let count = Int(telecap_links_take(socket, &links, Int32(links.count)))
        if count == -1 { return reports }
        // The socket overflowed: request the current state again, which counts how often each interface lost its
        // carrier.
        if count == -2 { telecap_links_ask(socket, Int32(index)) }
        reports += links.prefix(max(0, count)).filter { index == 0 || Int($0.index) == index }.map {
          InterfaceReport($0)
        }
      }
    }
  #else
    func take(_ index: Int, isAsked: Bool) -> [InterfaceReport]? { nil }
  #endif
}

#if os(Linux)
  extension InterfaceReport {
    fileprivate init(_ link: telecap_link) {
      let name = withUnsafeBytes(of: link.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      self.init(
        index: Int(link.index), name: name, isGone: link.is_gone != 0,
        state: InterfaceState(isUp: link.is_up != 0, hasCarrier: link.has_carrier != 0), losses: link.losses)
    }
  }
#endif
