import TelecapConformance
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The files below a folder that grow from now on or are begun anew, and those that a command names: where a program may show what it
/// does.
final class GrowingFiles {
  private let folder: String
  /// Files that are named elsewhere, as they are named.
  private let named: [String]
  /// What each was at the beginning, by its name from the folder on.
  private let before: [String: HeldFile]
  /// Where our own stdout and stderr go: what stands there is not the program's.
  private let own = [STDOUT_FILENO, STDERR_FILENO].compactMap(FileIdentity.init(descriptor:))
  /// From where on each is read that was told, in bytes.
  private var starts: [String: Int64] = [:]
  private let clock: any MonotonicClock
  /// When it was looked last; nil before the first time.
  private var lastLook: Nanoseconds?

  /// How many files are looked at, and how deep they may lie.
  private static let most = 2_000
  private static let depth = 2
  /// How long from one look to the next, in ns.
  private static let pause: Nanoseconds = 20_000_000

  /// - Parameter words: of the command; of those some may name files.
  init(
    below folder: String, namedIn words: [String], by clock: any MonotonicClock = SystemMonotonicClock.shared
  ) {
    (self.folder, self.clock) = (folder, clock)
    named = words.compactMap { $0.split(separator: "=").last.map(String.init) }
      .filter { $0.hasPrefix("/") || $0.contains("../") }
    before = GrowingFiles.sizes(below: folder, named)
  }

  /// The names of files that have grown since the beginning, or were begun anew, and were not told before.
  func new() -> [String] {
    let now = clock.now()
    if let lastLook, now &- lastLook <= GrowingFiles.pause { return [] }
    lastLook = now
    let written = GrowingFiles.sizes(below: folder, named).filter { name, held in
      starts[name] == nil && held.isWritten(since: before[name]) && !own.contains(held.identity)
    }
    for (name, held) in written { starts[name] = held.start(after: before[name]) }
    return written.keys.sorted()
  }

  /// Where a file of this name lies.
  func path(of name: String) -> FilePath { FilePath(folder).pushing(FilePath(name)) }

  /// From where on a file that was told is read, in bytes: behind what it held at the beginning, unless it was begun anew.
  func start(of name: String) -> Int64 { starts[name] ?? 0 }

  /// How a file that was told is found at the next start: by a pattern where its name is of this start or this day, and the command
  /// does not give it.
  func lastingName(of name: String) -> String {
    guard !named.contains(where: { $0 == name || $0.hasSuffix("/" + name) }),
      before[name] == nil || FileNamePattern.hasDate(name)
    else { return name }
    return FileNamePattern.of(name) ?? name
  }

  private static func sizes(below folder: String, _ named: [String]) -> [String: HeldFile] {
    var sizes: [String: HeldFile] = [:]
    look(folder, "", depth, &sizes)
    for name in named {
      if let size = HeldFile(at: name.hasPrefix("/") ? name : "\(folder)/\(name)") { sizes[name] = size }
    }
    return sizes
  }

  private static func look(_ folder: String, _ prefix: String, _ depth: Int, _ sizes: inout [String: HeldFile]) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while sizes.count < most, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix(".") { continue }
      if let size = HeldFile(at: "\(folder)/\(name)") {
        sizes[prefix + name] = size
      } else if depth > 1 {
        look("\(folder)/\(name)", "\(prefix)\(name)/", depth - 1, &sizes)
      }
    }
  }
}

/// A file as it was when somebody looked.
struct HeldFile {
  /// In bytes.
  let size: Int64
  /// What tells it from another of its name.
  let identity: FileIdentity
  /// When it was written last, in ns since 1970.
  let written: Int64

  /// Nil for what is no regular file.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (size, identity) = (Int64(status.st_size), FileIdentity(status))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    written = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// It is another one than `old`, or has another length.
  func isWritten(since old: HeldFile?) -> Bool { old.map { $0.identity != identity || $0.size != size } ?? true }

  /// From where on it is read, in bytes: behind what it held when it was `old`, unless it was begun anew.
  func start(after old: HeldFile?) -> Int64 {
    old.flatMap { $0.identity == identity && $0.size <= size ? $0.size : nil } ?? 0
  }
}

/// What tells a file from another that takes its name.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64
  /// It is a regular file: no FIFO, device, socket or folder.
  let isRegular: Bool

  init(_ status: stat) {
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// That of an open file; nil where it cannot be had.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}
