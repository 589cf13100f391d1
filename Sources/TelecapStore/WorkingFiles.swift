#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import TelecapPlatform

/// Files and folders that are gone when the work is done: those of outputs that are not whole yet, and temporary ones. A signal
/// that ends the process takes them away too.
public enum WorkingFiles {
  /// A name next to `path` that no other process chooses, so two writers of the same output do not collide. It is reserved
  /// until `end`. Removes the files next to `path` that killed processes left.
  public static func name(beside path: String) -> String {
    WorkingLock.removeAbandoned(beside: path)
    let name = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 36))\(WorkingLock.ending)"
    if let lock = WorkingLock(name) {
      begin(lock.path)
      names.with { $0.locks[name] = lock }
    }
    return name
  }

  /// Notes a file, or a folder of such files, that shall be gone when a signal ends the process. Of more than
  /// 64 at once the later ones stay.
  public static func begin(_ path: String) {
    _ = watching
    names.with { _ in
      if let free = (0..<capacity).first(where: { places[$0] == nil }) { places[free] = strdup(path) }
    }
  }

  /// Notes a file that is written in its place: a signal that ends the process leaves a part of it there, and says so.
  public static func begin(partOf path: String) {
    _ = watching
    names.with { names in
      guard let free = (0..<capacity).first(where: { parts[$0] == nil }) else { return }
      parts[free] = strdup(
        "telecap: \(path): interrupted; the file is incomplete, because its folder allows no temporary file\n")
      names.parts[free] = path
    }
  }

  /// It is whole.
  public static func end(partOf path: String) {
    names.with { names in
      // The memory stays: a handler may be reading it.
      let noted = (0..<capacity).first { names.parts[$0] == path }
      if let noted { (parts[noted], names.parts[noted]) = (nil, nil) }
    }
  }

  /// Notes a database that is being created, and the files that SQLite keeps next to it.
  static func begin(database path: String) {
    for suffix in database { begin(path + suffix) }
  }

  /// It is gone, or in its place.
  static func end(database path: String) {
    for suffix in database { end(path + suffix) }
  }

  static let database = ["", "-journal", "-wal", "-shm"]

  /// It is gone, or in its place.
  public static func end(_ path: String) {
    if let lock = names.with({ $0.locks.removeValue(forKey: path) }) {
      lock.release()
      end(lock.path)
    }
    names.with { _ in
      // The memory stays: a handler may be reading it.
      let noted = (0..<capacity).first { places[$0].map { String(cString: $0) == path } ?? false }
      if let noted { places[noted] = nil }
    }
  }

  private static let capacity = 64

  private struct Names {
    /// The locks of the names that were given out.
    var locks: [String: WorkingLock] = [:]
    /// The files that are written in their places, by their places in `parts`.
    var parts: [Int: String] = [:]
  }

  private static let names = Locked(Names())

  /// The noted paths. `nonisolated(unsafe)`: they are changed under the lock of `names`, and a handler can only use plain memory.
  nonisolated(unsafe) private static let places: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
    let places = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    places.initialize(repeating: nil, count: capacity)
    return places
  }()

  /// The messages about files that are written in place, in the same order as `places`.
  nonisolated(unsafe) private static let parts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
    let parts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    parts.initialize(repeating: nil, count: capacity)
    return parts
  }()

  /// Removes the noted files at SIGINT, SIGTERM and SIGHUP, unless the signal is handled or ignored, and at exit.
  private static let watching: Void = {
    _ = (places, parts)
    atexit { WorkingFiles.removeAll() }
    for number in [SIGINT, SIGTERM, SIGHUP] where isDefault(number) { _ = signal(number, tidy) }
  }()

  private static func isDefault(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      return action.__sigaction_handler.sa_handler == nil
    #elseif canImport(Musl)
      return action.__sa_handler.sa_handler == nil
    #else
      return action.__sigaction_u.__sa_handler == nil
    #endif
  }

  /// Only calls that may be made in a handler (POSIX, Async-Signal-Safe Functions).
  private static let tidy: @convention(c) (Int32) -> Void = { number in
    removeAll()
    for place in 0..<capacity {
      if let words = parts[place] { _ = write(2, words, strlen(words)) }
    }
    _ = signal(number, SIG_DFL)
    raise(number)
  }

  /// Takes away what is noted.
  private static func removeAll() {
    for place in 0..<capacity {
      if let path = places[place] { unlink(path) }
    }
    // A folder goes when what is in it has gone.
    for place in 0..<capacity {
      if let path = places[place] { rmdir(path) }
    }
  }
}
