#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// By what it is told that a file was changed, or that another one took its place: which file it is, how long, and when it was
/// written last.
public struct FileMark: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  /// In s and ns since 1970.
  private let written: [Int64]

  /// The file at a path, as it is now; nil where there is none.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    written = [Int64(time.tv_sec), Int64(time.tv_nsec)]
  }
}
