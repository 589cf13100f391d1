import TelecapConformance
import TelecapPlatform
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

/// The files below a folder that grow or are created from now on, and those that a command names: possible output files
/// of a program.
final class GrowingFiles {
  private let folder: String
  /// The names of files in the command.
  private let named: [String]
  /// The state of each file at the beginning, by its name relative to the folder.
  private let before: [String: FileStatus]
  /// The files of telecap's own stdout and stderr, which are no output of the program.
  private let own = [STDOUT_FILENO, STDERR_FILENO].compactMap { FileStatus(descriptor: $0)?.identity }
  /// The offset from which each reported file is read, in bytes.
  private var starts: [String: Int64] = [:]
  private let clock: any MonotonicClock
  /// The time of the last scan; nil before the first.
  private var lastLook: Nanoseconds?

  /// The maximum number of files, and the maximum depth of folders.
  private static let most = 2_000
  private static let depth = 2
  /// The interval between scans, in ns.
  private static let pause: Nanoseconds = 20_000_000

  /// - Parameter words: the command, some words of which may name files.
  init(
    below folder: String, namedIn words: [String], by clock: any MonotonicClock = SystemMonotonicClock.shared
  ) {
    (self.folder, self.clock) = (folder, clock)
    named = words.compactMap { $0.split(separator: "=").last.map(String.init) }
      .filter { $0.hasPrefix("/") || $0.contains("../") }
    before = GrowingFiles.sizes(below: folder, named)
  }

  /// The names of unreported files that have grown or were created since the beginning.
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

  /// The path of a file of this name.
  func path(of name: String) -> FilePath { FilePath(folder).pushing(FilePath(name)) }

  /// The offset from which a reported file is read, in bytes: the size at the beginning, or 0 for a new file.
  func start(of name: String) -> Int64 { starts[name] ?? 0 }

  /// The name of a reported file at the next start: a pattern if its name depends on the start or the day, and the
  /// command does not contain it.
  func lastingName(of name: String) -> String {
    guard !named.contains(where: { $0 == name || $0.hasSuffix("/" + name) }),
      before[name] == nil || FileNamePattern.hasDate(name)
    else { return name }
    return FileNamePattern.of(name) ?? name
  }

  private static func sizes(below folder: String, _ named: [String]) -> [String: FileStatus] {
    var sizes: [String: FileStatus] = [:]
    look(folder, "", depth, &sizes)
    for name in named {
      if let size = FileStatus.regular(name.hasPrefix("/") ? name : "\(folder)/\(name)") { sizes[name] = size }
    }
    return sizes
  }

  private static func look(_ folder: String, _ prefix: String, _ depth: Int, _ sizes: inout [String: FileStatus]) {
    for name in FolderEntries.names(in: folder) where !name.hasPrefix(".") {
      guard sizes.count < most else { return }
      if let size = FileStatus.regular("\(folder)/\(name)") {
        sizes[prefix + name] = size
      } else if depth > 1 {
        look("\(folder)/\(name)", "\(prefix)\(name)/", depth - 1, &sizes)
      }
    }
  }
}

extension FileStatus {
  /// The regular file at a path; nil for anything else, such as a link.
  static func regular(_ path: String) -> FileStatus? {
    FileStatus(path, followsLinks: false).flatMap { $0.isRegular ? $0 : nil }
  }

  /// Whether it is another file than `old`, or has another size.
  func isWritten(since old: FileStatus?) -> Bool { old.map { $0.identity != identity || $0.size != size } ?? true }

  /// The offset from which it is read, in bytes: the size of `old`, or 0 for a new file.
  func start(after old: FileStatus?) -> Int64 {
    old.flatMap { $0.identity == identity && $0.size <= size ? $0.size : nil } ?? 0
  }
}
