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

/// The files below a folder that grow from now on or are begun anew, and those that a command names: where a program may show what it
/// does.
final class GrowingFiles {
  private let folder: String
  /// Files that are named elsewhere, as they are named.
  private let named: [String]
  /// What each was at the beginning, by its name from the folder on.
  private let before: [String: FileStatus]
  /// Where our own stdout and stderr go: what stands there is not the program's.
  private let own = [STDOUT_FILENO, STDERR_FILENO].compactMap { FileStatus(descriptor: $0)?.identity }
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
  /// The regular file at a path; nil for what is none, such as a link.
  static func regular(_ path: String) -> FileStatus? {
    FileStatus(path, followsLinks: false).flatMap { $0.isRegular ? $0 : nil }
  }

  /// It is another one than `old`, or has another length.
  func isWritten(since old: FileStatus?) -> Bool { old.map { $0.identity != identity || $0.size != size } ?? true }

  /// From where on it is read, in bytes: behind what it held when it was `old`, unless it was begun anew.
  func start(after old: FileStatus?) -> Int64 {
    old.flatMap { $0.identity == identity && $0.size <= size ? $0.size : nil } ?? 0
  }
}
