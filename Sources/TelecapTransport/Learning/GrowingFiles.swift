import CSockets
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

/// The files below a folder that grow from now on, and those that a command names: where a program may show what it does.
final class GrowingFiles {
  private let folder: String
  /// Files that are named elsewhere, as they are named.
  private let named: [String]
  /// What each held at the beginning, in bytes, by its name from the folder on.
  private let before: [String: Int64]
  private var known: Set<String> = []
  private var lastLook: Nanoseconds = 0

  /// How many files are looked at, and how deep they may lie.
  private static let most = 2_000
  private static let depth = 2
  /// How long from one look to the next, in ns.
  private static let pause: Nanoseconds = 20_000_000

  /// - Parameter words: of the command; of those some may name files.
  init(below folder: String, namedIn words: [String]) {
    self.folder = folder
    named = words.compactMap { $0.split(separator: "=").last.map(String.init) }
      .filter { $0.hasPrefix("/") || $0.contains("../") }
    before = GrowingFiles.sizes(below: folder, named)
  }

  /// The names of files that have grown since the beginning and were not told before.
  func new() -> [String] {
    let now = telecap_monotonic_ns()
    guard now &- lastLook > GrowingFiles.pause else { return [] }
    lastLook = now
    let grown = GrowingFiles.sizes(below: folder, named).filter { name, size in
      !known.contains(name) && size > before[name] ?? 0
    }
    known.formUnion(grown.keys)
    return grown.keys.sorted()
  }

  /// Where a file of this name lies.
  func path(of name: String) -> FilePath { FilePath(folder).pushing(FilePath(name)) }

  /// What it held at the beginning, in bytes.
  func start(of name: String) -> Int64 { before[name] ?? 0 }

  private static func sizes(below folder: String, _ named: [String]) -> [String: Int64] {
    var sizes: [String: Int64] = [:]
    look(folder, "", depth, &sizes)
    for name in named {
      if let size = size(of: name.hasPrefix("/") ? name : "\(folder)/\(name)") { sizes[name] = size }
    }
    return sizes
  }

  private static func look(_ folder: String, _ prefix: String, _ depth: Int, _ sizes: inout [String: Int64]) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while sizes.count < most, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix(".") { continue }
      if let size = size(of: "\(folder)/\(name)") {
        sizes[prefix + name] = size
      } else if depth > 1 {
        look("\(folder)/\(name)", "\(prefix)\(name)/", depth - 1, &sizes)
      }
    }
  }

  /// Nil for what is no regular file.
  private static func size(of path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }
}
