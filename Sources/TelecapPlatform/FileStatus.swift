#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which file it is, whatever it is called: its device and its inode (POSIX, sys/stat.h). A file that was moved keeps it, one that was
/// put in its place has another.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The identity of the file with this status.
  public init(_ status: stat) {
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// The identity of the file at a path, through links; nil where there is none.
  public init?(_ path: String) {
    guard let status = FileStatus(path) else { return nil }
    self = status.identity
  }
}

/// A file as it was at one moment: by another status of the same path a change is seen, and that another file took its place.
public struct FileStatus: Hashable, Sendable {
  /// Which file it is.
  public let identity: FileIdentity
  /// Whether it is a regular file: no folder, FIFO, device or socket.
  public let isRegular: Bool
  /// Its length in bytes.
  public let size: Int64
  /// When it was written last, in ns since 1970.
  public let written: Int64

  private init(_ status: stat) {
    identity = FileIdentity(status)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    written = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The file at a path as it is now; nil where there is none.
  ///
  /// - Parameter followsLinks: of a link the file that it leads to; else the link itself.
  public init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// An open file as it is now; nil where the descriptor is none.
  public init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}
