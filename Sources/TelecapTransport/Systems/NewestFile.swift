import TelecapPlatform
import TelecapRecording
import TelecapText

/// The newest file of a folder that matches a pattern and that a program creates or continues from now on, for programs
/// that name a file anew at each start.
struct NewestFile {
  private let folder: String
  private let pattern: Glob
  /// The files at the beginning, by name.
  private let before: [String: FileStatus]
  /// The files that were returned: a renamed file is not another one.
  private var told: [FileIdentity] = []
  private var current: String?
  private let clock: any MonotonicClock
  /// The time of the last poll; nil before the first.
  private var lastLook: Nanoseconds?

  /// The maximum number of files, and the interval between polls, in ns.
  private static let most = 10_000
  private static let pause: Nanoseconds = 20_000_000

  /// - Parameters:
  ///   - path: a path whose last component is a pattern.
  ///   - isRunning: whether the program has created its file already.
  init(_ path: String, isRunning: Bool, by clock: any MonotonicClock) {
    self.clock = clock
    folder = FolderEntries.folder(of: path)
    pattern = Glob(path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path)
    before = NewestFile.files(in: folder, pattern)
    guard isRunning, let (name, file) = before.max(by: { NewestFile.isOlder($0, $1) }) else { return }
    told = [file.identity]
    current = name
  }

  /// The file of a program that is running already, and its size; nil where there is none.
  var begun: (path: String, start: Int64)? {
    current.flatMap { name in before[name].map { ("\(folder)/\(name)", $0.size) } }
  }

  /// Another file to read from now on, and its offset in bytes; nil if it is the same as before.
  mutating func next() -> (path: String, start: Int64)? {
    let now = clock.now()
    if let lastLook, now &- lastLook <= NewestFile.pause { return nil }
    lastLook = now
    let files = NewestFile.files(in: folder, pattern)
    let found = files.filter { $0.value.isWritten(since: before[$0.key]) && !told.contains($0.value.identity) }
    guard let (name, file) = found.max(by: { NewestFile.isOlder($0, $1) }) else { return nil }
    if let old = current.flatMap({ files[$0] }), told.contains(old.identity), file.written < old.written { return nil }
    told.append(file.identity)
    current = name
    return ("\(folder)/\(name)", file.start(after: before[name]))
  }

  private static func isOlder(
    _ one: (key: String, value: FileStatus), _ other: (key: String, value: FileStatus)
  ) -> Bool {
    (one.value.written, one.key) < (other.value.written, other.key)
  }

  private static func files(in folder: String, _ pattern: Glob) -> [String: FileStatus] {
    var files: [String: FileStatus] = [:]
    FolderEntries.forEach(in: folder) { name in
      if pattern.matches(name), let file = FileStatus.regular("\(folder)/\(name)") { files[name] = file }
      return files.count < most
    }
    return files
  }
}
